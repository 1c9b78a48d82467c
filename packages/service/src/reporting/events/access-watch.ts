import { type PeriodicUnlessIdle, startPeriodic } from '../../db/index.js'
import { ownerFilter, type Principal } from '../../http/index.js'
import type { EventStream } from './event-stream.js'
import type { StreamEnd } from './schema.js'

/**
 * Principals are cached until they change, so checking again costs little, and nothing while there are no streams.
 */
const everyMs = 300

/** Returns the current principal; null when its key or its session has ended. */
export type PrincipalNow = (principal: Principal) => Promise<Principal | null>

/** Ends the streams of principals that may no longer see what they show. `resume` must be called when a stream was added. */
export function startAccessWatch(options: {
  streams: ReadonlySet<EventStream>
  principalNow: PrincipalNow
  onError(error: unknown): void
}): PeriodicUnlessIdle {
  const { streams, principalNow, onError } = options

  async function check(): Promise<void> {
    const byCredential = new Map<string | null, EventStream[]>()
    for (const stream of streams) {
      const { sessionId, keyId } = stream.principal
      const credential = sessionId ?? keyId
      byCredential.set(credential, [...(byCredential.get(credential) ?? []), stream])
    }
    for (const [first, ...others] of byCredential.values()) {
      if (first === undefined) continue
      const now = await reload(first.principal)
      if (now === 'unknown') continue
      for (const stream of [first, ...others]) {
        const why = whyEnded(stream.principal, now)
        if (why !== null) stream.end(why)
      }
    }
  }

  /** An unavailable database proves nothing: the stream stays open, and receives nothing in the meantime. */
  async function reload(principal: Principal): Promise<Principal | null | 'unknown'> {
    return await principalNow(principal).catch(() => 'unknown' as const)
  }

  return startPeriodic({ run: check, everyMs, isIdle: () => streams.size === 0, onError })
}

/** A principal that may now see more is also disconnected: its next connection shows it. */
function whyEnded(before: Principal, now: Principal | null): StreamEnd | null {
  if (now === null)
    return {
      event: 'error',
      reason: 'unauthorized',
      message:
        before.sessionId === null
          ? 'The key was revoked or has expired'
          : 'The session has ended: sign in again',
      reconnect: false,
    }
  if (now.suspended)
    return {
      event: 'error',
      reason: 'user_suspended',
      message: "The key's owner is suspended",
      reconnect: false,
    }
  const isSame =
    now.role === before.role && JSON.stringify(ownerFilter(now)) === JSON.stringify(ownerFilter(before))
  if (isSame) return null
  return {
    event: 'error',
    reason: 'access_changed',
    message: `What this ${before.sessionId === null ? 'key' : 'session'} may see has changed: connect again`,
    reconnect: true,
  }
}
