import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../db/index.js'
import { activateNextKeyFile } from '../keys/key-file.js'
import { listPublishedKeys, publishSigningKey, retireSigningKey } from '../keys/published-keys.js'
import { prepareNextSigningKey, type SigningKey } from '../keys/signing-key.js'
import type { CommitOptions } from '../write/commit.js'
import { isRecorded, listRecordTenants, recordControlEvents } from './control-events.js'

export interface RotationOptions {
  db: Db
  databaseUrl: string
  dataDir: string
  marks: CommitOptions['marks']
  now: Date
}

// A running service is notified of the new key within milliseconds. If it is not, the database refuses seals by the old
// key, and receipts wait in the spool until the service has the new one.
const handoverMs = 500

/**
 * Replaces the key in the data directory. Every record gets an entry about it, sealed with the old key: a reader who
 * trusts the old key learns from it which key comes next. Each step can be repeated, so the next attempt completes one
 * that failed.
 */
export async function rotateSigningKey(
  { db, databaseUrl, dataDir, marks, now }: RotationOptions,
  old: SigningKey,
): Promise<{ retired: string; added: string; records: number }> {
  const tenantIds = await listRecordTenants(db)
  await completeFailedRotation(db, tenantIds, old.publicKey.id, now)
  const next = await prepareNextSigningKey(dataDir)
  const [retired, added] = [old.publicKey.id, next.publicKey.id]
  await publishSigningKey(db, next.publicKey)
  await recordControlEvents({ databaseUrl, signingKey: old, marks, now }, tenantIds, [
    { event: 'signing_key.add', subject: added },
    { event: 'signing_key.retire', subject: retired },
  ])
  await activateNextKeyFile(dataDir)
  await sql`select pg_notify('tallystick_changes', 'signing_keys:')`.execute(db)
  await pause(handoverMs)
  await retireSigningKey(db, retired, now)
  return { retired, added, records: tenantIds.length }
}

/** Retires keys that are retired according to the records: an earlier attempt failed before its last step. */
async function completeFailedRotation(
  db: Db,
  tenantIds: readonly string[],
  currentId: string,
  now: Date,
): Promise<void> {
  for (const { id, retiredAt } of await listPublishedKeys(db)) {
    if (id === currentId || retiredAt !== null) continue
    if (await isRecorded(db, tenantIds, { event: 'signing_key.retire', subject: id }))
      await retireSigningKey(db, id, now)
  }
}

/**
 * Retires a key whose private half is elsewhere or lost. `own` seals the entries about it. A compromised key is retired in the database
 * first: after the entry about it, no seal of it is valid.
 */
export async function retireOtherKey(
  { db, databaseUrl, marks, now }: Omit<RotationOptions, 'dataDir'>,
  own: SigningKey,
  { id, compromisedBy }: { id: string; compromisedBy?: string },
): Promise<{ records: number }> {
  await publishSigningKey(db, own.publicKey)
  const tenantIds = await listRecordTenants(db)
  if (compromisedBy !== undefined) await retireSigningKey(db, id, now)
  await recordControlEvents({ databaseUrl, signingKey: own, marks, now }, tenantIds, [
    { event: 'signing_key.retire', subject: id },
    ...(compromisedBy === undefined
      ? []
      : [{ event: 'signing_key.compromise' as const, subject: id, by: compromisedBy }]),
  ])
  await retireSigningKey(db, id, now)
  return { records: tenantIds.length }
}
