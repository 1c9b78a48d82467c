import type { SpendRequest, WindowClaim } from '../../limits/index.js'
import type { SpendLimit, SpendLimits } from '../../resources/budgets/index.js'
import { type Entitlements, spendScopesOf } from '../../resources/keys/index.js'
import type { ToolServer } from '../../resources/mcp-servers/index.js'
import { type CallLabels, claimsOfKey, type LimitClaims, rateWindows } from '../core/index.js'
import type { ToolCall } from './call.js'

export interface ReserveToolParts {
  spendLimits: SpendLimits
  /** Reads the current settings of a server. */
  findServer(tenantId: string, name: string): Promise<ToolServer | null>
}

/** Returns what a tool call claims: one request per minute of its key and of its server, and its price. */
export async function reserveTool(
  call: ToolCall,
  entitlements: Entitlements,
  now: Date,
  { spendLimits, findServer }: ReserveToolParts,
): Promise<LimitClaims> {
  const { server } = call.request
  const { limits, version } = await spendLimits.limitsFor(entitlements, call, now)
  return {
    claims: claimsOf(entitlements, (await findServer(server.tenantId, server.name)) ?? server),
    spend: spendOf(entitlements, call, limits, server.priceNanos),
    limits,
    limitsVersion: version,
  }
}

function claimsOf({ key }: Entitlements, server: ToolServer): WindowClaim[] {
  const claims = claimsOfKey(key, { requests: 1, tokens: null })
  const { name, rpmLimit: limit, limitsSince: sinceLimitsVersion } = server
  if (limit === null) return claims
  const { windowMs, serverRequestsOf } = rateWindows
  return [
    ...claims,
    { id: serverRequestsOf(name), unit: 'requests', limit, amount: 1, windowMs, sinceLimitsVersion },
  ]
}

/** Reserves the price even when no budget applies, so that a budget created during the call counts it. */
function spendOf(
  entitlements: Entitlements,
  labels: Pick<CallLabels, 'session' | 'tags'>,
  limits: readonly SpendLimit[],
  nanos: number,
): SpendRequest | null {
  if (limits.length === 0 && nanos === 0) return null
  return {
    scopes: spendScopesOf(entitlements, labels),
    accountLimits: limits,
    maxNanos: nanos,
    minNanos: nanos,
  }
}
