import { BoundedMap } from '../bounded-map.js'
import type { Statement } from './database.js'

/** A row that is added to. */
export interface PartedRow {
  /** One for each key. */
  name: string
  values: readonly unknown[]
}

export interface PartedRowsOptions {
  /** Adds to rows that it finds by their keys, or makes them. The statements answer with the `place` of each row, in their order. */
  write(rows: readonly (readonly unknown[])[]): Statement[]
  /** The values of a part of a row: another row, which readers add to the first. */
  ofPart(values: readonly unknown[], part: number): readonly unknown[]
}

/** What a writer knows of a row. */
interface Known {
  part: number
  /** Where its last commit has put it; null for a part that is yet to be made. */
  page: string | null
  /** Grows with each move to another page, and falls with each write that finds room on the same one. */
  unrest: number
}

const maxKnown = 10_000
const maxParts = 100_000

// The database keeps a row on its page while it can clear away the versions that were replaced there. Under an open snapshot it
// cannot: with 15 to 70 versions to a page, the row moves on and on, and its key leads through all that it left behind.
const unrestPerMove = 128
const restless = 256

/**
 * Adds to rows, and begins another part of one that does not come to rest: the key of the part leads to few versions, however long the
 * snapshot is open. A row that rests stays as it is.
 */
export function createPartedRows({
  write,
  ofPart,
}: PartedRowsOptions): (rows: readonly PartedRow[]) => Statement[] {
  const known = new BoundedMap<string, Known>(maxKnown)

  return (rows) => {
    let answered = 0
    const onCommitted = (given: Record<string, unknown>[]) => {
      for (const { place } of given) {
        const row = rows[answered++]
        if (row !== undefined) known.set(row.name, next(known.get(row.name), pageOf(String(place))))
      }
    }
    const parts = rows.map(({ name, values }) => {
      const part = known.get(name)?.part ?? 0
      return part === 0 ? values : ofPart(values, part)
    })
    return write(parts).map((statement) => ({ ...statement, onCommitted }))
  }
}

function next(before: Known | undefined, page: string): Known {
  if (before === undefined) return { part: 0, page, unrest: 0 }
  const { part, unrest } = before
  if (before.page === null || page === before.page) return { part, page, unrest: Math.max(0, unrest - 1) }
  if (unrest + unrestPerMove <= restless || part === maxParts)
    return { part, page, unrest: unrest + unrestPerMove }
  return { part: part + 1, page: null, unrest: 0 }
}

/** A place is a page and a position on it: `(12,3)`. */
const pageOf = (place: string): string => place.slice(1, place.indexOf(','))
