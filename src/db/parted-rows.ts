import { BoundedMap } from '../bounded-map.js'
import type { Statement } from './database.js'
import type { KeyedRow } from './keyed-row.js'
import { pageOf, unrestAfter } from './unrest.js'

export interface PartedRowsOptions {
  /** Adds to rows that it finds by their keys, or makes them. The statements answer with the `place` of each row, in their order. */
  write(rows: readonly (readonly unknown[])[]): Statement[]
  /** The values of a part of a row: another row, which readers add to the first. */
  ofPart(values: readonly unknown[], part: number): readonly unknown[]
}

/** What a writer knows of a row. */
interface Known {
  part: number
  /** Where the last commit left it; null for a part that does not exist yet. */
  page: string | null
  unrest: number
}

const maxKnown = 10_000
const maxParts = 100_000

/**
 * Adds to rows, and starts another part of a restless row: a lookup of the part reads few versions, however long the snapshot is open.
 * A row that stays on its page has no further parts.
 */
export function createPartedRows({
  write,
  ofPart,
}: PartedRowsOptions): (rows: readonly KeyedRow[]) => Statement[] {
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
  const { part } = before
  const unrest = unrestAfter(before.unrest, before.page !== null && page !== before.page)
  if (unrest !== null) return { part, page, unrest }
  return { part: Math.min(maxParts, part + 1), page: null, unrest: 0 }
}
