import type { CallRow, Db } from '../../db/index.js'
import type { RecordedEntry } from '../../record/index.js'
import { namesAt } from '../../resources/names/index.js'
import { policiesThatActed, toCallRow } from './call-row.js'
import { namesOf, presentCall, presentCalls } from './present.js'
import type { Call } from './schema.js'

/**
 * Returns the calls among entries of the record, by their numbers. It uses only the entries, so it works while the
 * projection is missing them, is being rebuilt, or has dropped them. A cost that was corrected later is that of the
 * entry.
 */
export async function presentEntries(
  db: Db,
  tenantId: string,
  entries: readonly RecordedEntry[],
): Promise<Map<number, Call>> {
  const rows = entries.flatMap(toRow)
  return new Map((await presentRows(db, tenantId, rows)).map((call) => [call.receiptSeq, call]))
}

function toRow(entry: RecordedEntry): CallRow[] {
  const row = toCallRow(entry)
  if (row === null) return []
  const { ts, tags = null, checks = [] } = entry.draft
  return [{ ...row, ts: new Date(ts), tags, policy_ids: policiesThatActed(checks), stage_ends: null }]
}

/**
 * Entries of one page are close in time. Names that are the same at the first and the last entry are read twice
 * instead of once for each call: 200 calls of ten keys take 20 look-ups, not 200.
 */
async function presentRows(db: Db, tenantId: string, rows: readonly CallRow[]): Promise<Call[]> {
  const times = rows.map(({ ts }) => ts.getTime())
  const [first, last] = [new Date(Math.min(...times)), new Date(Math.max(...times))]
  const wanted = rows.flatMap((row) => namesOf({ ...row, ts: first }))
  const find = await namesAt(db, tenantId, [...wanted, ...wanted.map((each) => ({ ...each, at: last }))])
  const isSteady = wanted.every((each) => find(each) === find({ ...each, at: last }))
  if (!isSteady) return await presentCalls(db, tenantId, rows)
  return rows.map((row) => presentCall(row, (each) => find({ ...each, at: first })))
}
