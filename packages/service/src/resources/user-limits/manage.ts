import type { Db } from '../../db/index.js'
import { requireToolPatterns, toNanos } from '../../http/index.js'
import { notFound } from '../../shared/errors.js'
import { type Actor, recordChange } from '../audit/index.js'
import { ensureMember, lockMember, type MemberRow, updateMemberRow } from '../teams/index.js'
import { keepLastManager } from '../tenants/index.js'
import { describeUserLimit } from './present.js'
import type { UpdateUserLimit } from './schema.js'

/** Sets a user's limits over all keys. A new user id creates that member. */
export async function updateUserLimit(
  db: Db,
  actor: Actor,
  userId: string,
  input: UpdateUserLimit,
): Promise<MemberRow> {
  const { allowedModels, allowedTools, budgetCapUsd, status } = input
  const capNanos = typeof budgetCapUsd === 'number' ? toNanos(budgetCapUsd, 'budgetCapUsd') : budgetCapUsd
  requireToolPatterns(allowedTools)
  // Suspending the owner of the last manager key would lock the tenant out, as revoking the key would.
  return await keepLastManager(db, actor.tenantId, async (tx) => {
    await ensureMember(tx, actor.tenantId, userId)
    const before = await lockMember(tx, actor.tenantId, userId)
    if (!before) throw notFound('user')
    const after = await updateMemberRow(tx, actor.tenantId, userId, {
      ...(allowedModels !== undefined && { allowed_models: allowedModels }),
      ...(allowedTools !== undefined && { allowed_tools: allowedTools }),
      ...(capNanos !== undefined && { budget_cap_nanos: capNanos }),
      ...(status !== undefined && { status }),
    })
    await recordChange(tx, actor, {
      action: 'user_limit.update',
      subjectId: userId,
      before: describeUserLimit(before),
      after: describeUserLimit(after),
    })
    return after
  })
}
