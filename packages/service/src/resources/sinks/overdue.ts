import { sql } from 'kysely'
import type { Db } from '../../db/index.js'
import { focusWaitSeconds } from './data/focus/focus-source.js'
import { oldestWaiting } from './store.js'

/**
 * Returns, for each kind of data, by how much the oldest entry has waited longer than the interval of its sink, and for
 * `focus` longer than its hour. Of several sinks of all tenants, the one that is furthest behind counts.
 */
export async function readOverdueSinks(db: Db): Promise<Record<string, number>> {
  const { rows } = await sql<{ data: string; overdue: number }>`
    select s.data, max(greatest(0, coalesce(extract(epoch from now() - ${oldestWaiting}), 0)
      - s.interval_s - case s.data when 'focus' then ${focusWaitSeconds}::integer else 0 end))::float8 as overdue
    from sinks s
    where s.enabled and s.deleted_at is null
    group by s.data`.execute(db)
  return Object.fromEntries(rows.map(({ data, overdue }) => [data, overdue]))
}
