import { sql } from 'kysely'
import type { Db } from '../../db/index.js'
import { presentAuditEntry } from './present.js'
import type { AuditEntry } from './schema.js'
import { type AuditRow, withNames } from './store.js'

interface SpanEntry {
  /** The position of the entry in the order of time and id. */
  position: string
  at: Date
  entry: AuditEntry
}

/**
 * Reads entries after a position, in order: up to another, or a page. An entry has the time at which its transaction
 * began, so an older one may be committed later. Therefore entries wait that are younger than the oldest open
 * transaction, or than a second: whoever sees an entry has seen every one before it.
 *
 * Plan: a range scan of `audit_log_by_time`.
 */
export async function readAuditSpan(
  db: Db,
  tenantId: string,
  { after, upTo, limit }: { after: string | null; upTo: string | null; limit: number },
): Promise<SpanEntry[]> {
  const from = splitPosition(after ?? '-infinity ')
  const to = splitPosition(upTo ?? 'infinity ')
  const { rows } = await sql<Omit<AuditRow, 'keyName' | 'userName'> & { at_text: string }>`
    select *, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at_text
    from audit_log
    where tenant_id = ${tenantId}
      and (at, id) > (${from.at}::timestamptz, ${from.id}) and (at, id) <= (${to.at}::timestamptz, ${to.id})
      and at < (select least(min(xact_start), now() - interval '1 second') from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid())
    order by at, id limit ${limit}`.execute(db)
  const named = await withNames(db, tenantId, rows)
  return named.map((row, index) => ({
    position: `${rows[index]?.at_text} ${row.id}`,
    at: row.at,
    entry: presentAuditEntry(row),
  }))
}

function splitPosition(position: string): { at: string; id: string } {
  const [at = '', id = ''] = position.split(' ')
  return { at, id }
}
