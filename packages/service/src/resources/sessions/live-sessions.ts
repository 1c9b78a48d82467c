import { timingSafeEqual } from 'node:crypto'
import { type Changes, createTenantCache, type Db, startPeriodic } from '../../db/index.js'
import type { FindBySession, Principal } from '../../http/index.js'
import type { Entitlements } from '../keys/index.js'
import {
  findSessionByHash,
  findSessionById,
  maxAgeMs,
  maxIdleMs,
  noteSeen,
  type SessionState,
} from './store.js'
import { couldBeSessionValue, hashSessionValue } from './value.js'

/** Open sessions, cached while this replica receives change notifications. */
export interface LiveSessions {
  findByValue: FindBySession
  /**
   * Returns the current principal of a session; null when it has ended. This does not count as a use of the
   * session.
   */
  find(session: { tenantId: string; sessionId: string }): Promise<Principal | null>
  /** Clears the cache of a tenant, on the replica that made the change itself. */
  forget(tenantId: string): void
  close(): Promise<void>
}

// A session is written at most this often, however much it is used.
const flushIntervalMs = 60_000

interface CachedSession {
  tenantId: string
  state: SessionState
}

export function createLiveSessions(options: {
  db: Db
  changes: Changes
  entitlementsOf(principal: Pick<Principal, 'tenantId' | 'keyId'>): Promise<Entitlements | null>
  onError(error: unknown): void
}): LiveSessions {
  const { db, changes, entitlementsOf, onError } = options
  const tables = ['sessions', 'members']
  const byHash = createTenantCache<CachedSession>(changes, tables)
  const byId = createTenantCache<CachedSession>(changes, tables)
  // Bounded: a time for each session of the database that was used since the last flush, every minute.
  let seenAt = new Map<string, number>()

  async function loadByHash(hash: Buffer): Promise<CachedSession | null> {
    const state = await findSessionByHash(db, hash)
    // The row is found by index. The comparison takes constant time, so that its timing reveals nothing about the
    // stored hash.
    return state && timingSafeEqual(state.hash, hash) ? { tenantId: state.tenant_id, state } : null
  }

  async function loadById(tenantId: string, id: string): Promise<CachedSession | null> {
    const state = await findSessionById(db, tenantId, id)
    return state ? { tenantId, state } : null
  }

  async function flush(): Promise<void> {
    if (seenAt.size === 0) return
    const batch = seenAt
    // Bounded: a time for each session of the database that was used since the last flush, every minute.
    seenAt = new Map()
    try {
      await noteSeen(db, batch)
    } catch (error) {
      // Bounded: a time for each session of the database that was used since the last flush, every minute.
      seenAt = new Map([...batch, ...seenAt])
      throw error
    }
  }
  const { close } = startPeriodic({ run: flush, everyMs: flushIntervalMs, endsWithRun: true, onError })

  const isIdle = ({ id, last_seen_at }: SessionState, now: number) =>
    Math.max(last_seen_at.getTime(), seenAt.get(id) ?? 0) + maxIdleMs <= now

  /** The cache does not know of uses on other replicas: before a session counts as idle, its row is read again. */
  async function findAlive(
    found: CachedSession | null,
    load: () => Promise<CachedSession | null>,
  ): Promise<SessionState | null> {
    const now = Date.now()
    const current = found !== null && isIdle(found.state, now) ? await load() : found
    if (current === null || current.state.ended_at !== null || isIdle(current.state, now)) return null
    return current.state.created_at.getTime() + maxAgeMs > now ? current.state : null
  }

  async function toPrincipal(state: SessionState): Promise<Principal | null> {
    const { id: sessionId, tenant_id: tenantId, key_id: keyId, user_id: userId } = state
    const isUserActive = state.status === 'active' && state.removed_at === null
    if (userId !== null && !isUserActive) return null
    if (keyId === null)
      return state.role && { tenantId, role: state.role, userId, keyId, sessionId, suspended: false }
    const entitlements = await entitlementsOf({ tenantId, keyId })
    if (entitlements === null || (entitlements.user?.id ?? null) !== userId) return null
    return { tenantId, role: entitlements.key.role, userId, keyId, sessionId, suspended: false }
  }

  return {
    async findByValue(value) {
      if (!couldBeSessionValue(value)) return null
      const hash = hashSessionValue(value)
      const load = () => loadByHash(hash)
      const state = await findAlive(await byHash.get(hash.toString('base64'), load), load)
      const principal = state && (await toPrincipal(state))
      if (principal) seenAt.set(state.id, Date.now())
      return principal
    },
    async find({ tenantId, sessionId }) {
      const load = () => loadById(tenantId, sessionId)
      const state = await findAlive(await byId.get(sessionId, load), load)
      return state && (await toPrincipal(state))
    },
    forget(tenantId) {
      byHash.forget(tenantId)
      byId.forget(tenantId)
    },
    close,
  }
}
