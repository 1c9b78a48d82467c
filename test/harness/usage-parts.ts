import type { TestDatabase } from './database.js'

/** Every second row of an hour or minute becomes a part of it, as an open snapshot makes them. What is asked of them stays the same. */
export async function makeParts({ query }: Pick<TestDatabase, 'query'>, part: number): Promise<void> {
  for (const [table, column] of [
    ['usage_hours', 'hour'],
    ['usage_minutes', 'minute'],
  ] as const)
    await query(
      `update ${table} u set ${column} = u.${column} + $1 * interval '1 microsecond'
       from (select ctid, row_number() over (partition by tenant_id, ${column} order by key_id, model, latency_ms) as nth from ${table}) r
       where u.ctid = r.ctid and nth % 2 = 0`,
      [part],
    )
}
