import { sql } from 'kysely'
import type { Tx } from '../../db/index.js'
import { recordChanges } from '../audit/index.js'
import type { Dependents, Subject } from '../scopes/index.js'
import { describeBudget } from './present.js'
import type { BudgetRow } from './store.js'

/** Budgets of a team or a user are deleted with it. */
export const budgetDependents: Dependents = {
  async list(tx, tenantId, subject) {
    const rows = await lockBudgetsOf(tx, tenantId, subject)
    return rows.map(({ id, name }) => ({ type: 'budget', id, name }))
  },
  async release(tx, actor, subject) {
    const rows = await lockBudgetsOf(tx, actor.tenantId, subject)
    if (rows.length === 0) return
    const ids = rows.map(({ id }) => id)
    const now = new Date()
    await tx
      .updateTable('budgets')
      .set({ deleted_at: now, updated_at: now })
      .where('tenant_id', '=', actor.tenantId)
      .where('id', '=', sql<string>`any(${ids}::text[])`)
      .execute()
    await recordChanges(
      tx,
      actor,
      rows.map((row) => ({
        action: 'budget.delete' as const,
        subjectId: row.id,
        before: describeBudget(row),
        after: null,
      })),
    )
  },
}

async function lockBudgetsOf(tx: Tx, tenantId: string, { type, id }: Subject): Promise<BudgetRow[]> {
  return await tx
    .selectFrom('budgets')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('scope_type', '=', type)
    .where('scope_id', '=', id)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
}
