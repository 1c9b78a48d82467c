import type { Db } from '../../db/index.js'
import { toUsd } from '../../http/index.js'
import type { Ledger } from '../../record/index.js'
import { countPendingRequests, listNearLimits } from '../../resources/budgets/index.js'
import { listWaitingTools, type ReadConfigured } from '../../resources/mcp-servers/index.js'
import {
  type FailingEndpoint,
  listFailingEndpoints,
  listReportedCredentials,
} from '../../resources/webhooks/index.js'
import { readProviderFaults } from '../calls/index.js'
import type { Attention } from './schema.js'

const providerWindowMs = 15 * 60_000
// A single failed call is not an outage; for a provider that is seldom called, three are.
const failingCalls = 3
const failingShare = 0.5
const webhookWindowMs = 7 * 86_400_000
const maxLimits = 50
const reportWindowMs = 3_600_000

/** The state of a credential, as this replica knows it. */
export interface ReportedCredential {
  providerId: string
  providerName: string
  credentialId: string
  state: 'ok' | 'refused' | 'undecryptable'
  message: string
  at: Date | null
}

export interface AttentionParts {
  db: Db
  now(): Date
  /** Returns the credentials of every provider that the tenant has or may use. */
  credentialsOf(tenantId: string): Promise<readonly ReportedCredential[]>
  ledger: Pick<Ledger, 'faultOf'>
  /** Servers of the operator's file. */
  mcpServers: ReadConfigured
}

/** Lists what needs a decision or a repair, each found by a bounded read. */
export async function readAttention(
  { db, now: readNow, credentialsOf, ledger, mcpServers }: AttentionParts,
  tenantId: string,
): Promise<Attention> {
  const now = readNow()
  const before = (ms: number) => new Date(now.getTime() - ms)
  const [requests, limits, faults, endpoints, tools, credentials] = await Promise.all([
    countPendingRequests(db, tenantId),
    listNearLimits(db, tenantId, maxLimits),
    readProviderFaults(db, tenantId, before(providerWindowMs)),
    listFailingEndpoints(db, tenantId, before(webhookWindowMs)),
    listWaitingTools({ db, configured: mcpServers }, tenantId),
    findFailingCredentials(db, tenantId, await credentialsOf(tenantId), before(reportWindowMs)),
  ])
  const providers = faults.filter(
    ({ calls, failed }) => failed >= failingCalls && failed >= calls * failingShare,
  )
  const fault = ledger.faultOf(tenantId)
  return {
    items:
      (fault === null ? 0 : 1) +
      (requests.count > 0 ? 1 : 0) +
      limits.length +
      providers.length +
      credentials.length +
      tools.length +
      endpoints.length,
    record: fault === null ? null : { message: fault },
    budgetRequests: { pending: requests.count, oldestAt: requests.oldestAt?.toISOString() ?? null },
    limits: limits.map(({ spentNanos, limitNanos, ...limit }) => ({
      ...limit,
      state: spentNanos >= limitNanos ? ('exhausted' as const) : ('near' as const),
      spentUsd: toUsd(spentNanos),
      limitUsd: toUsd(limitNanos),
    })),
    providers: providers.map((each) => ({ ...each, lastFailedAt: each.lastFailedAt?.toISOString() ?? null })),
    credentials,
    tools: tools.map((each) => ({ ...each, oldestAt: each.oldestAt?.toISOString() ?? null })),
    webhooks: endpoints.map(presentEndpoint),
  }
}

/** This replica's own knowledge of a credential takes precedence over another's alert. */
async function findFailingCredentials(
  db: Db,
  tenantId: string,
  known: readonly ReportedCredential[],
  since: Date,
): Promise<Attention['credentials']> {
  const reported = new Map(
    (await listReportedCredentials(db, tenantId, since)).map((each) => [each.credentialId, each]),
  )
  return known.flatMap(({ providerId, providerName, credentialId, state, message, at }) => {
    const ids = { providerId, providerName, credentialId }
    if (state !== 'ok') return [{ ...ids, state, message, at: at?.toISOString() ?? null }]
    const elsewhere = at === null ? reported.get(credentialId) : undefined
    return elsewhere
      ? [
          {
            ...ids,
            state: 'refused' as const,
            message: elsewhere.message,
            at: elsewhere.at.toISOString(),
          },
        ]
      : []
  })
}

const presentEndpoint = (endpoint: FailingEndpoint): Attention['webhooks'][number] => ({
  ...endpoint,
  lastAttemptAt: endpoint.lastAttemptAt?.toISOString() ?? null,
})
