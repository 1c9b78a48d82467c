import type { Db } from '../../db/index.js'
import { toUsd } from '../../http/index.js'
import type { SpendAccount } from '../../shared/spend-account.js'
import type { Budget, BudgetRequest } from './schema.js'
import { eachScopePrefix } from './scope.js'
import { readForecasts } from './spend/forecast.js'
import { periodAt } from './spend/period.js'
import { readLeadingScope, readSpend } from './spend/spend.js'
import { type BudgetRow, type RequestRow, readGrants } from './store.js'

/** Presents a budget for the audit log, without spend, grants and reservations, which change with every call. */
export function describeBudget(row: BudgetRow) {
  return {
    id: row.id,
    name: row.name,
    scope: { type: row.scope_type, id: row.scope_id },
    amountUsd: toUsd(row.amount_nanos),
    period: row.period,
    thresholdPct: row.threshold_pct,
    action: row.action,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

const isForEach = (row: BudgetRow): boolean =>
  eachScopePrefix({ type: row.scope_type, id: row.scope_id }) !== null

/**
 * Returns the session or tag value with the highest spend, for a budget that applies to each of them separately.
 */
async function findLeading(db: Db, row: BudgetRow, now: Date): Promise<string | null> {
  const prefix = eachScopePrefix({ type: row.scope_type, id: row.scope_id })
  if (prefix === null) return null
  return await readLeadingScope(db, row.tenant_id, row.scope_type, prefix, periodAt(row.period, now))
}

/** Returns what open calls have reserved on an account. */
export type ReadReserved = (tenantId: string, account: SpendAccount) => Promise<number>

/** Presents budgets with what was spent and granted in the current period, and what is reserved now. */
export async function presentBudgets(
  db: Db,
  tenantId: string,
  rows: readonly BudgetRow[],
  readReserved: ReadReserved,
  now: Date = new Date(),
): Promise<Budget[]> {
  if (rows.length === 0) return []
  const leading = await Promise.all(rows.map((row) => findLeading(db, row, now)))
  const accounts = rows.map((row, i) => ({
    scopeType: row.scope_type,
    scopeId: leading[i] ?? row.scope_id,
    ...periodAt(row.period, now),
  }))
  const [spends, grants, reserved] = await Promise.all([
    readSpend(db, tenantId, accounts),
    readGrants(
      db,
      tenantId,
      rows.map((row) => row.id),
    ),
    Promise.all(accounts.map((account) => readReserved(tenantId, account))),
  ])
  const spent = spends.map(({ spentNanos }) => spentNanos)
  const forecasts = await readForecasts(db, tenantId, accounts, spent, now)
  return rows.map((row, i) => {
    const { startMs, endMs } = periodAt(row.period, now)
    const forecast = forecasts[i] ?? null
    const spentNanos = spends[i]?.spentNanos ?? 0
    const reservedNanos = reserved[i] ?? 0
    const grantedNanos =
      grants.find((grant) => grant.budget_id === row.id && grant.granted_period.getTime() === startMs)
        ?.granted_nanos ?? 0
    return {
      ...describeBudget(row),
      ...(isForEach(row) && { leading: leading[i] ?? null }),
      grantedUsd: toUsd(grantedNanos),
      spentUsd: toUsd(spentNanos),
      reservedUsd: toUsd(reservedNanos),
      remainingUsd: toUsd(Math.max(0, row.amount_nanos + grantedNanos - spentNanos - reservedNanos)),
      forecastUsd: forecast === null ? null : toUsd(forecast),
      periodStart: new Date(startMs).toISOString(),
      periodEnd: endMs === null ? null : new Date(endMs).toISOString(),
    }
  })
}

/** Hides the session or tag value with the highest spend from members, who do not see everybody's calls. */
export const forMember = <Presented extends Pick<Budget, 'leading'>>(budget: Presented): Presented =>
  budget.leading === undefined ? budget : { ...budget, leading: null }

export function presentRequest(row: RequestRow): BudgetRequest {
  return {
    id: row.id,
    budgetId: row.budget_id,
    amountUsd: toUsd(row.amount_nanos),
    grantedUsd: row.granted_nanos === null ? null : toUsd(row.granted_nanos),
    reason: row.reason,
    status: row.status,
    requestedBy: { keyId: row.requested_key, userId: row.requested_user },
    decidedBy: row.decided_at === null ? null : { keyId: row.decided_key, userId: row.decided_user },
    decidedAt: row.decided_at?.toISOString() ?? null,
    note: row.note,
    createdAt: row.created_at.toISOString(),
  }
}
