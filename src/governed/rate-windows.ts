import type { Claim } from '../admission/index.js'
import type { Entitlements } from '../modules/keys/index.js'

/** The windows that count the calls and the tokens of a key, and the calls to the tools of a server. */
export const rateWindows = {
  windowMs: 60_000,
  requestsOf: (keyId: string) => `${keyId}/rpm`,
  tokensOf: (keyId: string) => `${keyId}/tpm`,
  serverRequestsOf: (server: string) => `mcp:${server}/rpm`,
}

export type LimitedKey = Pick<Entitlements['key'], 'id' | 'rpmLimit' | 'tpmLimit' | 'limitsSince'>

/** The claims of a key that has rate limits. An amount of null claims nothing: a call without tokens, for example. */
export function claimsOfKey(
  { id, rpmLimit, tpmLimit, limitsSince }: LimitedKey,
  amounts: { requests: number | null; tokens: number | null },
): Claim[] {
  const { windowMs, requestsOf, tokensOf } = rateWindows
  const claims: Claim[] = []
  const claim = (unit: Claim['unit'], window: string, limit: number | null) => {
    const amount = amounts[unit]
    if (limit === null || amount === null) return
    claims.push({ id: window, unit, limit, amount, windowMs, since: limitsSince })
  }
  claim('requests', requestsOf(id), rpmLimit)
  claim('tokens', tokensOf(id), tpmLimit)
  return claims
}
