import { sql } from 'kysely'
import type { Db } from '../../../db/index.js'

/** An endpoint whose deliveries fail. */
export interface FailingEndpoint {
  id: string
  name: string
  enabled: boolean
  /** Deliveries abandoned since the given time. */
  dead: number
  /** Deliveries that failed and are retried. */
  retrying: number
  lastError: string | null
  lastAttemptAt: Date | null
}

/**
 * Lists endpoints with recently abandoned or currently failing deliveries. Tests are not counted. Plan: for each
 * endpoint a range of its deliveries by last attempt.
 */
export async function listFailingEndpoints(
  db: Db,
  tenantId: string,
  since: Date,
): Promise<FailingEndpoint[]> {
  const { rows } = await sql<FailingEndpoint>`
    select e.id, e.name, e.enabled, d.dead, d.retrying, last.error as "lastError", last.attempted_at as "lastAttemptAt"
    from webhook_endpoints e
    cross join lateral (
      select count(*) filter (where status = 'dead') as dead, count(*) filter (where status = 'retrying') as retrying
      from (select status from webhook_deliveries
        where endpoint_id = e.id and attempted_at >= ${since} and event <> 'webhook.test' limit 10000) as recent) d
    left join lateral (
      select error, attempted_at from webhook_deliveries
      where endpoint_id = e.id and attempted_at is not null and error is not null order by attempted_at desc limit 1) last on true
    where e.tenant_id = ${tenantId} and e.deleted_at is null and (d.dead > 0 or d.retrying > 0)
    order by d.dead + d.retrying desc, e.id`.execute(db)
  return rows
}
