import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { type Db, locks, type Tx } from '../db/index.js'
import { decrypt, encrypt, keyBytes } from './cipher.js'
import type { MasterKey } from './master-keys.js'

/** A data key as it is stored, encrypted under a master key. */
export interface WrappedDataKey {
  id: Buffer
  wrapped: Buffer
  masterKeyId: string
  createdAt: Date
}

export interface DataKey {
  id: Buffer
  bytes: Buffer
  createdAt: Date
}

export const dataKeyIdBytes = 8

/** Acquires a lock for the transaction, so that one replica at a time creates or changes data keys. */
export async function lockDataKeys(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${locks.dataKeys})`.execute(tx)
}

/** Lists the data keys, oldest first. */
export async function listDataKeys(db: Db): Promise<WrappedDataKey[]> {
  return await db
    .selectFrom('data_keys')
    .select(['id', 'wrapped', 'master_key_id as masterKeyId', 'created_at as createdAt'])
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export async function insertDataKey(tx: Tx, master: MasterKey): Promise<void> {
  const id = randomBytes(dataKeyIdBytes)
  await tx
    .insertInto('data_keys')
    .values({ id, wrapped: wrap(master, id, randomBytes(keyBytes)), master_key_id: master.id })
    .execute()
}

export async function rewrapDataKey(tx: Tx, { id, bytes }: DataKey, master: MasterKey): Promise<void> {
  await tx
    .updateTable('data_keys')
    .set({ wrapped: wrap(master, id, bytes), master_key_id: master.id })
    .where('id', '=', id)
    .execute()
}

/** Decrypts a data key. Null when its master key is missing. */
export function unwrap(
  { id, wrapped, masterKeyId, createdAt }: WrappedDataKey,
  masters: readonly MasterKey[],
): DataKey | null {
  const master = masters.find((each) => each.id === masterKeyId)
  const bytes = master ? decrypt(master.bytes, contextOf(id, master), wrapped) : null
  return bytes === null ? null : { id, bytes, createdAt }
}

const wrap = (master: MasterKey, id: Buffer, bytes: Buffer) =>
  encrypt(master.bytes, contextOf(id, master), bytes)

const contextOf = (id: Buffer, master: MasterKey) =>
  Buffer.from(JSON.stringify(['tallystick data key', id.toString('hex'), master.id]))

/** Returns null before the first start of the service. */
export async function readCurrentMasterKeyId(db: Db): Promise<string | null> {
  const { master_key_id } = await db.selectFrom('instance').select('master_key_id').executeTakeFirstOrThrow()
  return master_key_id
}

/** Makes this the key under which data keys are created. All replicas are notified when the transaction commits. */
export async function setCurrentMasterKey(tx: Tx, { id }: MasterKey): Promise<void> {
  await tx.updateTable('instance').set({ master_key_id: id }).execute()
  await sql`select pg_notify('tallystick_changes', 'data_keys:')`.execute(tx)
}
