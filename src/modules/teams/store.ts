import { type Selectable, sql } from 'kysely'
import type { Db, Tables, Tx } from '../../db/index.js'
import { notFound } from '../../errors.js'
import { lockKeys } from './lock-keys.js'

export type TeamRow = Selectable<Tables['teams']>

export async function requireTeam(tx: Tx, tenantId: string, teamId: string): Promise<void> {
  // Shared lock: the team cannot be deleted before the row that refers to it is committed.
  const team = await tx
    .selectFrom('teams')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', teamId)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  if (!team) throw notFound('team')
}

export async function insertTeam(
  tx: Tx,
  row: Pick<TeamRow, 'id' | 'tenant_id' | 'name' | 'budget_pool_nanos'>,
): Promise<TeamRow> {
  return await tx
    .insertInto('teams')
    .values({ ...row, deleted_at: null })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Also finds a deleted one: to delete it again is no error, unlike one that never existed. */
export async function lockTeam(tx: Tx, tenantId: string, id: string): Promise<TeamRow | undefined> {
  return await tx
    .selectFrom('teams')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function updateTeamRow(
  tx: Tx,
  tenantId: string,
  id: string,
  fields: Partial<TeamRow>,
): Promise<TeamRow> {
  return await tx
    .updateTable('teams')
    .set({ ...fields, updated_at: new Date() })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * Locks the members and policies that refer to a team. They are locked before the team, in the order in which a change to one
 * of them locks its own row and then the team: otherwise the two could deadlock.
 */
export async function lockTeamReferences(tx: Tx, tenantId: string, teamId: string): Promise<void> {
  await tx
    .selectFrom('members')
    .select('user_id')
    .where('tenant_id', '=', tenantId)
    .where('team_id', '=', teamId)
    .orderBy('user_id')
    .forNoKeyUpdate()
    .execute()
  await tx
    .selectFrom('policies')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('scope_type', '=', 'team')
    .where('scope_id', '=', teamId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** Removes a deleted team from its members and keys, and deletes the budgets and policies scoped to it. */
export async function detachTeam(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx
    .updateTable('members')
    .set({ team_id: null })
    .where('tenant_id', '=', tenantId)
    .where('team_id', '=', id)
    .execute()
  const keyIds = await lockKeys(tx, tenantId, 'team_id', id)
  await tx
    .updateTable('keys')
    .set({ team_id: null })
    .where('id', '=', sql<string>`any(${keyIds}::text[])`)
    .execute()
  for (const table of ['budgets', 'policies'] as const) {
    await tx
      .updateTable(table)
      .set({ deleted_at: new Date() })
      .where('tenant_id', '=', tenantId)
      .where('scope_type', '=', 'team')
      .where('scope_id', '=', id)
      .where('deleted_at', 'is', null)
      .execute()
  }
}

export async function listTeams(db: Db, tenantId: string): Promise<TeamRow[]> {
  return await db
    .selectFrom('teams')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('deleted_at', 'is', null)
    .orderBy('id', 'desc')
    .execute()
}
