import type { Db } from '../../db/index.js'
import { notFound } from '../../errors.js'
import { toMicros, toUsd } from '../../http/index.js'
import { type Actor, recordChange } from '../audit/index.js'
import { periodAt, readSpend } from '../budgets/index.js'
import { ensureMember, lockMember, type MemberRow, updateMember } from '../teams/index.js'
import { keepLastManager } from '../tenants/index.js'
import type { UpdateUserLimit, UserLimit } from './schema.js'

/** Sets what a user may do over all keys. A user id that is new makes that member. */
export async function changeLimits(
  db: Db,
  actor: Actor,
  userId: string,
  input: UpdateUserLimit,
): Promise<MemberRow> {
  const { allowedModels, budgetCapUsd, status } = input
  const capMicros = typeof budgetCapUsd === 'number' ? toMicros(budgetCapUsd, 'budgetCapUsd') : budgetCapUsd
  // Suspending the owner of the last manager key would lock the tenant out just as revoking the key would.
  return await keepLastManager(db, actor.tenantId, async (tx) => {
    await ensureMember(tx, actor.tenantId, userId)
    const before = await lockMember(tx, actor.tenantId, userId)
    if (!before) throw notFound('user')
    const after = await updateMember(tx, actor.tenantId, userId, {
      ...(allowedModels !== undefined && { allowed_models: allowedModels }),
      ...(capMicros !== undefined && { budget_cap_micros: capMicros }),
      ...(status !== undefined && { status }),
    })
    await recordChange(tx, actor, {
      action: 'user_limit.update',
      subjectId: userId,
      before: describeLimits(before),
      after: describeLimits(after),
    })
    return after
  })
}

const describeLimits = (row: MemberRow) => ({
  userId: row.user_id,
  allowedModels: row.allowed_models,
  budgetCapUsd: row.budget_cap_micros === null ? null : toUsd(row.budget_cap_micros),
  status: row.status,
  updatedAt: row.updated_at.toISOString(),
})

/** With what each user has spent in the current month, from the record. */
export async function presentLimits(
  db: Db,
  tenantId: string,
  rows: readonly MemberRow[],
  now = new Date(),
): Promise<UserLimit[]> {
  if (rows.length === 0) return []
  const { start, end } = periodAt('monthly', now)
  const spends = await readSpend(
    db,
    tenantId,
    rows.map((row) => ({ scopeType: 'user', scopeId: row.user_id, start, end })),
  )
  return rows.map((row, i) => ({
    ...describeLimits(row),
    spentUsd: toUsd(spends[i]?.spentMicros ?? 0),
    periodStart: start.toISOString(),
    periodEnd: (end ?? start).toISOString(),
  }))
}
