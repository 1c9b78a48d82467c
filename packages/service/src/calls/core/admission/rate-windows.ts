import type { WindowClaim } from '../../../limits/index.js'
import type { Entitlements } from '../../../resources/keys/index.js'

/** The ids of the windows that count calls and tokens of a key, and calls of the tools of a server. */
export const rateWindows = {
  windowMs: 60_000,
  requestsOf: (keyId: string) => `${keyId}/rpm`,
  tokensOf: (keyId: string) => `${keyId}/tpm`,
  serverRequestsOf: (server: string) => `mcp:${server}/rpm`,
}

export type LimitedKey = Pick<Entitlements['key'], 'id' | 'rpmLimit' | 'tpmLimit' | 'limitsSince'>

/** Returns the claims on the rate limits of a key. A unit whose amount is null is not claimed, such as the tokens of a tool call. */
export function claimsOfKey(
  { id, rpmLimit, tpmLimit, limitsSince }: LimitedKey,
  amounts: { requests: number | null; tokens: number | null },
): WindowClaim[] {
  const { windowMs, requestsOf, tokensOf } = rateWindows
  const claims: WindowClaim[] = []
  const claim = (unit: WindowClaim['unit'], window: string, limit: number | null) => {
    const amount = amounts[unit]
    if (limit === null || amount === null) return
    claims.push({ id: window, unit, limit, amount, windowMs, sinceLimitsVersion: limitsSince })
  }
  claim('requests', requestsOf(id), rpmLimit)
  claim('tokens', tokensOf(id), tpmLimit)
  return claims
}
