import { timingSafeEqual } from 'node:crypto'
import { type Changes, createTenantCache, type Db, startPeriodic } from '../../db/index.js'
import { type FindByKey, lowerRole, type Principal, type Role } from '../../http/index.js'
import type { Actor } from '../audit/index.js'
import { type Entitlements, toEntitlements } from './entitlements.js'
import { findIdentityByHash, findIdentityById, type IdentityRow, touchKeys } from './store.js'
import { couldBeKeyValue, hashKeyValue } from './value.js'

/** The principal and entitlements of keys, cached while this replica receives change notifications. */
export interface KeyIdentities {
  findByKey: FindByKey
  /** Returns the owner of a refused key value; null when it never was a key. */
  findRefused(value: string): Promise<Actor | null>
  /**
   * Returns the current principal of a key. Null when it was revoked or has expired in the meantime. This does not count
   * as a use of the key.
   */
  find(principal: Pick<Principal, 'tenantId' | 'keyId'>): Promise<Principal | null>
  /** Returns null when the key was revoked or has expired in the meantime. */
  entitlementsOf(principal: Pick<Principal, 'tenantId' | 'keyId'>): Promise<Entitlements | null>
  /** Clears the cache of a tenant, on the replica that made the change itself. */
  forget(tenantId: string): void
  close(): Promise<void>
}

interface Identity {
  tenantId: string
  principal: Principal
  entitlements: Entitlements
  expiresAtMs: number
}

const flushIntervalMs = 2_000

export function createKeyIdentities(options: {
  db: Db
  changes: Changes
  onError(error: unknown): void
}): KeyIdentities {
  const { db, changes, onError } = options
  const tables = ['keys', 'members', 'teams']
  const byHash = createTenantCache<Identity>(changes, tables)
  const byId = createTenantCache<Identity>(changes, tables)
  // Bounded: a time for each key of the database that was used since the last flush, every two seconds.
  let usedAt = new Map<string, Date>()

  async function loadByHash(hash: Buffer): Promise<Identity | null> {
    const row = await findIdentityByHash(db, hash)
    // The row is found by index. The comparison takes constant time, so that its timing reveals nothing about the
    // stored hash.
    return row && timingSafeEqual(row.hash, hash) ? toIdentity(row) : null
  }

  async function loadById(tenantId: string, keyId: string): Promise<Identity | null> {
    const row = await findIdentityById(db, tenantId, keyId)
    return row ? toIdentity(row) : null
  }

  async function flush(): Promise<void> {
    const batch = usedAt
    // Bounded: a time for each key of the database that was used since the last flush, every two seconds.
    usedAt = new Map()
    try {
      await touchKeys(db, batch)
    } catch (error) {
      // Bounded: a time for each key of the database that was used since the last flush, every two seconds.
      usedAt = new Map([...batch, ...usedAt])
      throw error
    }
  }
  const { resume, close } = startPeriodic({
    run: flush,
    everyMs: flushIntervalMs,
    isIdle: () => usedAt.size === 0,
    endsWithRun: true,
    onError,
  })

  async function findById({
    tenantId,
    keyId,
  }: Pick<Principal, 'tenantId' | 'keyId'>): Promise<Identity | null> {
    if (keyId === null) return null
    const found = await byId.get(keyId, () => loadById(tenantId, keyId))
    return found !== null && found.expiresAtMs > Date.now() ? found : null
  }

  return {
    async findByKey(value) {
      if (!couldBeKeyValue(value)) return null
      const hash = hashKeyValue(value)
      const found = await byHash.get(hash.toString('base64'), () => loadByHash(hash))
      const now = Date.now()
      if (found === null || found.expiresAtMs <= now) return null
      usedAt.set(found.entitlements.key.id, new Date(now))
      resume()
      return found.principal
    },
    async findRefused(value) {
      const row = couldBeKeyValue(value) ? await findIdentityByHash(db, hashKeyValue(value)) : undefined
      return row ? { tenantId: row.tenant_id, keyId: row.id, userId: row.user_id, sessionId: null } : null
    },
    find: async (principal) => (await findById(principal))?.principal ?? null,
    entitlementsOf: async (principal) => (await findById(principal))?.entitlements ?? null,
    forget(tenantId) {
      byHash.forget(tenantId)
      byId.forget(tenantId)
    },
    close,
  }
}

/** Returns what a key may use, even if it is revoked or expired: for evaluating a policy without a call. */
export async function findEntitlements(
  db: Db,
  tenantId: string,
  keyId: string,
): Promise<Entitlements | null> {
  const row = await findIdentityById(db, tenantId, keyId)
  return row ? toEntitlements(row, roleInEffect(row)) : null
}

/** Returns null for a revoked key. */
function toIdentity(row: IdentityRow): Identity | null {
  if (row.revoked_at) return null
  const role = roleInEffect(row)
  return {
    tenantId: row.tenant_id,
    principal: {
      tenantId: row.tenant_id,
      role,
      userId: row.user_id,
      keyId: row.id,
      sessionId: null,
      suspended: row.owner_status === 'suspended',
    },
    entitlements: toEntitlements(row, role),
    expiresAtMs: row.expires_at?.getTime() ?? Number.POSITIVE_INFINITY,
  }
}

/** A key with an owner has the rights of a role only while its owner has them. */
const roleInEffect = ({ role, user_id, owner_role }: IdentityRow): Role =>
  user_id === null ? role : lowerRole(role, owner_role ?? 'member')
