import { sql } from 'kysely'
import type { Db } from '../../db/index.js'

/** The calls that a policy blocked, changed or flagged on one of the days. */
interface DayHits {
  policyId: string
  /** The place of the day in the list, from 0. */
  day: number
  calls: number
}

/**
 * Counts the calls that each policy of a tenant acted on, by day. Plan: for each partition of these days the entries of the tenant's
 * policies in its index of policies, so calls on which no policy acted cost nothing.
 */
export async function readPolicyHits(
  db: Db,
  tenantId: string,
  starts: readonly Date[],
  end: Date,
): Promise<DayHits[]> {
  const { rows } = await sql<DayHits>`
    select hit.policy_id as "policyId", width_bucket(c.ts, ${[...starts]}::timestamptz[]) - 1 as day, count(*)::bigint as calls
    from calls c cross join lateral unnest(c.policy_ids) as hit (policy_id)
    where c.tenant_id = ${tenantId} and c.ts >= ${starts[0]} and c.ts < ${end}
      and c.policy_ids && array(select id from policies where tenant_id = ${tenantId} and deleted_at is null)
    group by 1, 2`.execute(db)
  return rows
}
