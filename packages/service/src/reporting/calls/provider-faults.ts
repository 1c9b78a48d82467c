import { sql } from 'kysely'
import type { Db } from '../../db/index.js'

/** How often a provider failed for a tenant recently. */
export interface ProviderFaults {
  provider: string
  calls: number
  /** The calls that failed by a fault of the provider: no answer, 5xx, 429 or 408. */
  failed: number
  lastFailedAt: Date | null
}

// Limits the read to a tenant's newest calls, which are enough for a verdict.
const maxCalls = 20_000

/**
 * Returns every provider of models that was called since; tool servers have their own status. Calls that never
 * reached the provider, or whose end was not observed, do not count.
 */
export async function readProviderFaults(db: Db, tenantId: string, since: Date): Promise<ProviderFaults[]> {
  const { rows } = await sql<ProviderFaults>`
    select provider, count(*) as calls, count(*) filter (where failed) as failed, max(ts) filter (where failed) as "lastFailedAt"
    from (
      select provider, ts, outcome, outcome = 'upstream_error' and (status >= 500 or status in (429, 408)) as failed
      from calls where tenant_id = ${tenantId} and ts >= ${since} and kind = 'model' order by ts desc, seq desc limit ${maxCalls}
    ) as recent
    where provider is not null and outcome in ('ok', 'redacted', 'upstream_error')
    group by provider order by provider`.execute(db)
  return rows
}
