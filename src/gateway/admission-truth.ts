import type { AdmissionTruth } from '../admission/index.js'
import type { Db } from '../db/index.js'
import { type EndedCalls, readRecentCalls, type StoredOpenCall } from '../ledger/index.js'
import { scopesOf } from '../modules/budgets/index.js'
import { rateWindows } from './plan/rate-windows.js'

const { windowMs, requestsOf, tokensOf } = rateWindows

/** What an admission store that is new, or has lost its state, loads from the database. */
export function createAdmissionTruth(db: Db, loadSpend: AdmissionTruth['loadSpend']): AdmissionTruth {
  return {
    loadSpend,
    async loadTenant(tenantId) {
      const { generation, ended, open } = await readRecentCalls(db, tenantId)
      return { generation, uses: ended.flatMap(usesOf), open: open.map(toAdmittedCall) }
    },
  }
}

const usesOf = ({ keyId, atMs, calls, tokens }: EndedCalls) => [
  { claimId: requestsOf(keyId), windowMs, atMs, amount: calls },
  { claimId: tokensOf(keyId), windowMs, atMs, amount: tokens },
]

function toAdmittedCall(call: StoredOpenCall) {
  const { id, ts, key = '', batch, inputTokens = 0, outputTokens = 0, costNanos = 0 } = call.draft
  const amount = inputTokens + outputTokens
  return {
    callId: id,
    atMs: Date.parse(ts),
    // A batch takes its time: no limit per minute counts it.
    claims:
      batch === undefined
        ? [
            { id: requestsOf(key), unit: 'requests' as const, amount: 1, windowMs },
            { id: tokensOf(key), unit: 'tokens' as const, amount, windowMs },
          ]
        : [],
    scopes: scopesOf(call),
    nanos: costNanos,
  }
}
