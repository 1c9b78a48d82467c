import type { Db } from '../../../db/index.js'
import type { UsageLoader } from '../../../limits/index.js'
import { type EndedCalls, readRecentCalls, type StoredOpenCall } from '../../../record/index.js'
import { scopesOf } from '../../../resources/budgets/index.js'
import { rateWindows } from './rate-windows.js'

const { windowMs, requestsOf, tokensOf, serverRequestsOf } = rateWindows

/** Loads what an admission store needs from the database when it is new or has lost its state. */
export function createUsageLoader(db: Db, loadAccountSpend: UsageLoader['loadAccountSpend']): UsageLoader {
  return {
    loadAccountSpend,
    async loadTenantUsage(tenantId) {
      const { generation, limitsVersion, ended, open } = await readRecentCalls(db, tenantId)
      return {
        generation,
        limitsVersion,
        uses: ended.flatMap(usesOf),
        openCalls: open.map(toAdmittedCall),
      }
    },
  }
}

function usesOf({ keyId, server, atMs, calls, tokens }: EndedCalls) {
  const requests = { claimId: requestsOf(keyId), windowMs, atMs, amount: calls }
  // Tool calls use no tokens.
  return server === null
    ? [requests, { ...requests, claimId: tokensOf(keyId), amount: tokens }]
    : [requests, { ...requests, claimId: serverRequestsOf(server) }]
}

function toAdmittedCall(call: StoredOpenCall) {
  const { id, ts, batch, costNanos = 0 } = call.draft
  return {
    attemptId: id,
    atMs: Date.parse(ts),
    // Limits per minute do not count batches, which run for hours.
    claims: batch === undefined ? claimsOf(call.draft) : [],
    scopes: scopesOf(call),
    nanos: costNanos,
  }
}

function claimsOf({ key = '', server, inputTokens = 0, outputTokens = 0 }: StoredOpenCall['draft']) {
  const requests = { id: requestsOf(key), unit: 'requests' as const, amount: 1, windowMs }
  return server === undefined
    ? [requests, { id: tokensOf(key), unit: 'tokens' as const, amount: inputTokens + outputTokens, windowMs }]
    : [requests, { ...requests, id: serverRequestsOf(server) }]
}
