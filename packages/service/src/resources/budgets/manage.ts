import { type Db, inTransaction, newId, orNameTaken } from '../../db/index.js'
import { requireAmount, toNanos } from '../../http/index.js'
import { notFound } from '../../shared/errors.js'
import { type Actor, recordChange } from '../audit/index.js'
import { describeBudget } from './present.js'
import type { CreateBudget, UpdateBudget } from './schema.js'
import { requireBudgetScope } from './scope.js'
import { periodAt } from './spend/period.js'
import { type BudgetRow, insertBudget, lockBudget, readGrants, updateBudgetRow } from './store.js'

export async function createBudget(db: Db, actor: Actor, input: CreateBudget): Promise<BudgetRow> {
  const amountNanos = toNanos(input.amountUsd, 'amountUsd')
  return await orNameTaken('budget', input.name, () =>
    inTransaction(db, async (tx) => {
      const scope = await requireBudgetScope(tx, actor.tenantId, input.scope)
      const row = await insertBudget(tx, {
        id: newId('bud'),
        tenant_id: actor.tenantId,
        name: input.name,
        scope_type: scope.type,
        scope_id: scope.id,
        amount_nanos: amountNanos,
        period: input.period ?? 'monthly',
        threshold_pct: input.thresholdPct ?? 80,
        action: input.action ?? 'block',
      })
      await recordChange(tx, actor, {
        action: 'budget.create',
        subjectId: row.id,
        before: null,
        after: describeBudget(row),
      })
      return row
    }),
  )
}

export async function updateBudget(
  db: Db,
  actor: Actor,
  id: string,
  input: UpdateBudget,
): Promise<BudgetRow> {
  const { name, amountUsd, period, thresholdPct, action } = input
  const amountNanos = amountUsd === undefined ? undefined : toNanos(amountUsd, 'amountUsd')
  return await orNameTaken('budget', name ?? '', () =>
    inTransaction(db, async (tx) => {
      const before = await lockBudget(tx, actor.tenantId, id)
      if (!before || before.deleted_at) throw notFound('budget')
      if (amountNanos !== undefined) {
        const { startMs } = periodAt(period ?? before.period, new Date())
        const grants = await readGrants(tx, actor.tenantId, [id])
        const granted = grants.find((grant) => grant.granted_period.getTime() === startMs)
        requireAmount(amountNanos + (granted?.granted_nanos ?? 0), 'The budget with what was granted')
      }
      const after = await updateBudgetRow(tx, actor.tenantId, id, {
        ...(name !== undefined && { name }),
        ...(amountNanos !== undefined && { amount_nanos: amountNanos }),
        ...(period !== undefined && { period }),
        ...(thresholdPct !== undefined && { threshold_pct: thresholdPct }),
        ...(action !== undefined && { action }),
      })
      await recordChange(tx, actor, {
        action: 'budget.update',
        subjectId: id,
        before: describeBudget(before),
        after: describeBudget(after),
      })
      return after
    }),
  )
}

/** Idempotent. */
export async function deleteBudget(db: Db, actor: Actor, id: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    const before = await lockBudget(tx, actor.tenantId, id)
    if (!before) throw notFound('budget')
    if (before.deleted_at) return
    await updateBudgetRow(tx, actor.tenantId, id, { deleted_at: new Date() })
    await recordChange(tx, actor, {
      action: 'budget.delete',
      subjectId: id,
      before: describeBudget(before),
      after: null,
    })
  })
}
