import type { Claim, SpendRequest } from '../../admission/index.js'
import {
  type AdmitParts,
  admissionChecks,
  admitCall,
  claimsOfKey,
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

export interface AdmitToolParts extends AdmitParts {
  /** A server as it is now. */
  findServer(tenantId: string, name: string): Promise<McpServerTerms | null>
}

/** What a call of a tool takes: one of the requests per minute of its key and of its server, and its price. */
export interface ToolDemand extends Demand {
  limits: readonly SpendLimit[]
}

export const admitTool = (received: ReceivedTool, number: number, parts: AdmitToolParts) =>
  admitCall<ToolDemand>(
    {
      id: attemptIdOf(received.id, number),
      entitlements: received.entitlements,
      filing: received,
      async demand(entitlements, now) {
        const { server } = received.request
        const { limits, version } = await parts.spendLimits.limitsFor(entitlements, received, now)
        return {
          claims: claimsOf(entitlements, (await parts.findServer(server.tenantId, server.name)) ?? server),
          spend: spendOf(entitlements, received, limits, server.priceNanos),
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
  const claims = claimsOfKey(key, { requests: 1, tokens: null })
  const { name, rpmLimit: limit, limitsSince: since } = server
  if (limit === null) return claims
  const { windowMs, serverRequestsOf } = rateWindows
  return [...claims, { id: serverRequestsOf(name), unit: 'requests', limit, amount: 1, windowMs, since }]
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
