import { sql } from 'kysely'
import type { KeyRow, Tx } from '../../db/index.js'
import { recordChanges } from '../audit/index.js'
import type { Dependents, Subject } from '../scopes/index.js'
import { presentKey } from './present.js'

/**
 * The keys of a team or a user. Keys of a team are removed from it and keep their own limits, their owner's and the
 * tenant's. Keys of a user are revoked, because nobody is left to be responsible for them. Revoked keys are history
 * and stay unchanged.
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

/** Locks keys in the order of their ids, like the update of their last use: otherwise the two could deadlock. */
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
