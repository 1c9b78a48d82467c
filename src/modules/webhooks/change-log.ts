/** Whose endpoints have changed since a moment, as far as is known here. */
export interface ChangeLog {
  now(): number
  /** Of one tenant, or perhaps of any. */
  note(tenantId?: string): void
  since(moment: number, tenantId: string): boolean
}

const mostRemembered = 1_000

export function createChangeLog(): ChangeLog {
  const byTenant = new Map<string, number>()
  let ofAll = 0
  let moment = 0
  return {
    now: () => moment,
    note(tenantId) {
      moment++
      if (tenantId !== undefined) byTenant.set(tenantId, moment)
      if (tenantId !== undefined && byTenant.size <= mostRemembered) return
      ofAll = moment
      byTenant.clear()
    },
    since: (asOf, tenantId) => Math.max(ofAll, byTenant.get(tenantId) ?? 0) > asOf,
  }
}
