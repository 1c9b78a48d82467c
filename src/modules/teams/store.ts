import { type Selectable, sql, type Transaction } from 'kysely'
import type { Db, Tables } from '../../db/index.js'
import { notFound } from '../../errors.js'

export type TeamRow = Selectable<Tables['teams']>
export type MemberRow = Selectable<Tables['members']>
type Tx = Transaction<Tables>

/** Naming a user for the first time makes that member. */
export async function ensureMember(tx: Tx, tenantId: string, userId: string): Promise<void> {
  await insertMember(tx, {
    tenant_id: tenantId,
    user_id: userId,
    name: null,
    email: null,
    team_id: null,
    role: 'member',
  })
}

/** Null when the user is a member already. A user who was removed starts anew: nothing of before is left. */
export async function insertMember(
  tx: Tx,
  row: Pick<MemberRow, 'tenant_id' | 'user_id' | 'name' | 'email' | 'team_id' | 'role'>,
): Promise<MemberRow | null> {
  const now = new Date()
  const fresh = {
    ...row,
    status: 'active' as const,
    allowed_models: null,
    budget_cap_micros: null,
    created_at: now,
    updated_at: now,
    removed_at: null,
  }
  const inserted = await tx
    .insertInto('members')
    .values(fresh)
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'user_id'])
        .doUpdateSet(fresh)
        .where('members.removed_at', 'is not', null),
    )
    .returningAll()
    .executeTakeFirst()
  return inserted ?? null
}

export async function requireTeam(tx: Tx, tenantId: string, teamId: string): Promise<void> {
  // Shared lock: the team cannot be deleted before what refers to it is committed.
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
  row: Pick<TeamRow, 'id' | 'tenant_id' | 'name' | 'budget_pool_micros'>,
): Promise<TeamRow> {
  return await tx
    .insertInto('teams')
    .values({ ...row, deleted_at: null })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Also finds what was deleted: deleting twice must be told from deleting what never was. */
export async function lockTeam(tx: Tx, tenantId: string, id: string): Promise<TeamRow | undefined> {
  return await tx
    .selectFrom('teams')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function updateTeam(
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
 * Members and policies are locked before the team that they name, because that is how a change to one of them goes:
 * it holds its own row and then asks for the team. In the other order the two would wait for each other.
 */
export async function lockBelongings(tx: Tx, tenantId: string, teamId: string): Promise<void> {
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

/** Takes a deleted team away from everything that named it. */
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

export async function lockMember(tx: Tx, tenantId: string, userId: string): Promise<MemberRow | undefined> {
  return await tx
    .selectFrom('members')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
}

export async function findMember(db: Db, tenantId: string, userId: string): Promise<MemberRow | undefined> {
  return await db
    .selectFrom('members')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
}

export async function updateMember(
  tx: Tx,
  tenantId: string,
  userId: string,
  fields: Partial<MemberRow>,
): Promise<MemberRow> {
  return await tx
    .updateTable('members')
    .set({ ...fields, updated_at: new Date() })
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Newest first. Users choose their own ids, so the place in the list is the moment and the id together. */
export async function listMembers(
  db: Db,
  tenantId: string,
  { after, limit }: { after: string | null; limit: number },
) {
  let query = db
    .selectFrom('members')
    .selectAll()
    // A Date holds milliseconds, the database microseconds: the position must be the whole of it.
    .select(sql<string>`created_at::text`.as('created_exactly'))
    .where('tenant_id', '=', tenantId)
    .where('removed_at', 'is', null)
  if (after !== null) {
    const [createdAt, userId]: [string, string] = JSON.parse(after)
    query = query.where(sql<boolean>`(created_at, user_id) < (${createdAt}::timestamptz, ${userId})`)
  }
  return await query.orderBy('created_at', 'desc').orderBy('user_id', 'desc').limit(limit).execute()
}

export async function revokeKeysOf(tx: Tx, tenantId: string, userId: string): Promise<string[]> {
  const ids = await lockKeys(tx, tenantId, 'user_id', userId)
  const rows = await tx
    .updateTable('keys')
    .set({ revoked_at: new Date() })
    .where('id', '=', sql<string>`any(${ids}::text[])`)
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}

/** In the order of their ids, as the note of their last use does: the two would else wait for each other in a circle. */
async function lockKeys(
  tx: Tx,
  tenantId: string,
  column: 'user_id' | 'team_id',
  value: string,
): Promise<string[]> {
  const rows = await tx
    .selectFrom('keys')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where(column, '=', value)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map((row) => row.id)
}
