import { startPeriodic } from '../db/index.js'
import { type ApiError, unauthorized } from '../errors.js'
import { type Principal, userSuspended } from '../http/index.js'
import type { Entitlements } from '../modules/keys/index.js'

/** Ends what callers have under way when they may no longer call. */
export interface Revocations {
  /** `end` is called once, when the key was revoked or has expired, or its user is suspended. Returns how to stop that. */
  watch(caller: Entitlements, end: (why: ApiError) => void): () => void
  close(): Promise<void>
}

interface Watched {
  tenantId: string
  keyId: string
  endings: Set<(why: ApiError) => void>
}

// What a key may use is cached until it changes: to look again costs little.
const everyMs = 300

export function createRevocations(options: {
  entitlementsOf(principal: Pick<Principal, 'tenantId' | 'keyId'>): Promise<Entitlements | null>
  onError(error: unknown): void
}): Revocations {
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
      // A database that is away tells nothing: whoever was let in stays.
      return null
    }
  }

  const { close } = startPeriodic({ run: check, everyMs, onError: options.onError })

  return {
    watch({ tenantId, key }, end) {
      const watched = byKey.get(key.id) ?? { tenantId, keyId: key.id, endings: new Set() }
      byKey.set(key.id, watched)
      watched.endings.add(end)
      return () => {
        watched.endings.delete(end)
        if (watched.endings.size === 0 && byKey.get(key.id) === watched) byKey.delete(key.id)
      }
    },
    close,
  }
}
