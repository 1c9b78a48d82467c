import { sql } from 'kysely'
import type { Db } from '../../db/index.js'

/** How a provider did for a tenant lately. */
export interface ProviderFaults {
  provider: string
  calls: number
  /** Of them, how many failed by a fault of the provider: no answer, 5xx, 429 or 408. */
  failed: number
  lastFailedAt: Date | null
}

// The newest of a tenant that makes more: enough to tell, and bounded.
const maxCalls = 20_000

/** Of every provider of models that was called since; servers of tools have a status of their own. Calls that it never had, or whose end nobody saw, do not count. */
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
