import { type Db, inTransaction } from '../../db/index.js'
import { conflict, notFound } from '../../errors.js'
import { type Actor, recordChange } from '../audit/index.js'
import { keepLastManager } from '../tenants/index.js'
import { insertMember, lockMember, type MemberRow, revokeUserKeys, updateMemberRow } from './member-store.js'
import { presentMember } from './present.js'
import type { CreateMember, Member, UpdateMember } from './schema.js'
import { requireTeam } from './store.js'

/** A user who was removed can be added again, as a new member. */
export async function createMember(db: Db, actor: Actor, input: CreateMember): Promise<MemberRow> {
  return await inTransaction(db, async (tx) => {
    const existing = await lockMember(tx, actor.tenantId, input.userId)
    if (existing && !existing.removed_at) throw memberExists(input.userId)
    if (input.teamId) await requireTeam(tx, actor.tenantId, input.teamId)
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
    const before = await lockMember(tx, actor.tenantId, userId)
    if (!before || before.removed_at) throw notFound('member')
    if (teamId) await requireTeam(tx, actor.tenantId, teamId)
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

/** Idempotent. The user's keys are revoked with the membership: nobody is left to be responsible for them. */
export async function deleteMember(db: Db, actor: Actor, userId: string): Promise<void> {
  await keepLastManager(db, actor.tenantId, async (tx) => {
    const before = await lockMember(tx, actor.tenantId, userId)
    if (!before) throw notFound('member')
    if (before.removed_at) return
    const revokedKeys = await revokeUserKeys(tx, actor.tenantId, userId)
    await updateMemberRow(tx, actor.tenantId, userId, {
      removed_at: new Date(),
      role: 'member',
      team_id: null,
    })
    await recordChange(tx, actor, {
      action: 'member.delete',
      subjectId: userId,
      before: { ...presentMember(before), revokedKeys },
      after: null,
    })
  })
}
