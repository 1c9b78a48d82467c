import { type Changes, createTenantCache, type Db } from '../../db/index.js'
import { listEnabledRoutes, type RouteRow } from './store.js'

/** A route, as the gateway uses it. */
export interface RouteRecord {
  id: string
  tenantId: string
  name: string
  strategy: RouteRow['strategy']
  targets: readonly RouteRow['targets'][number][]
  retry: RouteRow['retry']
  /** The timeout of all attempts together. */
  timeoutMs: number | null
  stickyBy: RouteRow['sticky_by']
  cache: RouteRow['cache']
}

/** The routes that are enabled. */
export interface Routes {
  find(tenantId: string, name: string): Promise<RouteRecord | null>
  list(tenantId: string): Promise<readonly RouteRecord[]>
  /** Clears a tenant's routes from the cache at once, on the replica that made the change. */
  forget(tenantId: string): void
}

interface RouteTable {
  tenantId: string
  byName: ReadonlyMap<string, RouteRecord>
}

export function createRoutes({ db, changes }: { db: Db; changes: Changes }): Routes {
  const cache = createTenantCache<RouteTable>(changes, ['routes'])

  async function load(tenantId: string): Promise<RouteTable> {
    const records = (await listEnabledRoutes(db, tenantId)).map(toRecord)
    return { tenantId, byName: new Map(records.map((record) => [record.name, record])) }
  }
  const tableOf = async (tenantId: string) =>
    (await cache.get(tenantId, () => load(tenantId))) ?? (await load(tenantId))

  return {
    forget: cache.forget,
    find: async (tenantId, name) => (await tableOf(tenantId)).byName.get(name) ?? null,
    list: async (tenantId) => [...(await tableOf(tenantId)).byName.values()],
  }
}

const toRecord = (row: RouteRow): RouteRecord => ({
  id: row.id,
  tenantId: row.tenant_id,
  name: row.name,
  strategy: row.strategy,
  targets: row.targets,
  retry: row.retry,
  timeoutMs: row.timeout_ms,
  stickyBy: row.sticky_by,
  cache: row.cache,
})
