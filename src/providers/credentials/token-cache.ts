import type { ShortLivedToken } from '../vendors/vendor.js'

// A token is fetched again this long before it ends, or after half of its life where that is shorter.
const refreshBeforeMs = 5 * 60_000
// With fewer left it is not used any more: the call that it goes out with has to arrive.
const minLeftMs = 30_000

interface Entry {
  token: ShortLivedToken | null
  refreshAtMs: number
  fetching: Promise<ShortLivedToken> | null
}

export type TokenCache = (key: string, fetch: () => Promise<ShortLivedToken>) => Promise<string>

/**
 * Tokens by key. Many who ask at the same time cause one fetch. While a token is still good, its refresh goes on beside the calls,
 * and one that fails is tried again by a later call.
 */
export function createTokenCache(now: () => number): TokenCache {
  const entries = new Map<string, Entry>()

  function refresh(entry: Entry, fetch: () => Promise<ShortLivedToken>): Promise<ShortLivedToken> {
    entry.fetching ??= fetch()
      .then((token) => {
        entry.token = token
        const lifeMs = token.expiresAtMs - now()
        entry.refreshAtMs = token.expiresAtMs - Math.min(refreshBeforeMs, lifeMs / 2)
        return token
      })
      .finally(() => {
        entry.fetching = null
      })
    return entry.fetching
  }

  return async (key, fetch) => {
    const entry = entries.get(key) ?? { token: null, refreshAtMs: 0, fetching: null }
    entries.set(key, entry)
    const { token } = entry
    if (token === null || token.expiresAtMs - now() < minLeftMs) return (await refresh(entry, fetch)).value
    if (entry.refreshAtMs <= now()) refresh(entry, fetch).catch(() => undefined)
    return token.value
  }
}
