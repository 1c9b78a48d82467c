import { sql } from 'kysely'
import { type Db, locks, type Tx } from '../../db/index.js'

export interface NewAnswer {
  tenantId: string
  keyHash: Buffer
  /** The user of the call. */
  userId: string | null
  sealed: Buffer
  ttlSeconds: number
  /** The last erasure that was known when the call began. */
  erasedTo: number
}

/** `ttlSeconds` is the route's current value, whatever it was when the response was stored. */
export async function findSealed(
  db: Db,
  { tenantId, keyHash, ttlSeconds }: Pick<NewAnswer, 'tenantId' | 'keyHash' | 'ttlSeconds'>,
): Promise<Buffer | null> {
  const { rows } = await sql<{ sealed: Buffer }>`
    select sealed from cached_answers
    where tenant_id = ${tenantId} and key_hash = ${keyHash} and expires_at > now()
      and created_at > now() - make_interval(secs => ${ttlSeconds})`.execute(db)
  return rows[0]?.sealed ?? null
}

/**
 * Stores responses of one tenant, unless their user was erased after the call began; when the tenant has too many,
 * the oldest are deleted. The lock makes an erasure wait for content that is being stored, and later content see
 * the erasure.
 */
export async function insertAnswers(
  tx: Tx,
  answers: readonly NewAnswer[],
  maxAnswers: number,
): Promise<void> {
  // A statement cannot write one row twice: of responses to the same request, the newest is stored.
  const newest = [...new Map(answers.map((answer) => [answer.keyHash.toString('hex'), answer])).values()]
  const [first] = newest
  if (first === undefined) return
  const { tenantId } = first
  await sql`select pg_advisory_xact_lock_shared(${locks.content}, hashtext(${tenantId}))`.execute(tx)
  await sql`
    insert into cached_answers (tenant_id, key_hash, user_id, sealed, expires_at, created_at)
    select ${tenantId}::text, a.key_hash, a.user_id, a.sealed, a.at + make_interval(secs => a.ttl), a.at
    from (select *, now() + place * interval '1 microsecond' as at from unnest(
      ${newest.map(({ keyHash }) => keyHash)}::bytea[], ${newest.map(({ userId }) => userId)}::text[],
      ${newest.map(({ sealed }) => sealed)}::bytea[], ${newest.map(({ ttlSeconds }) => ttlSeconds)}::int[],
      ${newest.map(({ erasedTo }) => erasedTo)}::bigint[]) with ordinality as u (key_hash, user_id, sealed, ttl, erased_to, place)) as a
    where not exists (
      select from erasures e
      where e.tenant_id = ${tenantId} and e.user_id = a.user_id and e.control_seq > a.erased_to)
    order by a.key_hash
    on conflict (tenant_id, key_hash) do update
      set user_id = excluded.user_id, sealed = excluded.sealed, created_at = excluded.created_at, expires_at = excluded.expires_at`.execute(
    tx,
  )
  await sql`
    delete from cached_answers where tenant_id = ${tenantId} and created_at <= (
      select created_at from cached_answers where tenant_id = ${tenantId}
      order by created_at desc offset ${maxAnswers} limit 1)`.execute(tx)
}

/** Called under the lock that storing waits for. */
export async function eraseCachedAnswers(
  tx: Tx,
  { tenantId, userId }: { tenantId: string; userId: string },
): Promise<void> {
  await tx
    .deleteFrom('cached_answers')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .execute()
}

const rowsPerStep = 500

/** Deletes some expired responses. Returns whether there may be more. */
export async function deleteExpired(db: Db): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from cached_answers where ctid in (
      select ctid from cached_answers where expires_at <= now() limit ${rowsPerStep})`.execute(db)
  return Number(numAffectedRows) === rowsPerStep
}

export async function findSealedKey(db: Db, tenantId: string): Promise<Buffer | null> {
  const row = await db
    .selectFrom('cache_keys')
    .select('sealed')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  return row?.sealed ?? null
}

/** Replaces a key that could not be decrypted, or adds the first one; another replica may have done so already. */
export async function replaceSealedKey(
  db: Db,
  tenantId: string,
  { before, sealed }: { before: Buffer | null; sealed: Buffer },
): Promise<void> {
  await sql`
    insert into cache_keys (tenant_id, sealed) values (${tenantId}, ${sealed})
    on conflict (tenant_id) do update set sealed = excluded.sealed
    where cache_keys.sealed = ${before}`.execute(db)
}
