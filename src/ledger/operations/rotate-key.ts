import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../db/index.js'
import { adoptNextPem } from '../keys/kept-key.js'
import { listKnownSigningKeys, publishSigningKey, retireSigningKey } from '../keys/published-keys.js'
import { prepareNextSigningKey, type SigningKey } from '../keys/signing-key.js'
import { isRecorded, listRecords, recordControlEvents } from './control-events.js'

export interface RotationPlace {
  db: Db
  databaseUrl: string
  dataDir: string
  now: Date
}

// A running service hears of the new key within milliseconds. Should it not, the database refuses the old key's
// seals, and receipts wait in the spool until it has.
const changeOverMs = 500

/**
 * Replaces the key in the data directory. Every record says so, under the old key's own seal: whoever trusts that one
 * learns from it which key comes next. Each step can be repeated; whatever breaks off is finished by the next attempt.
 */
export async function rotateSigningKey(
  { db, databaseUrl, dataDir, now }: RotationPlace,
  old: SigningKey,
): Promise<{ retired: string; added: string; records: number }> {
  const tenantIds = await listRecords(db)
  await finishBrokenRotation(db, tenantIds, old.publicKey.id, now)
  const next = await prepareNextSigningKey(dataDir)
  const [retired, added] = [old.publicKey.id, next.publicKey.id]
  await publishSigningKey(db, next.publicKey)
  await recordControlEvents({ databaseUrl, signingKey: old, now }, tenantIds, [
    { event: 'signing_key.add', subject: added },
    { event: 'signing_key.retire', subject: retired },
  ])
  await adoptNextPem(dataDir)
  await sql`select pg_notify('tallystick_changes', 'signing_keys:')`.execute(db)
  await pause(changeOverMs)
  await retireSigningKey(db, retired, now)
  return { retired, added, records: tenantIds.length }
}

/** The records say that a key is retired, but the process died before the database did. */
async function finishBrokenRotation(
  db: Db,
  tenantIds: readonly string[],
  present: string,
  now: Date,
): Promise<void> {
  for (const { id, retiredAt } of await listKnownSigningKeys(db)) {
    if (id === present || retiredAt !== null) continue
    if (await isRecorded(db, tenantIds, { event: 'signing_key.retire', subject: id }))
      await retireSigningKey(db, id, now)
  }
}

/** Retires a key that is held elsewhere, or by nobody any more. `own` seals what the records say about it. */
export async function retireForeignKey(
  { db, databaseUrl, now }: Omit<RotationPlace, 'dataDir'>,
  own: SigningKey,
  id: string,
): Promise<{ records: number }> {
  await publishSigningKey(db, own.publicKey)
  const tenantIds = await listRecords(db)
  await recordControlEvents({ databaseUrl, signingKey: own, now }, tenantIds, [
    { event: 'signing_key.retire', subject: id },
  ])
  await retireSigningKey(db, id, now)
  return { records: tenantIds.length }
}
