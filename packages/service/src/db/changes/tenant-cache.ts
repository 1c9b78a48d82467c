import { BoundedMap } from '../../shared/bounded-map.js'
import type { Changes } from './changes.js'

/**
 * A cache of rows, invalidated when any replica changes them. While notifications about changes cannot be received, every
 * look-up reads the database.
 */
export interface TenantCache<Value extends { tenantId: string }> {
  get(name: string, load: () => Promise<Value | null>): Promise<Value | null>
  /** Removes a tenant's values at once, without waiting for the notification. For the replica that made the change. */
  forget(tenantId: string): void
  /** Removes all values at once. For a change that is not in the database. */
  clear(): void
}

// Far more keys than one replica serves within minutes. A value that is dropped is read again.
const maxEntries = 50_000

export function createTenantCache<Value extends { tenantId: string }>(
  changes: Changes,
  tables: readonly string[],
): TenantCache<Value> {
  const values = new BoundedMap<string, Value>(maxEntries, (name, { tenantId }) => {
    const names = namesByTenant.get(tenantId)
    names?.delete(name)
    if (names?.size === 0) namesByTenant.delete(tenantId)
  })
  // Bounded: one name for each cached value, of which there are at most 50,000.
  const namesByTenant = new Map<string, Set<string>>()
  let generation = 0

  function forget(tenantId: string): void {
    generation++
    for (const name of namesByTenant.get(tenantId) ?? []) values.delete(name)
    namesByTenant.delete(tenantId)
  }

  function clear(): void {
    generation++
    values.clear()
    namesByTenant.clear()
  }

  changes.subscribe({
    onChange: ({ table, tenantId }) => {
      if (tables.includes(table)) forget(tenantId)
    },
    onGap: clear,
  })

  return {
    forget,
    clear,
    async get(name, load) {
      const cached = changes.connected() ? values.get(name) : undefined
      if (cached !== undefined) return cached
      const generationBefore = generation
      const loaded = await load()
      // A change that was notified while the row was being read may be newer than the row.
      if (loaded !== null && generation === generationBefore && changes.connected()) {
        values.set(name, loaded)
        const names = namesByTenant.get(loaded.tenantId) ?? new Set()
        namesByTenant.set(loaded.tenantId, names.add(name))
      }
      return loaded
    },
  }
}
