import { type Db, inTransaction, newId, orNameTaken } from '../../db/index.js'
import { notFound } from '../../errors.js'
import { toNanos } from '../../http/index.js'
import { type Actor, recordChange } from '../audit/index.js'
import { presentTeam } from './present.js'
import type { CreateTeam, UpdateTeam } from './schema.js'
import { detachTeam, insertTeam, lockTeam, lockTeamReferences, type TeamRow, updateTeamRow } from './store.js'

export async function createTeam(db: Db, actor: Actor, input: CreateTeam): Promise<TeamRow> {
  const poolNanos = toNanos(input.budgetPoolUsd, 'budgetPoolUsd')
  return await orNameTaken('team', input.name, () =>
    inTransaction(db, async (tx) => {
      const row = await insertTeam(tx, {
        id: newId('team'),
        tenant_id: actor.tenantId,
        name: input.name,
        budget_pool_nanos: poolNanos,
      })
      await recordChange(tx, actor, {
        action: 'team.create',
        subjectId: row.id,
        before: null,
        after: presentTeam(row),
      })
      return row
    }),
  )
}

export async function updateTeam(
  db: Db,
  actor: Actor,
  id: string,
  { name, budgetPoolUsd }: UpdateTeam,
): Promise<TeamRow> {
  const poolNanos = budgetPoolUsd === undefined ? undefined : toNanos(budgetPoolUsd, 'budgetPoolUsd')
  return await orNameTaken('team', name ?? '', () =>
    inTransaction(db, async (tx) => {
      const before = await lockTeam(tx, actor.tenantId, id)
      if (!before || before.deleted_at) throw notFound('team')
      const after = await updateTeamRow(tx, actor.tenantId, id, {
        ...(name !== undefined && { name }),
        ...(poolNanos !== undefined && { budget_pool_nanos: poolNanos }),
      })
      await recordChange(tx, actor, {
        action: 'team.update',
        subjectId: id,
        before: presentTeam(before),
        after: presentTeam(after),
      })
      return after
    }),
  )
}

/** Idempotent. Members and keys stay, without a team; budgets and policies of the team are deleted with it. */
export async function deleteTeam(db: Db, actor: Actor, id: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockTeamReferences(tx, actor.tenantId, id)
    const before = await lockTeam(tx, actor.tenantId, id)
    if (!before) throw notFound('team')
    if (before.deleted_at) return
    await updateTeamRow(tx, actor.tenantId, id, { deleted_at: new Date() })
    await detachTeam(tx, actor.tenantId, id)
    await recordChange(tx, actor, {
      action: 'team.delete',
      subjectId: id,
      before: presentTeam(before),
      after: null,
    })
  })
}
