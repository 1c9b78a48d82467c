import { timingSafeEqual } from 'node:crypto'
import type { Changes, Db } from '../../db/index.js'
import type { Authenticate, Caller } from '../../http/index.js'
import { findCallerByHash, touchKeys } from './store.js'
import { couldBeKeyValue, hashKeyValue } from './value.js'

interface CachedCaller {
  caller: Caller
  hash: Buffer
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
  const cache = new Map<string, CachedCaller>()
  let generation = 0
  let usedAt = new Map<string, Date>()

  function forget(tenantId: string): void {
    generation++
    for (const [hash, cached] of cache) if (cached.caller.tenantId === tenantId) cache.delete(hash)
  }

  changes.subscribe({
    onChange: ({ table, tenantId }) => {
      if (table === 'keys' || table === 'members') forget(tenantId)
    },
    onGap: () => {
      generation++
      cache.clear()
    },
  })

  async function load(hash: Buffer): Promise<CachedCaller | null> {
    const row = await findCallerByHash(db, hash)
    // The look-up goes by index; whoever could time it still learns nothing about the stored hash.
    if (!row || row.revoked_at || !timingSafeEqual(row.hash, hash)) return null
    const ownerAllows = row.user_id === null || row.owner_role === 'manager'
    return {
      hash: row.hash,
      expiresAtMs: row.expires_at?.getTime() ?? Number.POSITIVE_INFINITY,
      caller: {
        tenantId: row.tenant_id,
        keyId: row.id,
        role: row.role === 'manager' && ownerAllows ? 'manager' : 'member',
        userId: row.user_id,
        userStatus: row.owner_status,
        teamId: row.team_id,
        rpmLimit: row.rpm_limit,
        tpmLimit: row.tpm_limit,
        allowedModels: row.allowed_models,
      },
    }
  }

  async function find(hash: Buffer): Promise<CachedCaller | null> {
    const name = hash.toString('base64')
    if (changes.connected()) {
      const cached = cache.get(name)
      if (cached && timingSafeEqual(cached.hash, hash)) return cached
    }
    const asOf = generation
    const loaded = await load(hash)
    // A change heard of while the row was being read may be newer than the row.
    if (loaded && asOf === generation && changes.connected()) cache.set(name, loaded)
    return loaded
  }

  async function flush(): Promise<void> {
    if (usedAt.size === 0) return
    const batch = usedAt
    usedAt = new Map()
    await touchKeys(db, batch)
  }
  const timer = setInterval(() => flush().catch(onError), flushEveryMs).unref()

  return {
    async authenticate(value) {
      if (!couldBeKeyValue(value)) return null
      const found = await find(hashKeyValue(value))
      const now = Date.now()
      if (found === null || found.expiresAtMs <= now) return null
      usedAt.set(found.caller.keyId, new Date(now))
      return found.caller
    },
    forget,
    async close() {
      clearInterval(timer)
      await flush().catch(onError)
    },
  }
}
