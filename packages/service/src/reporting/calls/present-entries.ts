import type { CallRow, Db } from '../../db/index.js'
import type { RecordedEntry } from '../../record/index.js'
import { policiesThatActed, toCallRow } from './call-row.js'
import { presentCalls } from './present.js'
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
  return new Map((await presentCalls(db, tenantId, rows)).map((call) => [call.receiptSeq, call]))
}

function toRow(entry: RecordedEntry): CallRow[] {
  const row = toCallRow(entry)
  if (row === null) return []
  const { ts, tags = null, checks = [] } = entry.draft
  return [{ ...row, ts: new Date(ts), tags, policy_ids: policiesThatActed(checks), stage_ends: null }]
}
