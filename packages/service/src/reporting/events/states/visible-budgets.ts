import type { Changes, Db } from '../../../db/index.js'
import type { Owner } from '../../../http/index.js'
import { listBudgets } from '../../../resources/budgets/index.js'
import { maxBudgets } from './budget-states.js'

/**
 * The budgets that a member sees: by the rule of `GET /v1/budgets`, read again after any change that may affect it.
 */
export interface VisibleBudgets {
  isVisible(
    tenantId: string,
    owner: Owner | null,
  ): Promise<(budget: { id: string; deleted: boolean }) => boolean>
  /** Called when a tenant has no more streams. */
  forget(tenantId: string): void
}

interface Known {
  ids: Set<string>
  /** Includes budgets that are gone, so that their removal is sent. */
  ever: Set<string>
  asOf: number
}

const tables = new Set(['budgets', 'keys', 'members', 'teams'])

export function createVisibleBudgets({ db, changes }: { db: Db; changes: Changes }): VisibleBudgets {
  // Bounded: tenants with open streams; removed with the last stream.
  const byTenant = new Map<string, { changed: number; byOwner: Map<string, Known> }>()
  changes.subscribe({
    onChange({ table, tenantId }) {
      const known = byTenant.get(tenantId)
      if (known !== undefined && tables.has(table)) known.changed += 1
    },
    onGap() {
      for (const known of byTenant.values()) known.changed += 1
    },
  })

  async function read(tenantId: string, owner: Owner): Promise<Known> {
    const tenant = byTenant.get(tenantId) ?? { changed: 0, byOwner: new Map() }
    byTenant.set(tenantId, tenant)
    const name = JSON.stringify(owner)
    const known = tenant.byOwner.get(name)
    if (known !== undefined && known.asOf === tenant.changed && changes.connected()) return known
    const asOf = tenant.changed
    const rows = await listBudgets(db, tenantId, { own: owner, after: null, limit: maxBudgets })
    const ids = new Set(rows.map(({ id }) => id))
    const fresh = { ids, ever: new Set([...(known?.ever ?? []), ...ids]), asOf }
    tenant.byOwner.set(name, fresh)
    return fresh
  }

  return {
    async isVisible(tenantId, owner) {
      if (owner === null) return () => true
      const { ids, ever } = await read(tenantId, owner)
      return ({ id, deleted }) => (deleted ? ever : ids).has(id)
    },
    forget: (tenantId) => void byTenant.delete(tenantId),
  }
}
