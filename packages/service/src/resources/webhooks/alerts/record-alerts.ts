import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../db/index.js'
import { insertFound, lockAlerts } from './notify.js'

/** A record that is not signed, because the database lacks entries of it. */
export interface RefusedRecord {
  tenantId: string
  sealedSize: number
  sealedAt: Date
}

// Every replica notices the same restore, and each of them again when it starts.
const reportedOnceWithin = '1 year'

/** Notifies the tenant once of entries that the database lacks. */
export async function recordRefusedRecord(db: Db, refused: RefusedRecord): Promise<void> {
  const { tenantId, sealedSize, sealedAt } = refused
  const at = sealedAt.toISOString()
  const data = {
    message: `The record was signed up to entry ${sealedSize} by ${at}, and the database no longer has all of it. Calls get 503 until an operator runs tallystick record accept-restore`,
    ...{ sealed_size: sealedSize, sealed_at: at },
  }
  await inTransaction(db, async (tx) => {
    await lockAlerts(tx)
    await insertFound(
      tx,
      sql`found as (
        select ${tenantId}::text as tenant_id, ${`record_refused:${sealedSize}`}::text as key, 'record.refused' as event,
          now() + ${reportedOnceWithin}::interval as keep_until, ${JSON.stringify(data)}::text as data)`,
    )
  })
}
