import { type Selectable, sql } from 'kysely'
import { type Db, hasText, type Tables, type Tx } from '../../db/index.js'
import type { Owner } from '../../http/index.js'

export type MemberRow = Selectable<Tables['members']>

/** Creates the member when a user id is used for the first time. */
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

/**
 * Returns null when the user is already a member. A user who was removed becomes a new member, with none of the old
 * values.
 */
export async function insertMember(
  tx: Tx,
  row: Pick<MemberRow, 'tenant_id' | 'user_id' | 'name' | 'email' | 'team_id' | 'role'>,
): Promise<MemberRow | null> {
  const now = new Date()
  const values = {
    ...row,
    status: 'active' as const,
    allowed_models: null,
    allowed_tools: null,
    budget_cap_nanos: null,
    created_at: now,
    updated_at: now,
    removed_at: null,
  }
  const inserted = await tx
    .insertInto('members')
    .values(values)
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'user_id'])
        .doUpdateSet(values)
        .where('members.removed_at', 'is not', null),
    )
    .returningAll()
    .executeTakeFirst()
  return inserted ?? null
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

export async function updateMemberRow(
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

interface MemberFilter {
  /** Null for all of the tenant's. */
  own: Owner | null
  teamId?: string | null
  role?: MemberRow['role'] | null
  status?: MemberRow['status'] | null
  /** Text in the user id, the name or the email address. */
  q?: string | null
  after: string | null
  limit: number
}

/** Newest first. User ids do not grow with time, so the position in the list is the creation time and the id. */
export async function listMembers(
  db: Db,
  tenantId: string,
  { own, after, limit, teamId, role, status, q }: MemberFilter,
) {
  let query = db
    .selectFrom('members')
    .selectAll()
    // A Date has milliseconds, the database microseconds: the position must be exact.
    .select(sql<string>`created_at::text`.as('created_exactly'))
    .where('tenant_id', '=', tenantId)
    .where('removed_at', 'is', null)
  if (own !== null) query = query.where('user_id', '=', 'userId' in own ? own.userId : null)
  if (teamId) query = query.where('team_id', '=', teamId)
  if (role) query = query.where('role', '=', role)
  if (status) query = query.where('status', '=', status)
  if (q) query = query.where(hasText(['user_id', 'name', 'email'], q))
  if (after !== null) {
    const [createdAt, userId]: [string, string] = JSON.parse(after)
    query = query.where(sql<boolean>`(created_at, user_id) < (${createdAt}::timestamptz, ${userId})`)
  }
  return await query.orderBy('created_at', 'desc').orderBy('user_id', 'desc').limit(limit).execute()
}

/** The position after which the next page of members starts. */
export const positionOfMember = (row: { created_exactly: string; user_id: string }): string =>
  JSON.stringify([row.created_exactly, row.user_id])

/** Erases a member, keeping the id and the limits set for it. Returns the address that was known. */
export async function eraseMember(
  tx: Tx,
  { tenantId, userId }: { tenantId: string; userId: string },
): Promise<{ email: string | null }> {
  const member = await lockMember(tx, tenantId, userId)
  await tx
    .updateTable('members')
    .set({ name: null, email: null })
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .execute()
  return { email: member?.email ?? null }
}
