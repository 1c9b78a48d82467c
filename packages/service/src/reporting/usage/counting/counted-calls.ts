import type { Tags } from '../../../shared/tags.js'
import { addSum, emptySum, type UsageSum } from './usage-sum.js'

/** The dimensions by which calls are counted. Null means none. */
export interface Dimensions {
  tenantId: string
  keyId: string | null
  userId: string | null
  teamId: string | null
  provider: string | null
  /** In canonical spelling: see `canonicalModel`. */
  model: string | null
  outcome: string | null
  tags: Tags
}

/** Calls of one combination of dimensions. `at` is in UTC, as `Date.toISOString` writes it. */
export interface CountedCalls {
  at: string
  dimensions: Dimensions
  sum: UsageSum
}

/** The database ignores the order of names, but two texts for the same tags would be two rows in one statement. */
export const canonicalTags = (tags: Tags): string =>
  JSON.stringify(tags, Object.keys(tags).length > 1 ? Object.keys(tags).sort() : undefined)

/** A row to write: the values that identify it, and what it adds. */
export interface SummedRow {
  key: unknown[]
  sum: UsageSum
}

/** Adds up items with the same key. Sorted by key, so that two writers of the same rows cannot deadlock. */
export function sumByKey<Item extends { sum: UsageSum }>(
  items: readonly Item[],
  keyOf: (item: Item) => string[],
): SummedRow[] {
  const rows = new Map<string, SummedRow>()
  for (const item of items) {
    const key = keyOf(item)
    const name = JSON.stringify(key)
    const row = rows.get(name) ?? { key, sum: emptySum() }
    rows.set(name, row)
    addSum(row.sum, item.sum)
  }
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
}
