import { timingSafeEqual } from 'node:crypto'
import { type Changes, createTenantCache, type Db } from '../../db/index.js'
import type { Authenticate, Caller } from '../../http/index.js'
import { type CallerRow, findCallerByHash, findCallerById, touchKeys } from './store.js'
import { couldBeKeyValue, hashKeyValue } from './value.js'

interface CachedCaller {
  tenantId: string
  caller: Caller
  expiresAtMs: number
}

/** Who a key's value belongs to, answered from memory while this replica hears of every change. */
export interface Callers {
  authenticate: Authenticate
  /** Forgets a tenant's callers at once, for the replica that made the change itself. */
  forget(tenantId: string): void
  close(): Promise<void>
}

const flushEveryMs = 2_000

export function createCallers(options: { db: Db; changes: Changes; onError(error: unknown): void }): Callers {
  const { db, changes, onError } = options
  const cache = createTenantCache<CachedCaller>(changes, ['keys', 'members', 'teams'])
  let usedAt = new Map<string, Date>()

  async function load(hash: Buffer): Promise<CachedCaller | null> {
    const row = await findCallerByHash(db, hash)
    // The look-up goes by index; whoever could time it still learns nothing about the stored hash.
    if (!row || row.revoked_at || !timingSafeEqual(row.hash, hash)) return null
    return {
      tenantId: row.tenant_id,
      expiresAtMs: row.expires_at?.getTime() ?? Number.POSITIVE_INFINITY,
      caller: toCaller(row),
    }
  }

  async function flush(): Promise<void> {
    if (usedAt.size === 0) return
    const batch = usedAt
    usedAt = new Map()
    try {
      await touchKeys(db, batch)
    } catch (error) {
      usedAt = new Map([...batch, ...usedAt])
      throw error
    }
  }
  const timer = setInterval(() => flush().catch(onError), flushEveryMs).unref()

  return {
    async authenticate(value) {
      if (!couldBeKeyValue(value)) return null
      const hash = hashKeyValue(value)
      const found = await cache.get(hash.toString('base64'), () => load(hash))
      const now = Date.now()
      if (found === null || found.expiresAtMs <= now) return null
      usedAt.set(found.caller.keyId, new Date(now))
      return found.caller
    },
    forget: cache.forget,
    async close() {
      clearInterval(timer)
      await flush().catch(onError)
    },
  }
}

/** Whom a key stands for, by its id: for questions about a key that nobody is calling with. */
export async function findCaller(db: Db, tenantId: string, keyId: string): Promise<Caller | null> {
  const row = await findCallerById(db, tenantId, keyId)
  return row ? toCaller(row) : null
}

function toCaller(row: CallerRow): Caller {
  const ownerAllows = row.user_id === null || row.owner_role === 'manager'
  return {
    tenantId: row.tenant_id,
    keyId: row.id,
    keyName: row.name,
    keyMetadata: row.metadata,
    role: row.role === 'manager' && ownerAllows ? 'manager' : 'member',
    userId: row.user_id,
    userName: row.owner_name,
    userEmail: row.owner_email,
    userRole: row.owner_role,
    userStatus: row.owner_status,
    userAllowedModels: row.owner_allowed_models,
    userCapMicros: row.budget_cap_micros,
    teamId: row.team_id,
    teamName: row.team_name,
    teamPoolMicros: row.budget_pool_micros,
    rpmLimit: row.rpm_limit,
    tpmLimit: row.tpm_limit,
    allowedModels: row.allowed_models,
  }
}
