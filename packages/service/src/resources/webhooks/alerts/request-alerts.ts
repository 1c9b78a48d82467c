import { sql } from 'kysely'
import type { Tx } from '../../../db/index.js'
import { toUsd } from '../../../http/index.js'
import type { NewBudgetRequest } from '../../budgets/index.js'
import { insertFound, lockAlerts } from './notify.js'

/**
 * Notifies a tenant of a budget request, in the transaction that creates it. A request has its own id, so it alerts
 * once.
 */
export async function recordBudgetRequest(tx: Tx, { request, budget }: NewBudgetRequest): Promise<void> {
  const { tenant_id, id, amount_nanos, reason, requested_key, requested_user } = request
  const by = requested_user ?? requested_key
  const amountUsd = toUsd(amount_nanos)
  const data = {
    message: `${by} requests USD ${amountUsd} more for budget "${budget.name}": ${reason}`,
    ...{ request_id: id, virtual_key_id: requested_key, user_id: requested_user },
    ...{ amount_usd: amountUsd, reason },
    budget: { id: budget.id, name: budget.name, scope: { type: budget.scope_type, id: budget.scope_id } },
  }
  await lockAlerts(tx)
  await insertFound(
    tx,
    sql`found as (
      select ${tenant_id}::text as tenant_id, ${`budget_request:${id}`}::text as key, 'budget.request_filed' as event,
        now() as keep_until, ${JSON.stringify(data)}::text as data)`,
  )
}

/** Removes what an erased person wrote in requests. Pending deliveries are sent without it. */
export async function eraseRequestAlerts(
  tx: Tx,
  { tenantId, userId }: { tenantId: string; userId: string },
): Promise<void> {
  for (const table of ['alerts', 'webhook_deliveries'])
    await sql`
      update ${sql.table(table)} set data = (data::jsonb || '{"reason": "[erased]", "message": "[erased]"}')::text
      where tenant_id = ${tenantId} and event = 'budget.request_filed' and data::jsonb ->> 'user_id' = ${userId}`.execute(
      tx,
    )
}
