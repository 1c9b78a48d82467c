import { sql } from 'kysely'
import type { Db } from '../../db/index.js'

/**
 * Returns, for each kind of data, by how much the oldest entry has waited longer than the interval of its sink. Of
 * several sinks of all tenants, the one that is furthest behind counts.
 *
 * Plan: for each sink the first row of a range of the primary key of receipts.
 */
export async function readOverdueSinks(db: Db): Promise<Record<string, number>> {
  const { rows } = await sql<{ data: string; overdue: number }>`
    select s.data, max(greatest(0, coalesce(extract(epoch from now() - oldest.ts), 0) - s.interval_s))::float8 as overdue
    from sinks s
    left join lateral (
      select r.ts from receipts r
      where r.tenant_id = s.tenant_id and r.seq > coalesce(s.position, '0')::bigint order by r.seq limit 1) oldest on true
    where s.enabled and s.deleted_at is null
    group by s.data`.execute(db)
  return Object.fromEntries(rows.map(({ data, overdue }) => [data, overdue]))
}
