import { sql } from 'kysely'
import { type Db, hasText, type KeyRow, type Tx } from '../../db/index.js'
import type { Owner } from '../../http/index.js'

export type KeyStatus = 'active' | 'revoked' | 'expired'

export async function insertKey(
  tx: Tx,
  row: Omit<KeyRow, 'created_at' | 'last_used_at' | 'limits_since' | 'revoked_at'>,
): Promise<KeyRow> {
  return await tx
    .insertInto('keys')
    .values({ ...row, last_used_at: null, revoked_at: null })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function findKey(db: Db, tenantId: string, id: string): Promise<KeyRow | undefined> {
  return await db
    .selectFrom('keys')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function updateKeyRow(
  tx: Tx,
  tenantId: string,
  id: string,
  fields: Partial<KeyRow>,
): Promise<KeyRow> {
  return await tx
    .updateTable('keys')
    .set(fields)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export interface KeyFilter {
  /** Only the keys of a user, or one key; null means all of the tenant's. */
  own: Owner | null
  status: KeyStatus | null
  userId: string | null
  teamId: string | null
  /** Text in the name, the id, the hint or the owner. */
  q: string | null
  after: string | null
  limit: number
}

/** Lists keys, newest first: ids grow with time, so ordering by id is stable under inserts and deletes. */
export async function listKeys(db: Db, tenantId: string, filter: KeyFilter): Promise<KeyRow[]> {
  let query = db.selectFrom('keys').selectAll().where('tenant_id', '=', tenantId)
  if (filter.own && 'userId' in filter.own) query = query.where('user_id', '=', filter.own.userId)
  if (filter.own && 'keyId' in filter.own) query = query.where('id', '=', filter.own.keyId)
  if (filter.userId !== null) query = query.where('user_id', '=', filter.userId)
  if (filter.teamId !== null) query = query.where('team_id', '=', filter.teamId)
  if (filter.q !== null) query = query.where(hasText(['name', 'id', 'hint', 'user_id'], filter.q))
  if (filter.after !== null) query = query.where('id', '<', filter.after)
  if (filter.status === 'revoked') query = query.where('revoked_at', 'is not', null)
  if (filter.status === 'expired')
    query = query.where('revoked_at', 'is', null).where('expires_at', '<=', sql<Date>`now()`)
  if (filter.status === 'active') {
    query = query
      .where('revoked_at', 'is', null)
      .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', sql<Date>`now()`)]))
  }
  return await query.orderBy('id', 'desc').limit(filter.limit).execute()
}

export type IdentityRow = NonNullable<Awaited<ReturnType<typeof findIdentityByHash>>>

export async function findIdentityByHash(db: Db, hash: Buffer) {
  return await selectIdentities(db).where('keys.hash', '=', hash).executeTakeFirst()
}

export async function findIdentityById(
  db: Db,
  tenantId: string,
  id: string,
): Promise<IdentityRow | undefined> {
  return await selectIdentities(db)
    .where('keys.tenant_id', '=', tenantId)
    .where('keys.id', '=', id)
    .executeTakeFirst()
}

/** Reads the key, its owner and its team at once: everything that decides what the key may do. */
function selectIdentities(db: Db) {
  return db
    .selectFrom('keys')
    .leftJoin('members', (join) =>
      join.onRef('members.tenant_id', '=', 'keys.tenant_id').onRef('members.user_id', '=', 'keys.user_id'),
    )
    .leftJoin('teams', (join) =>
      join
        .onRef('teams.tenant_id', '=', 'keys.tenant_id')
        .on('teams.id', '=', sql`coalesce(keys.team_id, members.team_id)`),
    )
    .select([
      'keys.id',
      'keys.tenant_id',
      'keys.hash',
      'keys.name',
      'keys.metadata',
      'keys.role',
      'keys.user_id',
      'keys.rpm_limit',
      'keys.tpm_limit',
      'keys.limits_since',
      'keys.allowed_models',
      'keys.allowed_tools',
      'keys.expires_at',
      'keys.revoked_at',
      'members.name as owner_name',
      'members.email as owner_email',
      'members.role as owner_role',
      'members.status as owner_status',
      'members.allowed_models as owner_allowed_models',
      'members.allowed_tools as owner_allowed_tools',
      'members.budget_cap_nanos',
      'teams.id as team_id',
      'teams.name as team_name',
      'teams.allowed_tools as team_allowed_tools',
      'teams.budget_pool_nanos',
    ])
}

/** Rows are locked in the order of their ids, so that two replicas that touch the same keys cannot deadlock. */
export async function touchKeys(db: Db, usedAt: Map<string, Date>): Promise<void> {
  const ids = [...usedAt.keys()]
  const times = [...usedAt.values()].map((time) => time.toISOString())
  await sql`with locked as (select id from keys where id = any(${ids}::text[]) order by id for no key update)
    update keys set last_used_at = greatest(last_used_at, used.at)
    from locked join unnest(${ids}::text[], ${times}::timestamptz[]) as used (id, at) using (id)
    where keys.id = locked.id`.execute(db)
}

/** Renames the keys of an erased person to their ids, and deletes their metadata. Returns the ids of the keys. */
export async function eraseKeyNames(
  tx: Tx,
  { tenantId, userId }: { tenantId: string; userId: string },
): Promise<string[]> {
  const rows = await tx
    .updateTable('keys')
    .set({ name: sql.ref('id'), metadata: {} })
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}
