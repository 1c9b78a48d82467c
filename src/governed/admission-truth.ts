import type { AdmissionTruth } from '../admission/index.js'
import type { Db } from '../db/index.js'
import { type EndedCalls, readRecentCalls, type StoredOpenCall } from '../ledger/index.js'
import { scopesOf } from '../modules/budgets/index.js'
import { rateWindows } from './rate-windows.js'

const { windowMs, requestsOf, tokensOf, serverRequestsOf } = rateWindows

/** What an admission store that is new, or has lost its state, loads from the database. */
export function createAdmissionTruth(db: Db, loadSpend: AdmissionTruth['loadSpend']): AdmissionTruth {
  return {
    loadSpend,
    async loadTenant(tenantId) {
      const { generation, limitsVersion, ended, open } = await readRecentCalls(db, tenantId)
      return {
        generation,
        limitsVersion,
        uses: ended.flatMap(usesOf),
        open: open.map(toAdmittedCall),
      }
    },
  }
}

function usesOf({ keyId, server, atMs, calls, tokens }: EndedCalls) {
  const requests = { claimId: requestsOf(keyId), windowMs, atMs, amount: calls }
  // No tool call has tokens.
  return server === null
    ? [requests, { ...requests, claimId: tokensOf(keyId), amount: tokens }]
    : [requests, { ...requests, claimId: serverRequestsOf(server) }]
}

function toAdmittedCall(call: StoredOpenCall) {
  const { id, ts, batch, costNanos = 0 } = call.draft
  return {
    callId: id,
    atMs: Date.parse(ts),
    // A batch takes its time: no limit per minute counts it.
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
