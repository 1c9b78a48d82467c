// The database keeps a row on its page while it can clear away the versions that were replaced there. Under an open snapshot it
// cannot: with 15 to 70 versions to a page, the row moves on and on, and its key leads through all that it left behind.
const unrestPerMove = 128
const restless = 256

/** Grows with each move of a row to another page, and falls with each write that finds room on the same one. Null: it does not come to rest. */
export function unrestAfter(unrest: number, isMoved: boolean): number | null {
  if (!isMoved) return Math.max(0, unrest - 1)
  return unrest + unrestPerMove <= restless ? unrest + unrestPerMove : null
}

/** A place is a page and a position on it: `(12,3)`. */
export const pageOf = (place: string): string => place.slice(1, place.indexOf(','))
