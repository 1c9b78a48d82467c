import { type Changes, createTenantCache, type Db } from '../../db/index.js'
import type { Caller } from '../../http/index.js'
import { periodAt } from './period.js'
import type { SpendQuery } from './spend.js'
import { type BudgetRow, type Grant, listBlockingBudgets, readGrants } from './store.js'

interface TenantBudgets {
  tenantId: string
  budgets: BudgetRow[]
  grants: Grant[]
}

/** How much a scope may spend in a period. */
export interface SpendLimit extends SpendQuery {
  limitMicros: number
}

/** Which limits a caller's call must fit into: hard budgets of its four scopes, its team's pool, its user's cap. */
export interface SpendLimits {
  limitsFor(caller: Caller, now: Date): Promise<SpendLimit[]>
  forget(tenantId: string): void
}

export function createSpendLimits({ db, changes }: { db: Db; changes: Changes }): SpendLimits {
  const cache = createTenantCache<TenantBudgets>(changes, ['budgets', 'budget_requests'])

  async function load(tenantId: string): Promise<TenantBudgets> {
    const budgets = await listBlockingBudgets(db, tenantId)
    return {
      tenantId,
      budgets,
      grants: await readGrants(
        db,
        tenantId,
        budgets.map((budget) => budget.id),
      ),
    }
  }

  return {
    forget: cache.forget,
    async limitsFor(caller, now) {
      const known = await cache.get(caller.tenantId, () => load(caller.tenantId))
      const limits = (known?.budgets ?? [])
        .filter((budget) => concerns(budget, caller))
        .map((budget) => {
          const period = periodAt(budget.period, now)
          const granted = known?.grants.find(
            (grant) =>
              grant.budget_id === budget.id && grant.granted_period.getTime() === period.start.getTime(),
          )
          return {
            scopeType: budget.scope_type,
            scopeId: budget.scope_id,
            ...period,
            limitMicros: budget.amount_micros + (granted?.granted_micros ?? 0),
          }
        })
      return [...limits, ...monthlyLimits(caller, now)]
    },
  }
}

function concerns({ scope_type, scope_id }: BudgetRow, caller: Caller): boolean {
  switch (scope_type) {
    case 'tenant':
      return true
    case 'team':
      return scope_id === caller.teamId
    case 'user':
      return scope_id === caller.userId
    case 'key':
      return scope_id === caller.keyId
  }
}

/** A team's pool and a user's cap hold for a calendar month. */
function monthlyLimits(caller: Caller, now: Date): SpendLimit[] {
  const month = periodAt('monthly', now)
  const limits: SpendLimit[] = []
  if (caller.teamId !== null && caller.teamPoolMicros !== null) {
    limits.push({ scopeType: 'team', scopeId: caller.teamId, ...month, limitMicros: caller.teamPoolMicros })
  }
  if (caller.userId !== null && caller.userCapMicros !== null) {
    limits.push({ scopeType: 'user', scopeId: caller.userId, ...month, limitMicros: caller.userCapMicros })
  }
  return limits
}
