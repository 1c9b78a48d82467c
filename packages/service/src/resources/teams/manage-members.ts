import { type Db, inTransaction } from '../../db/index.js'
import { toUsd } from '../../http/index.js'
import { conflict, notFound } from '../../shared/errors.js'
import { type Actor, recordChange } from '../audit/index.js'
import { type Dependents, releaseDependents, type Subject } from '../scopes/index.js'
import { keepLastManager } from '../tenants/index.js'
import { insertMember, lockMember, type MemberRow, updateMemberRow } from './member-store.js'
import { presentMember } from './present.js'
import type { CreateMember, Member, UpdateMember } from './schema.js'
import { requireTeam } from './store.js'

/** A user who was removed can be added again, as a new member. */
export async function createMember(db: Db, actor: Actor, input: CreateMember): Promise<MemberRow> {
  return await inTransaction(db, async (tx) => {
    if (input.teamId) await requireTeam(tx, actor.tenantId, input.teamId)
    const existing = await lockMember(tx, actor.tenantId, input.userId)
    if (existing && !existing.removed_at) throw memberExists(input.userId)
    const row = await insertMember(tx, {
      tenant_id: actor.tenantId,
      user_id: input.userId,
      name: input.name ?? null,
      email: input.email ?? null,
      team_id: input.teamId ?? null,
      role: input.role ?? 'member',
    })
    // A concurrent request created it first.
    if (!row) throw memberExists(input.userId)
    await recordChange(tx, actor, {
      action: 'member.create',
      subjectId: row.user_id,
      before: null,
      after: presentMember(row),
    })
    return row
  })
}

const memberExists = (userId: string) => conflict(`The user ${userId} is a member already`)

export async function updateMember(
  db: Db,
  actor: Actor,
  userId: string,
  input: UpdateMember,
): Promise<MemberRow> {
  const { name, email, teamId } = input
  return await inTransaction(db, async (tx) => {
    if (teamId) await requireTeam(tx, actor.tenantId, teamId)
    const before = await lockMember(tx, actor.tenantId, userId)
    if (!before || before.removed_at) throw notFound('member')
    const after = await updateMemberRow(tx, actor.tenantId, userId, {
      ...(name !== undefined && { name }),
      ...(email !== undefined && { email }),
      ...(teamId !== undefined && { team_id: teamId }),
    })
    await recordChange(tx, actor, {
      action: 'member.update',
      subjectId: userId,
      before: presentMember(before),
      after: presentMember(after),
    })
    return after
  })
}

/** Demoting a user demotes the user's keys at once: a key has manager rights only while its owner has them. */
export async function updateMemberRole(
  db: Db,
  actor: Actor,
  userId: string,
  role: Member['role'],
): Promise<MemberRow> {
  return await keepLastManager(db, actor.tenantId, async (tx) => {
    const before = await lockMember(tx, actor.tenantId, userId)
    if (!before || before.removed_at) throw notFound('member')
    const after = await updateMemberRow(tx, actor.tenantId, userId, { role })
    await recordChange(tx, actor, {
      action: 'member.change_role',
      subjectId: userId,
      before: presentMember(before),
      after: presentMember(after),
    })
    return after
  })
}

/**
 * Idempotent. Objects that refer to the user prevent its removal. With `cascade`, the user's keys are revoked, and
 * the user's budgets and policies are deleted.
 */
export async function deleteMember(
  db: Db,
  actor: Actor,
  userId: string,
  { cascade, dependents }: { cascade: boolean; dependents: readonly Dependents[] },
): Promise<void> {
  const subject: Subject = { type: 'user', id: userId }
  await keepLastManager(db, actor.tenantId, async (tx) => {
    const before = await lockMember(tx, actor.tenantId, userId)
    if (!before) throw notFound('member')
    if (before.removed_at) return
    await releaseDependents(tx, actor, subject, {
      kinds: dependents,
      cascade,
      what: {
        title: `The user "${userId}"`,
        cascade: 'revokes the keys of the user and deletes the budgets and policies of the user',
      },
    })
    await updateMemberRow(tx, actor.tenantId, userId, {
      removed_at: new Date(),
      role: 'member',
      team_id: null,
    })
    await recordChange(tx, actor, {
      action: 'member.delete',
      subjectId: userId,
      before: { ...presentMember(before), ...limitsOf(before) },
      after: null,
    })
  })
}

/** Limits end with the membership: a user who is added again starts without them. */
const limitsOf = ({ allowed_models, allowed_tools, budget_cap_nanos }: MemberRow) => ({
  allowedModels: allowed_models,
  allowedTools: allowed_tools,
  budgetCapUsd: budget_cap_nanos === null ? null : toUsd(budget_cap_nanos),
})
