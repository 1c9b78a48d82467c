import { BoundedMap } from '../../shared/bounded-map.js'
import type { Changes } from './changes.js'

/**
 * Rows kept in memory until another replica, or this one, changes them. While changes cannot be heard, nothing kept
 * is trusted and every look-up goes to the database.
 */
export interface TenantCache<Value extends { tenantId: string }> {
  get(name: string, load: () => Promise<Value | null>): Promise<Value | null>
  /** Forgets a tenant's values at once, for the replica that made the change itself. */
  forget(tenantId: string): void
}

// Far more keys than one replica serves within minutes. What is dropped is read again.
const maxKept = 50_000

export function createTenantCache<Value extends { tenantId: string }>(
  changes: Changes,
  tables: readonly string[],
): TenantCache<Value> {
  const kept = new BoundedMap<string, Value>(maxKept, (name, { tenantId }) => {
    const names = namesByTenant.get(tenantId)
    names?.delete(name)
    if (names?.size === 0) namesByTenant.delete(tenantId)
  })
  // Bounded: the names of what is kept, which is bounded (50,000).
  const namesByTenant = new Map<string, Set<string>>()
  let generation = 0

  function forget(tenantId: string): void {
    generation++
    for (const name of namesByTenant.get(tenantId) ?? []) kept.delete(name)
    namesByTenant.delete(tenantId)
  }

  changes.subscribe({
    onChange: ({ table, tenantId }) => {
      if (tables.includes(table)) forget(tenantId)
    },
    onGap: () => {
      generation++
      kept.clear()
      namesByTenant.clear()
    },
  })

  return {
    forget,
    async get(name, load) {
      const found = changes.connected() ? kept.get(name) : undefined
      if (found !== undefined) return found
      const asOf = generation
      const loaded = await load()
      // A change heard of while the row was being read may be newer than the row.
      if (loaded !== null && asOf === generation && changes.connected()) {
        kept.set(name, loaded)
        const names = namesByTenant.get(loaded.tenantId) ?? new Set()
        namesByTenant.set(loaded.tenantId, names.add(name))
      }
      return loaded
    },
  }
}
