import { sql } from 'kysely'
import { type Db, locks, newId, type Tx } from '../../db/index.js'
import { type SealedLocation, type Secrets, undecryptable } from '../../secrets/index.js'
import { unavailable } from '../../shared/errors.js'

/** The virtual key that a file or a batch belongs to: no other key sees it. */
export interface Owner {
  tenantId: string
  keyId: string
  userId: string | null
}

export type FilePurpose = 'batch' | 'batch_output'

export interface FileRecord {
  id: string
  name: string
  purpose: FilePurpose
  bytes: number
  createdAt: Date
  expiresAt: Date
}

export interface NewFile {
  purpose: FilePurpose
  name: string
  content: Buffer
}

/** A file with sealed name and content, ready to be stored. */
export interface SealedFile {
  owner: Owner
  record: FileRecord
  sealedName: Buffer
  sealedContent: Buffer
}

export interface Page {
  limit: number
  /** The id of the last one that the caller has received. */
  after: string | null
}

/** The files of batches, which are stored sealed: callers upload some and receive their results as others. */
export interface BatchFiles {
  seal(owner: Owner, file: NewFile): Promise<SealedFile>
  /** Rejects with 503 while the content cannot be decrypted. */
  find(owner: Owner, id: string): Promise<FileRecord | null>
  content(owner: Owner, id: string): Promise<Buffer | null>
  list(owner: Owner, page: Page): Promise<FileRecord[]>
}

const lifetimeMs = 30 * 86_400_000

export function createBatchFiles({ db, secrets }: { db: Db; secrets: Secrets }): BatchFiles {
  async function open(location: SealedLocation, sealed: Buffer): Promise<Buffer> {
    const opened = await secrets.open(location, sealed)
    if (opened === undecryptable) throw unavailable('The file cannot be opened with the keys that are there')
    return opened
  }

  async function present(owner: Owner, { name, created_at, expires_at, ...row }: Row): Promise<FileRecord> {
    const opened = await open(locationOf('name', owner, row.id), name)
    return { ...row, name: opened.toString(), createdAt: created_at, expiresAt: expires_at }
  }

  const ofOwner = ({ tenantId, keyId }: Owner) =>
    db
      .selectFrom('batch_files')
      .where('tenant_id', '=', tenantId)
      .where('key_id', '=', keyId)
      .where('expires_at', '>', sql<Date>`now()`)

  return {
    async seal(owner, { purpose, name, content }) {
      const createdAt = new Date()
      const id = newId('file')
      const expiresAt = new Date(createdAt.getTime() + lifetimeMs)
      return {
        owner,
        record: { id, name, purpose, bytes: content.length, createdAt, expiresAt },
        sealedName: await secrets.seal(locationOf('name', owner, id), Buffer.from(name)),
        sealedContent: await secrets.seal(locationOf('content', owner, id), content),
      }
    },
    async find(owner, id) {
      const row = await ofOwner(owner).select(columns).where('id', '=', id).executeTakeFirst()
      return row ? await present(owner, row) : null
    },
    async content(owner, id) {
      const row = await ofOwner(owner).select('content').where('id', '=', id).executeTakeFirst()
      return row ? await open(locationOf('content', owner, id), row.content) : null
    },
    async list(owner, { limit, after }) {
      const rows = await ofOwner(owner)
        .select(columns)
        .$if(after !== null, (query) => query.where('id', '<', after))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return await Promise.all(rows.map((row) => present(owner, row)))
    },
  }
}

const columns = ['id', 'name', 'purpose', 'bytes', 'created_at', 'expires_at'] as const

interface Row {
  id: string
  name: Buffer
  purpose: FilePurpose
  bytes: number
  created_at: Date
  expires_at: Date
}

const locationOf = (column: 'name' | 'content', { tenantId }: Owner, id: string): SealedLocation => ({
  purpose: `batch_files.${column}`,
  tenantId,
  rowId: id,
})

/**
 * Stores sealed content, unless its user was erased after `erasedTo`, the last erasure known when it was created.
 * The lock makes an erasure wait for content that is being stored, and later content see the erasure. False when
 * nothing was stored.
 */
export async function insertFile(
  tx: Tx,
  { owner, record, sealedName, sealedContent }: SealedFile,
  erasedTo: number,
): Promise<boolean> {
  const { tenantId, keyId, userId } = owner
  const { id, purpose, bytes, createdAt, expiresAt } = record
  await sql`select pg_advisory_xact_lock_shared(${locks.content}, hashtext(${tenantId}))`.execute(tx)
  const { rows } = await sql`
    insert into batch_files (id, tenant_id, key_id, user_id, purpose, bytes, name, content, created_at, expires_at)
    select ${id}::text, ${tenantId}::text, ${keyId}::text, ${userId}::text, ${purpose}::text, ${bytes}::int,
      ${sealedName}::bytea, ${sealedContent}::bytea, ${createdAt}::timestamptz, ${expiresAt}::timestamptz
    where not exists (
      select from erasures
      where erasures.tenant_id = ${tenantId} and erasures.user_id = ${userId} and erasures.control_seq > ${erasedTo})
    returning id`.execute(tx)
  return rows.length > 0
}
