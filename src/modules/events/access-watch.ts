import { startPeriodic } from '../../db/index.js'
import { ownerFilter, type Principal } from '../../http/index.js'
import type { Entitlements } from '../keys/index.js'
import type { EventStream } from './event-stream.js'
import type { Farewell } from './schema.js'

/** What a key may use is cached until it changes: to look again costs little, and nothing while nobody listens. */
const everyMs = 300

export type EntitlementsOf = (
  principal: Pick<Principal, 'tenantId' | 'keyId'>,
) => Promise<Entitlements | null>

/** Ends the streams of those who may no longer see what they show. */
export function startAccessWatch(options: {
  streams: ReadonlySet<EventStream>
  entitlementsOf: EntitlementsOf
  onError(error: unknown): void
}): { close(): Promise<void> } {
  const { streams, entitlementsOf, onError } = options

  async function check(): Promise<void> {
    const byKey = new Map<string | null, EventStream[]>()
    for (const stream of streams) {
      const { keyId } = stream.principal
      byKey.set(keyId, [...(byKey.get(keyId) ?? []), stream])
    }
    for (const [first, ...others] of byKey.values()) {
      if (first === undefined) continue
      const now = await look(first.principal)
      if (now === 'unknown') continue
      for (const stream of [first, ...others]) {
        const why = whyEnded(stream.principal, now)
        if (why !== null) stream.end(why)
      }
    }
  }

  /** A database that is away tells nothing: who was let in stays, and is shown nothing meanwhile. */
  async function look(principal: Principal): Promise<Entitlements | null | 'unknown'> {
    return await entitlementsOf(principal).catch(() => 'unknown' as const)
  }

  return startPeriodic({ run: check, everyMs, onError })
}

/** Whoever may see more now is sent away too: the next connection shows it. */
export function whyEnded(then: Principal, now: Entitlements | null): Farewell | null {
  if (now === null)
    return {
      event: 'error',
      reason: 'unauthorized',
      message: 'The key was revoked or has expired',
      reconnect: false,
    }
  if (now.user?.suspended === true)
    return {
      event: 'error',
      reason: 'user_suspended',
      message: "The key's owner is suspended",
      reconnect: false,
    }
  const { key, user } = now
  const isSame =
    key.role === then.role &&
    JSON.stringify(ownerFilter({ ...then, userId: user?.id ?? null })) === JSON.stringify(ownerFilter(then))
  if (isSame) return null
  return {
    event: 'error',
    reason: 'access_changed',
    message: 'What this key may see has changed: connect again',
    reconnect: true,
  }
}
