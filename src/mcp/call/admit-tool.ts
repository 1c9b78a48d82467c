import type { Claim, SpendRequest } from '../../admission/index.js'
import {
  type AdmitParts,
  admissionChecks,
  admitCall,
  type Demand,
  rateWindows,
} from '../../governed/index.js'
import { attemptIdOf } from '../../ledger/index.js'
import type { SpendLimit } from '../../modules/budgets/index.js'
import { type Entitlements, spendScopesOf } from '../../modules/keys/index.js'
import type { McpServerTerms } from '../../modules/mcp-servers/index.js'
import { oneToolCall } from '../../pricing/index.js'
import { writeToolReceipt } from './receipt.js'
import type { ReceivedTool } from './received.js'

/** What a call of a tool takes: one of the requests per minute of its key and of its server, and its price. */
export interface ToolDemand extends Demand {
  limits: readonly SpendLimit[]
}

export const admitTool = (received: ReceivedTool, number: number, parts: AdmitParts) =>
  admitCall<ToolDemand>(
    {
      id: attemptIdOf(received.id, number),
      entitlements: received.entitlements,
      filing: received,
      async demand(entitlements, now) {
        const { priceNanos } = received.request.server
        const { limits, version } = await parts.spendLimits.limitsFor(entitlements, received, now)
        return {
          claims: claimsOf(entitlements, received.request.server),
          spend: spendOf(entitlements, received, limits, priceNanos),
          limits,
          limitsVersion: version,
        }
      },
      writeInterrupted: (demand, entitlements, { atMs }) =>
        writeToolReceipt(
          { ...received, entitlements },
          {
            number,
            admittedAtMs: atMs,
            latencyMs: null,
            checks: admissionChecks(demand, { overBudget: null }),
            status: 500,
            outcome: 'interrupted',
            fault: null,
            counts: oneToolCall,
            costNanos: received.request.server.priceNanos,
            usage: 'reserved',
            response: null,
            toolError: false,
            rpcCode: null,
          },
        ),
    },
    parts,
  )

function claimsOf({ key }: Entitlements, server: McpServerTerms): Claim[] {
  const { windowMs, requestsOf, serverRequestsOf } = rateWindows
  const claims: Claim[] = []
  const claim = (id: string, limit: number | null) => {
    if (limit !== null) claims.push({ id, unit: 'requests', limit, amount: 1, windowMs })
  }
  claim(requestsOf(key.id), key.rpmLimit)
  claim(serverRequestsOf(server.name), server.rpmLimit)
  return claims
}

/** It is reserved also where no limit applies: one that is made while the call runs counts it. */
function spendOf(
  entitlements: Entitlements,
  filing: Pick<ReceivedTool, 'session' | 'tags'>,
  limits: readonly SpendLimit[],
  nanos: number,
): SpendRequest | null {
  if (limits.length === 0 && nanos === 0) return null
  return { scopes: spendScopesOf(entitlements, filing), claims: limits, maxNanos: nanos, minNanos: nanos }
}
