import type { Tx } from '../../db/index.js'
import { recordChanges } from '../audit/index.js'
import type { Dependents, Subject } from '../scopes/index.js'
import type { MemberRow } from './member-store.js'
import { presentMember } from './present.js'

/** Members stay when their team is deleted, without a team. */
export const memberDependents: Dependents = {
  async list(tx, tenantId, subject) {
    const rows = await lockMembersOf(tx, tenantId, subject)
    return rows.map(({ user_id, name }) => ({ type: 'member', id: user_id, name: name ?? user_id }))
  },
  async release(tx, actor, subject) {
    const rows = await lockMembersOf(tx, actor.tenantId, subject)
    if (rows.length === 0) return
    await tx
      .updateTable('members')
      .set({ team_id: null, updated_at: new Date() })
      .where('tenant_id', '=', actor.tenantId)
      .where('team_id', '=', subject.id)
      .execute()
    await recordChanges(
      tx,
      actor,
      rows.map((row) => ({
        action: 'member.update' as const,
        subjectId: row.user_id,
        before: presentMember(row),
        after: presentMember({ ...row, team_id: null }),
      })),
    )
  },
}

async function lockMembersOf(tx: Tx, tenantId: string, { id }: Subject): Promise<MemberRow[]> {
  return await tx
    .selectFrom('members')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('team_id', '=', id)
    .orderBy('user_id')
    .forNoKeyUpdate()
    .execute()
}
