import { type Selectable, sql } from 'kysely'
import type { Db, Tables, Tx } from '../../db/index.js'
import type { Owner } from '../../http/index.js'
import { erasedText } from '../audit/index.js'

export type SessionRow = Selectable<Tables['sessions']>

/** A session ends after this long without use, and at the latest at its maximum age. */
export const maxIdleMs = 12 * 3_600_000
export const maxAgeMs = 7 * 86_400_000

const isAlive = sql<boolean>`sessions.ended_at is null and sessions.created_at > now() - make_interval(secs => ${maxAgeMs / 1_000})
  and sessions.last_seen_at > now() - make_interval(secs => ${maxIdleMs / 1_000})`

export async function insertSession(
  tx: Tx,
  row: Omit<SessionRow, 'created_at' | 'last_seen_at' | 'ended_at'>,
): Promise<SessionRow> {
  return await tx
    .insertInto('sessions')
    .values({ ...row, ended_at: null })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Includes the state of its user. That of its key is looked up with the key. */
const selectSessions = (db: Db) =>
  db
    .selectFrom('sessions')
    .leftJoin('members', (join) =>
      join
        .onRef('members.tenant_id', '=', 'sessions.tenant_id')
        .onRef('members.user_id', '=', 'sessions.user_id'),
    )
    .select([
      'sessions.id',
      'sessions.tenant_id',
      'sessions.hash',
      'sessions.key_id',
      'sessions.user_id',
      'sessions.created_at',
      'sessions.last_seen_at',
      'sessions.ended_at',
      'members.role',
      'members.status',
      'members.removed_at',
    ])

export type SessionState = NonNullable<Awaited<ReturnType<typeof findSessionByHash>>>

export const findSessionByHash = (db: Db, hash: Buffer) =>
  selectSessions(db).where('sessions.hash', '=', hash).executeTakeFirst()

export const findSessionById = (db: Db, tenantId: string, id: string) =>
  selectSessions(db)
    .where('sessions.tenant_id', '=', tenantId)
    .where('sessions.id', '=', id)
    .executeTakeFirst()

/** Lists open sessions, newest first. */
export async function listSessions(
  db: Db,
  tenantId: string,
  { own, after, limit }: { own: Owner; after: string | null; limit: number },
): Promise<SessionRow[]> {
  let query = selectOwn(db, tenantId, own).where(isAlive)
  if (after !== null) query = query.where('id', '<', after)
  return await query.orderBy('id', 'desc').limit(limit).execute()
}

/** Also finds a session that has ended. */
export const findOwnSession = (db: Db, tenantId: string, own: Owner, id: string) =>
  selectOwn(db, tenantId, own).where('id', '=', id).executeTakeFirst()

function selectOwn(db: Db, tenantId: string, own: Owner) {
  const query = db.selectFrom('sessions').selectAll().where('tenant_id', '=', tenantId)
  if ('userId' in own) return query.where('user_id', '=', own.userId)
  return query.where('key_id', '=', own.keyId).where('user_id', 'is', null)
}

/**
 * Ends sessions in the order of their ids, the same order in which their last use is stored. Returns those that
 * this call ended.
 */
export async function endSessionRows(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
): Promise<SessionRow[]> {
  const { rows } = await sql<SessionRow>`update sessions set ended_at = now() where id in (
    select id from sessions
    where tenant_id = ${tenantId} and id = any(${[...ids]}::text[]) and ended_at is null order by id for update)
    returning *`.execute(tx)
  return rows
}

/**
 * Rows are locked in the order of their ids, so that two replicas that update the same sessions cannot deadlock.
 */
export async function noteSeen(db: Db, seenAt: ReadonlyMap<string, number>): Promise<void> {
  const ids = [...seenAt.keys()]
  const times = [...seenAt.values()].map((time) => new Date(time).toISOString())
  await sql`with locked as (select id from sessions where id = any(${ids}::text[]) order by id for no key update)
    update sessions set last_seen_at = greatest(last_seen_at, seen.at)
    from locked join unnest(${ids}::text[], ${times}::timestamptz[]) as seen (id, at) using (id)
    where sessions.id = locked.id`.execute(db)
}

/** Deletes expired sessions. An ended session is kept until then, so that ending it again succeeds. */
export async function deleteOldSessions(db: Db): Promise<void> {
  await sql`delete from sessions where id in (
    select id from sessions where created_at < now() - make_interval(secs => ${maxAgeMs / 1_000})
    order by id limit 10000 for update skip locked)`.execute(db)
}

/**
 * Locks the rows that a session depends on, and returns whether it is still valid: a change that ends sessions
 * waits, or is seen. The lock also serialises the sign-ins of one owner, so that each counts the earlier sessions.
 * It must not be a shared one.
 */
export async function isStillActive(
  tx: Tx,
  { tenantId, keyId, userId }: { tenantId: string; keyId: string | null; userId: string | null },
): Promise<boolean> {
  if (keyId !== null) {
    const key = await tx
      .selectFrom('keys')
      .select(['user_id', 'revoked_at'])
      .where('tenant_id', '=', tenantId)
      .where('id', '=', keyId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (key === undefined || key.revoked_at !== null || key.user_id !== userId) return false
  }
  if (userId === null) return true
  const member = await tx
    .selectFrom('members')
    .select(['status', 'removed_at'])
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return member?.status === 'active' && member.removed_at === null
}

/** Returns the names of the caller, for display besides ids. */
export async function findNames(
  db: Db,
  { tenantId, keyId, userId }: { tenantId: string; keyId: string | null; userId: string | null },
) {
  return await db
    .selectFrom('tenants')
    .leftJoin('members', (join) =>
      join.onRef('members.tenant_id', '=', 'tenants.id').on('members.user_id', '=', userId),
    )
    .leftJoin('keys', (join) => join.onRef('keys.tenant_id', '=', 'tenants.id').on('keys.id', '=', keyId))
    .select([
      'tenants.name as tenant_name',
      'members.name as user_name',
      'members.email as user_email',
      'keys.name as key_name',
      'keys.expires_at as key_expires_at',
    ])
    .where('tenants.id', '=', tenantId)
    .executeTakeFirstOrThrow()
}

/**
 * Erases where a person signed in from, and with which browser. Returns the ids of the sessions, which stay open.
 */
export async function eraseSessionOrigins(
  tx: Tx,
  { tenantId, userId }: { tenantId: string; userId: string },
): Promise<string[]> {
  const rows = await tx
    .updateTable('sessions')
    .set({ ip: erasedText, user_agent: erasedText })
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}
