import { type Db, newId, orNameTaken } from '../../db/index.js'
import { notFound } from '../../errors.js'
import { toMicros, toUsd } from '../../http/index.js'
import { type Actor, recordChange } from '../audit/index.js'
import type { CreateTeam, Team, UpdateTeam } from './schema.js'
import { detachTeam, insertTeam, lockBelongings, lockTeam, type TeamRow, updateTeam } from './store.js'

export async function createTeam(db: Db, actor: Actor, input: CreateTeam): Promise<TeamRow> {
  const poolMicros = toMicros(input.budgetPoolUsd, 'budgetPoolUsd')
  return await orNameTaken('team', input.name, () =>
    db.transaction().execute(async (tx) => {
      const row = await insertTeam(tx, {
        id: newId('team'),
        tenant_id: actor.tenantId,
        name: input.name,
        budget_pool_micros: poolMicros,
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

export async function changeTeam(
  db: Db,
  actor: Actor,
  id: string,
  { name, budgetPoolUsd }: UpdateTeam,
): Promise<TeamRow> {
  const poolMicros = budgetPoolUsd === undefined ? undefined : toMicros(budgetPoolUsd, 'budgetPoolUsd')
  return await orNameTaken('team', name ?? '', () =>
    db.transaction().execute(async (tx) => {
      const before = await lockTeam(tx, actor.tenantId, id)
      if (!before || before.deleted_at) throw notFound('team')
      const after = await updateTeam(tx, actor.tenantId, id, {
        ...(name !== undefined && { name }),
        ...(poolMicros !== undefined && { budget_pool_micros: poolMicros }),
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

/** Its members and keys stay, without a team; its budgets can never apply again and go with it. */
export async function deleteTeam(db: Db, actor: Actor, id: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockBelongings(tx, actor.tenantId, id)
    const before = await lockTeam(tx, actor.tenantId, id)
    if (!before) throw notFound('team')
    if (before.deleted_at) return
    await updateTeam(tx, actor.tenantId, id, { deleted_at: new Date() })
    await detachTeam(tx, actor.tenantId, id)
    await recordChange(tx, actor, {
      action: 'team.delete',
      subjectId: id,
      before: presentTeam(before),
      after: null,
    })
  })
}

export function presentTeam(row: TeamRow): Team {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    name: row.name,
    budgetPoolUsd: toUsd(row.budget_pool_micros),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}
