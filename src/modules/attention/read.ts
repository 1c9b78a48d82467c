import type { Db } from '../../db/index.js'
import { toUsd } from '../../http/index.js'
import { countPendingRequests, listNearLimits } from '../budgets/index.js'
import { readProviderFaults } from '../calls/index.js'
import { type FailingEndpoint, listFailingEndpoints } from '../webhooks/index.js'
import type { Attention } from './schema.js'

const providerWindowMs = 15 * 60_000
// One call that failed is no outage; of a provider that is seldom called, three are.
const failingCalls = 3
const failingShare = 0.5
const webhookWindowMs = 7 * 86_400_000
const maxLimits = 50

/** What somebody has to decide or to mend, each found by a bounded read. */
export async function readAttention(db: Db, tenantId: string, now: Date): Promise<Attention> {
  const before = (ms: number) => new Date(now.getTime() - ms)
  const [requests, limits, faults, endpoints] = await Promise.all([
    countPendingRequests(db, tenantId),
    listNearLimits(db, tenantId, maxLimits),
    readProviderFaults(db, tenantId, before(providerWindowMs)),
    listFailingEndpoints(db, tenantId, before(webhookWindowMs)),
  ])
  const providers = faults.filter(
    ({ calls, failed }) => failed >= failingCalls && failed >= calls * failingShare,
  )
  return {
    items: (requests.count > 0 ? 1 : 0) + limits.length + providers.length + endpoints.length,
    budgetRequests: { pending: requests.count, oldestAt: requests.oldestAt?.toISOString() ?? null },
    limits: limits.map(({ spentNanos, limitNanos, ...limit }) => ({
      ...limit,
      state: spentNanos >= limitNanos ? ('exhausted' as const) : ('near' as const),
      spentUsd: toUsd(spentNanos),
      limitUsd: toUsd(limitNanos),
    })),
    providers: providers.map((each) => ({ ...each, lastFailedAt: each.lastFailedAt?.toISOString() ?? null })),
    webhooks: endpoints.map(presentEndpoint),
  }
}

const presentEndpoint = (endpoint: FailingEndpoint): Attention['webhooks'][number] => ({
  ...endpoint,
  lastAttemptAt: endpoint.lastAttemptAt?.toISOString() ?? null,
})
