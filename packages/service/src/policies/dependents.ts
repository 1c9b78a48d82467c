import { sql } from 'kysely'
import type { Tx } from '../db/index.js'
import { recordChanges } from '../resources/audit/index.js'
import type { Dependents, Subject } from '../resources/scopes/index.js'
import { presentPolicy } from './present.js'
import type { PolicyRow } from './store.js'

/** Deletes the policies of a team or a user together with it. */
export const policyDependents: Dependents = {
  async list(tx, tenantId, subject) {
    const rows = await lockPoliciesOf(tx, tenantId, subject)
    return rows.map(({ id, name }) => ({ type: 'policy', id, name }))
  },
  async release(tx, actor, subject) {
    const rows = await lockPoliciesOf(tx, actor.tenantId, subject)
    if (rows.length === 0) return
    const ids = rows.map(({ id }) => id)
    await tx
      .updateTable('policies')
      .set({ deleted_at: sql<Date>`clock_timestamp()`, sealed_secret: null })
      .where('tenant_id', '=', actor.tenantId)
      .where('id', '=', sql<string>`any(${ids}::text[])`)
      .execute()
    await recordChanges(
      tx,
      actor,
      rows.map((row) => ({
        action: 'policy.delete' as const,
        subjectId: row.id,
        before: presentPolicy(row),
        after: null,
      })),
    )
  },
}

async function lockPoliciesOf(tx: Tx, tenantId: string, { type, id }: Subject): Promise<PolicyRow[]> {
  return await tx
    .selectFrom('policies')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('scope_type', '=', type)
    .where('scope_id', '=', id)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
}
