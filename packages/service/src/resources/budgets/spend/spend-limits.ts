import { type Changes, createTenantCache, type Db } from '../../../db/index.js'
import { readLimitsVersion } from '../../../record/index.js'
import type { SpendAccount } from '../../../shared/spend-account.js'
import { readTagScope, type Tags } from '../../../shared/tags.js'
import { type BudgetRow, type Grant, listBlockingBudgets, readGrants } from '../store.js'
import { periodAt } from './period.js'

interface TenantBudgets {
  tenantId: string
  version: number
  budgets: BudgetRow[]
  grants: Grant[]
}

export interface SpendLimit {
  account: SpendAccount
  limitNanos: number
  /** A budget, the pool of a team or the cap of a user. Only a budget has an id. */
  source: { id: string | null; name: string }
}

/** The scopes whose spend a call adds to. */
export interface Spender {
  tenantId: string
  key: { id: string }
  user: { id: string; capNanos: number | null } | null
  team: { id: string; name: string | null; poolNanos: number | null } | null
}

/** The labels that a caller sets on a call. */
export interface LabelledCall {
  session: string | null
  tags: Tags
}

export interface AppliedLimits {
  limits: SpendLimit[]
  /**
   * How often the tenant's limits had been changed when they were read. A call can be opened only with the newest
   * version.
   */
  version: number
}

/** The limits that apply to a call: blocking budgets of its scopes, its team's pool, its user's cap. */
export interface SpendLimits {
  limitsFor(spender: Spender, filing: LabelledCall, now: Date): Promise<AppliedLimits>
  forget(tenantId: string): void
}

export function createSpendLimits({ db, changes }: { db: Db; changes: Changes }): SpendLimits {
  const cache = createTenantCache<TenantBudgets>(changes, ['budgets', 'budget_requests'])

  async function load(tenantId: string): Promise<TenantBudgets> {
    // The version is read first: a later change makes the call read again.
    const version = await readLimitsVersion(db, tenantId)
    const budgets = await listBlockingBudgets(db, tenantId)
    return {
      tenantId,
      version,
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
    async limitsFor(spender, filing, now) {
      const { tenantId } = spender
      const cached = await cache.get(tenantId, () => load(tenantId))
      const limits = (cached?.budgets ?? []).flatMap((budget) => {
        const scopeId = scopeLimitedBy(budget, spender, filing)
        if (scopeId === null) return []
        const period = periodAt(budget.period, now)
        const granted = cached?.grants.find(
          (grant) => grant.budget_id === budget.id && grant.granted_period.getTime() === period.startMs,
        )
        const limit: SpendLimit = {
          account: { scopeType: budget.scope_type, scopeId, ...period },
          limitNanos: budget.amount_nanos + (granted?.granted_nanos ?? 0),
          source: { id: budget.id, name: budget.name },
        }
        return [limit]
      })
      return { limits: [...limits, ...monthlyLimits(spender, now)], version: cached?.version ?? 0 }
    },
  }
}

/** Returns the id of the scope of this call that the budget limits; null when it limits none. */
function scopeLimitedBy(
  { scope_type, scope_id }: BudgetRow,
  { tenantId, key, user, team }: Spender,
  { session, tags }: LabelledCall,
): string | null {
  switch (scope_type) {
    case 'tenant':
      return tenantId
    case 'team':
      return scope_id === team?.id ? scope_id : null
    case 'user':
      return scope_id === user?.id ? scope_id : null
    case 'key':
      return scope_id === key.id ? scope_id : null
    case 'session':
      return scope_id === '*' || scope_id === session ? session : null
    case 'tag': {
      const limited = readTagScope(scope_id)
      if (limited === null || !Object.hasOwn(tags, limited.name)) return null
      const value = tags[limited.name]
      return limited.value === '*' || limited.value === value ? `${limited.name}=${value}` : null
    }
  }
}

/** A team's pool and a user's cap apply to a calendar month. */
function monthlyLimits({ user, team }: Spender, now: Date): SpendLimit[] {
  const month = periodAt('monthly', now)
  const limits: SpendLimit[] = []
  if (team && team.poolNanos !== null) {
    limits.push({
      account: { scopeType: 'team', scopeId: team.id, ...month },
      limitNanos: team.poolNanos,
      source: { id: null, name: `The pool of team "${team.name ?? team.id}"` },
    })
  }
  if (user && user.capNanos !== null) {
    limits.push({
      account: { scopeType: 'user', scopeId: user.id, ...month },
      limitNanos: user.capNanos,
      source: { id: null, name: `The cap of user "${user.id}"` },
    })
  }
  return limits
}
