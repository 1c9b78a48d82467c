import type { Selectable } from 'kysely'
import type { Db, Tables, Tx } from '../../db/index.js'
import type { PageRequest } from '../../http/index.js'
import { notFound } from '../../shared/errors.js'

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
  row: Pick<TeamRow, 'id' | 'tenant_id' | 'name' | 'budget_pool_nanos' | 'allowed_tools'>,
): Promise<TeamRow> {
  return await tx
    .insertInto('teams')
    .values({ ...row, deleted_at: null })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Also finds a deleted team: deleting it again succeeds, unlike deleting one that never existed. */
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

export async function findTeam(db: Db, tenantId: string, id: string): Promise<TeamRow | undefined> {
  return await db
    .selectFrom('teams')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** Newest first: all of them without a page. */
export async function listTeams(db: Db, tenantId: string, page: PageRequest | null): Promise<TeamRow[]> {
  let query = db
    .selectFrom('teams')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('deleted_at', 'is', null)
    .orderBy('id', 'desc')
  if (page) query = query.limit(page.limit)
  if (page?.after) query = query.where('id', '<', page.after)
  return await query.execute()
}
