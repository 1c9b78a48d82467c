import { sql } from 'kysely'
import type { KeyRow, Tx } from '../../db/index.js'
import { recordChanges } from '../audit/index.js'
import type { Dependents, Subject } from '../scopes/index.js'
import { presentKey } from './present.js'

/**
 * Keys of a team, or of a user. A team's are taken out of it: they keep their own limits, their owner's and the tenant's. A user's
 * are revoked: nobody is left to be responsible for them. Revoked keys are history, and stay as they are.
 */
export const keyDependents: Dependents = {
  async list(tx, tenantId, subject) {
    const rows = await lockKeys(tx, tenantId, subject)
    return rows.map(({ id, name }) => ({ type: 'key', id, name }))
  },
  async release(tx, actor, subject) {
    const before = await lockKeys(tx, actor.tenantId, subject)
    if (before.length === 0) return
    const after = await tx
      .updateTable('keys')
      .set(subject.type === 'team' ? { team_id: null } : { revoked_at: new Date() })
      .where('id', '=', sql<string>`any(${before.map(({ id }) => id)}::text[])`)
      .returningAll()
      .execute()
    const changed = new Map(after.map((row) => [row.id, presentKey(row)]))
    await recordChanges(
      tx,
      actor,
      before.map((row) => ({
        action: subject.type === 'team' ? ('key.update' as const) : ('key.revoke' as const),
        subjectId: row.id,
        before: presentKey(row),
        after: changed.get(row.id) ?? null,
      })),
    )
  },
}

/** In the order of their ids, as the update of their last use does: otherwise the two could deadlock. */
async function lockKeys(tx: Tx, tenantId: string, { type, id }: Subject): Promise<KeyRow[]> {
  return await tx
    .selectFrom('keys')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where(type === 'team' ? 'team_id' : 'user_id', '=', id)
    .where('revoked_at', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}
