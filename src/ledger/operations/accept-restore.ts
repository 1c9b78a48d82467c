import { sql } from 'kysely'
import { type Db, inBoundedTransaction } from '../../db/index.js'
import type { RecordFault } from '../marks/record-marks.js'
import type { RecordEvent } from '../write/event-recorder.js'

/**
 * An operator accepts that records end where the database has them. Each of them says so itself, in the transaction that lets it go on:
 * who holds entries or checkpoints of before learns from it why they do not fit.
 */
export async function acceptRestores(
  { db, recordEvent }: { db: Db; recordEvent: RecordEvent },
  faults: readonly RecordFault[],
): Promise<void> {
  for (const { tenant, sealed, keptSize } of faults) {
    await inBoundedTransaction(db, async (tx) => {
      await sql`
        insert into record_restores (tenant_id, accepted_at, sealed_size, kept_size)
        values (${tenant}, greatest(clock_timestamp(), ${new Date(sealed.atMs)}), ${sealed.size}, ${keptSize})`.execute(
        tx,
      )
      await recordEvent(tx, tenant, {
        event: 'record.restore',
        subject: `${sealed.size}${sealed.last === null ? '' : `:${sealed.last}`}`,
        reason:
          keptSize < sealed.size
            ? `The database was restored to an earlier moment: entries ${keptSize + 1} to ${sealed.size} were sealed before, and are others from here on`
            : `The database was restored to an earlier moment: entry ${sealed.size} was another one when it was sealed`,
      })
    })
  }
}
