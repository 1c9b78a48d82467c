import { type Db, inTransaction, newId, orNameTaken } from '../../db/index.js'
import { requireToolPatterns, toNanos } from '../../http/index.js'
import { notFound } from '../../shared/errors.js'
import { type Actor, recordChange } from '../audit/index.js'
import { type Dependents, releaseDependents, type Subject } from '../scopes/index.js'
import { memberDependents } from './dependents.js'
import { presentTeam } from './present.js'
import type { CreateTeam, UpdateTeam } from './schema.js'
import { insertTeam, lockTeam, type TeamRow, updateTeamRow } from './store.js'

export async function createTeam(db: Db, actor: Actor, input: CreateTeam): Promise<TeamRow> {
  const poolNanos = toNanos(input.budgetPoolUsd, 'budgetPoolUsd')
  requireToolPatterns(input.allowedTools)
  return await orNameTaken('team', input.name, () =>
    inTransaction(db, async (tx) => {
      const row = await insertTeam(tx, {
        id: newId('team'),
        tenant_id: actor.tenantId,
        name: input.name,
        budget_pool_nanos: poolNanos,
        allowed_tools: input.allowedTools ?? null,
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
  { name, budgetPoolUsd, allowedTools }: UpdateTeam,
): Promise<TeamRow> {
  const poolNanos = budgetPoolUsd === undefined ? undefined : toNanos(budgetPoolUsd, 'budgetPoolUsd')
  requireToolPatterns(allowedTools)
  return await orNameTaken('team', name ?? '', () =>
    inTransaction(db, async (tx) => {
      const before = await lockTeam(tx, actor.tenantId, id)
      if (!before || before.deleted_at) throw notFound('team')
      const after = await updateTeamRow(tx, actor.tenantId, id, {
        ...(name !== undefined && { name }),
        ...(poolNanos !== undefined && { budget_pool_nanos: poolNanos }),
        ...(allowedTools !== undefined && { allowed_tools: allowedTools }),
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

/**
 * Idempotent. Objects that refer to the team prevent its deletion. With `cascade`, its members and keys stay,
 * without a team, and its budgets and policies are deleted.
 */
export async function deleteTeam(
  db: Db,
  actor: Actor,
  id: string,
  { cascade, dependents }: { cascade: boolean; dependents: readonly Dependents[] },
): Promise<void> {
  const subject: Subject = { type: 'team', id }
  const kinds = [memberDependents, ...dependents]
  await inTransaction(db, async (tx) => {
    const before = await lockTeam(tx, actor.tenantId, id)
    if (!before) throw notFound('team')
    if (before.deleted_at) return
    await releaseDependents(tx, actor, subject, {
      kinds,
      cascade,
      what: {
        title: `The team "${before.name}"`,
        cascade: 'deletes its budgets and policies and takes its keys and members out of it',
      },
    })
    await updateTeamRow(tx, actor.tenantId, id, { deleted_at: new Date() })
    await recordChange(tx, actor, {
      action: 'team.delete',
      subjectId: id,
      before: presentTeam(before),
      after: null,
    })
  })
}
