// Postgres keeps a row on its page while it can remove old versions of the row there. Under an open snapshot it cannot: with 15 to 70
// versions to a page the row moves from page to page, and a lookup by its key reads every version that it left behind.
const unrestPerMove = 128
const restless = 256

/** Grows when a write moved the row to another page, and falls when the row stayed on its page. Null: the row is restless. */
export function unrestAfter(unrest: number, isMoved: boolean): number | null {
  if (!isMoved) return Math.max(0, unrest - 1)
  return unrest + unrestPerMove <= restless ? unrest + unrestPerMove : null
}

/** A place is a page and a position on it: `(12,3)`. */
export const pageOf = (place: string): string => place.slice(1, place.indexOf(','))
