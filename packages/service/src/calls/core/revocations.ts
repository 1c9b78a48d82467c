import { startPeriodic } from '../../db/index.js'
import { type Principal, userSuspended } from '../../http/index.js'
import type { Entitlements } from '../../resources/keys/index.js'
import { type ApiError, unauthorized } from '../../shared/errors.js'

/** Ends open calls of callers that lose their access. */
export interface Revocations {
  /** Calls `end` once when the key is revoked or expires, or its user is suspended. Returns a function that stops watching. */
  watch(caller: Entitlements, end: (why: ApiError) => void): () => void
  close(): Promise<void>
}

interface Watched {
  tenantId: string
  keyId: string
  endings: Set<(why: ApiError) => void>
}

// Entitlements are cached until they change, so checking this often is cheap.
const checkEveryMs = 300

export function createRevocations(options: {
  entitlementsOf(principal: Pick<Principal, 'tenantId' | 'keyId'>): Promise<Entitlements | null>
  onError(error: unknown): void
}): Revocations {
  // Bounded: keys with open calls.
  const byKey = new Map<string, Watched>()

  async function check(): Promise<void> {
    for (const watched of [...byKey.values()]) {
      const why = await whyEnded(watched)
      if (why !== null) for (const end of [...watched.endings]) end(why)
    }
  }

  async function whyEnded(watched: Watched): Promise<ApiError | null> {
    try {
      const now = await options.entitlementsOf(watched)
      if (now === null) return unauthorized()
      return now.user?.suspended === true ? userSuspended() : null
    } catch {
      // Open calls continue while the database is unavailable.
      return null
    }
  }

  const { resume, close } = startPeriodic({
    run: check,
    everyMs: checkEveryMs,
    isIdle: () => byKey.size === 0,
    onError: options.onError,
  })

  return {
    watch({ tenantId, key }, end) {
      const watched = byKey.get(key.id) ?? { tenantId, keyId: key.id, endings: new Set() }
      byKey.set(key.id, watched)
      watched.endings.add(end)
      resume()
      return () => {
        watched.endings.delete(end)
        if (watched.endings.size === 0 && byKey.get(key.id) === watched) byKey.delete(key.id)
      }
    },
    close,
  }
}
