import { type Changes, createTenantCache, type Db } from '../../db/index.js'
import { versionedName } from './pack-file.js'
import { listActivePacks } from './store.js'

export interface PacksInForce {
  /** Returns `framework@version` of each active pack, as receipts list them. */
  current(tenantId: string): Promise<readonly string[]>
  /** Clears the cache, on the replica that made the change itself. */
  forget(tenantId: string): void
}

export function createPacksInForce({ db, changes }: { db: Db; changes: Changes }): PacksInForce {
  const cache = createTenantCache<{ tenantId: string; names: readonly string[] }>(changes, ['tenant_packs'])

  async function load(tenantId: string) {
    return { tenantId, names: (await listActivePacks(db, tenantId)).map(versionedName) }
  }

  return {
    forget: cache.forget,
    current: async (tenantId) =>
      ((await cache.get(tenantId, () => load(tenantId))) ?? (await load(tenantId))).names,
  }
}
