import type { Db } from '../../db/index.js'
import { conflict, notFound } from '../../errors.js'
import { type Actor, recordChange } from '../audit/index.js'
import { keepLastManager } from '../tenants/index.js'
import type { CreateMember, Member, UpdateMember } from './schema.js'
import { insertMember, lockMember, type MemberRow, requireTeam, revokeKeysOf, updateMember } from './store.js'

/** A user who was removed may come back, as a new member. */
export async function addMember(db: Db, actor: Actor, input: CreateMember): Promise<MemberRow> {
  return await db.transaction().execute(async (tx) => {
    const known = await lockMember(tx, actor.tenantId, input.userId)
    if (known && !known.removed_at) throw memberAlready(input.userId)
    if (input.teamId) await requireTeam(tx, actor.tenantId, input.teamId)
    const row = await insertMember(tx, {
      tenant_id: actor.tenantId,
      user_id: input.userId,
      name: input.name ?? null,
      email: input.email ?? null,
      team_id: input.teamId ?? null,
      role: input.role ?? 'member',
    })
    // Somebody else was quicker.
    if (!row) throw memberAlready(input.userId)
    await recordChange(tx, actor, {
      action: 'member.create',
      subjectId: row.user_id,
      before: null,
      after: presentMember(row),
    })
    return row
  })
}

const memberAlready = (userId: string) => conflict(`The user ${userId} is a member already`)

export async function changeMember(
  db: Db,
  actor: Actor,
  userId: string,
  input: UpdateMember,
): Promise<MemberRow> {
  const { name, email, teamId } = input
  return await db.transaction().execute(async (tx) => {
    const before = await lockMember(tx, actor.tenantId, userId)
    if (!before || before.removed_at) throw notFound('member')
    if (teamId) await requireTeam(tx, actor.tenantId, teamId)
    const after = await updateMember(tx, actor.tenantId, userId, {
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

/** Demoting a user demotes the user's keys at once: a key is a manager's only while its owner is. */
export async function changeRole(
  db: Db,
  actor: Actor,
  userId: string,
  role: Member['role'],
): Promise<MemberRow> {
  return await keepLastManager(db, actor.tenantId, async (tx) => {
    const before = await lockMember(tx, actor.tenantId, userId)
    if (!before || before.removed_at) throw notFound('member')
    const after = await updateMember(tx, actor.tenantId, userId, { role })
    await recordChange(tx, actor, {
      action: 'member.change_role',
      subjectId: userId,
      before: presentMember(before),
      after: presentMember(after),
    })
    return after
  })
}

/** The user's keys are revoked with the membership: nobody is left to answer for them. */
export async function removeMember(db: Db, actor: Actor, userId: string): Promise<void> {
  await keepLastManager(db, actor.tenantId, async (tx) => {
    const before = await lockMember(tx, actor.tenantId, userId)
    if (!before) throw notFound('member')
    if (before.removed_at) return
    const revokedKeys = await revokeKeysOf(tx, actor.tenantId, userId)
    await updateMember(tx, actor.tenantId, userId, { removed_at: new Date(), role: 'member', team_id: null })
    await recordChange(tx, actor, {
      action: 'member.delete',
      subjectId: userId,
      before: { ...presentMember(before), revokedKeys },
      after: null,
    })
  })
}

export function presentMember(row: MemberRow): Member {
  return {
    userId: row.user_id,
    name: row.name,
    email: row.email,
    teamId: row.team_id,
    role: row.role,
    status: row.status,
    createdAt: row.created_at.toISOString(),
  }
}
