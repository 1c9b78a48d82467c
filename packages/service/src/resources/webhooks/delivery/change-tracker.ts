/** Tracks whether a tenant's endpoints have changed since a version was read. */
export interface ChangeTracker {
  version(): number
  /** Without a tenant, any may have changed. */
  markChanged(tenantId?: string): void
  changedSince(version: number, tenantId: string): boolean
}

const maxTenants = 1_000

export function createChangeTracker(): ChangeTracker {
  // Bounded: 1,000 tenants; beyond that, all count as changed.
  const changedAt = new Map<string, number>()
  let allChangedAt = 0
  let version = 0
  return {
    version: () => version,
    markChanged(tenantId) {
      version++
      if (tenantId !== undefined) changedAt.set(tenantId, version)
      if (tenantId !== undefined && changedAt.size <= maxTenants) return
      // Bounds the map: from here on, every tenant counts as changed now.
      allChangedAt = version
      changedAt.clear()
    },
    changedSince: (asOf, tenantId) => Math.max(allChangedAt, changedAt.get(tenantId) ?? 0) > asOf,
  }
}
