export interface ShortLivedToken {
  value: string
  /** Milliseconds since 1970. */
  expiresAtMs: number
}

// A token is refreshed this long before it expires, or after half its lifetime when that is shorter.
const refreshBeforeMs = 5 * 60_000
// A failed refresh is repeated by a later call, but not by each: the service that issues tokens may be overloaded.
const retryRefreshMs = 5_000
// A token with less time left is not used, because it could expire before the call arrives.
const minRemainingMs = 30_000

// A token that is refused although it is younger is not fetched again: a further one would be refused too.
const minForgottenAgeMs = 60_000

interface Entry {
  token: ShortLivedToken | null
  fetchedAtMs: number
  refreshAtMs: number
  fetching: Promise<ShortLivedToken> | null
}

export interface TokenCache {
  get(key: string, fetch: () => Promise<ShortLivedToken>): Promise<string>
  /** Forgets a token that was refused. Returns whether another can be had now. */
  forget(key: string): boolean
}

/**
 * Caches tokens by key. Concurrent requests share one fetch. While a token is still valid, it is refreshed in the
 * background; a failed refresh is retried by a later call.
 */
export function createTokenCache(now: () => number): TokenCache {
  // Bounded: credentials of one provider; discarded with it.
  const entries = new Map<string, Entry>()

  function refresh(entry: Entry, fetch: () => Promise<ShortLivedToken>): Promise<ShortLivedToken> {
    entry.fetching ??= fetch()
      .then((token) => {
        entry.token = token
        entry.fetchedAtMs = now()
        const lifetimeMs = token.expiresAtMs - now()
        entry.refreshAtMs = token.expiresAtMs - Math.min(refreshBeforeMs, lifetimeMs / 2)
        return token
      })
      .catch((error) => {
        entry.refreshAtMs = now() + retryRefreshMs
        throw error
      })
      .finally(() => {
        entry.fetching = null
      })
    return entry.fetching
  }

  return {
    async get(key, fetch) {
      const entry = entries.get(key) ?? { token: null, fetchedAtMs: 0, refreshAtMs: 0, fetching: null }
      entries.set(key, entry)
      const { token } = entry
      if (token === null || token.expiresAtMs - now() < minRemainingMs)
        return (await refresh(entry, fetch)).value
      if (entry.refreshAtMs <= now()) refresh(entry, fetch).catch(() => undefined)
      return token.value
    },
    forget(key) {
      const entry = entries.get(key)
      // Without a token, another call has found it refused and fetches the next one.
      if (entry === undefined || entry.token === null) return entry !== undefined
      if (now() - entry.fetchedAtMs < minForgottenAgeMs) return false
      entry.token = null
      return true
    },
  }
}
