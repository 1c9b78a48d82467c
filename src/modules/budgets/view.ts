import type { Db } from '../../db/index.js'
import { toUsd } from '../../http/index.js'
import { periodAt } from './period.js'
import type { Budget } from './schema.js'
import { readSpend, type SpendQuery } from './spend.js'
import { type BudgetRow, readGrants } from './store.js'

/** The part of a budget that only a manager changes: what the audit trail shows. */
export function describeBudget(row: BudgetRow) {
  return {
    id: row.id,
    name: row.name,
    scope: { type: row.scope_type, id: row.scope_id },
    amountUsd: toUsd(row.amount_micros),
    period: row.period,
    thresholdPct: row.threshold_pct,
    action: row.action,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

/** What calls under way hold of a scope's spend in a period. */
export type ReadReserved = (tenantId: string, query: SpendQuery) => Promise<number>

/** Budgets as they stand at this moment: what was spent and granted in the current period, and what is held. */
export async function presentBudgets(
  db: Db,
  tenantId: string,
  rows: readonly BudgetRow[],
  readReserved: ReadReserved,
  now: Date = new Date(),
): Promise<Budget[]> {
  if (rows.length === 0) return []
  const periods = rows.map((row) => periodAt(row.period, now))
  const queries = rows.map((row, i) => ({
    scopeType: row.scope_type,
    scopeId: row.scope_id,
    ...periodOf(periods, i),
  }))
  const [spends, grants, reserved] = await Promise.all([
    readSpend(db, tenantId, queries),
    readGrants(
      db,
      tenantId,
      rows.map((row) => row.id),
    ),
    Promise.all(queries.map((query) => readReserved(tenantId, query))),
  ])
  return rows.map((row, i) => {
    const { start, end } = periodOf(periods, i)
    const spentMicros = spends[i]?.spentMicros ?? 0
    const reservedMicros = reserved[i] ?? 0
    const grantedMicros =
      grants.find((grant) => grant.budget_id === row.id && grant.granted_period.getTime() === start.getTime())
        ?.granted_micros ?? 0
    return {
      ...describeBudget(row),
      grantedUsd: toUsd(grantedMicros),
      spentUsd: toUsd(spentMicros),
      reservedUsd: toUsd(reservedMicros),
      remainingUsd: toUsd(Math.max(0, row.amount_micros + grantedMicros - spentMicros - reservedMicros)),
      periodStart: start.toISOString(),
      periodEnd: end?.toISOString() ?? null,
    }
  })
}

function periodOf(periods: readonly ReturnType<typeof periodAt>[], i: number) {
  const period = periods[i]
  if (!period) throw new Error('a budget without a period')
  return period
}
