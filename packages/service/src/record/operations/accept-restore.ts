import type { RestoreDetails } from '@tallystick/record/format'
import { sql } from 'kysely'
import { type Db, inBoundedTransaction } from '../../db/index.js'
import type { RecordFault } from '../marks/record-marks.js'
import type { RecordEvent } from '../write/event-recorder.js'

export interface AcceptOptions {
  /** The name of the operator who accepts the restores. */
  by: string
  /** The stores whose marks were compared with the records. */
  asked: readonly string[]
}

/**
 * Accepts the records of a restored database on behalf of an operator. The transaction that lets a record continue also writes an entry
 * about it, so that holders of earlier entries or checkpoints learn why these do not match.
 */
export async function acceptRestores(
  { db, recordEvent }: { db: Db; recordEvent: RecordEvent },
  faults: readonly RecordFault[],
  { by, asked }: AcceptOptions,
): Promise<void> {
  for (const fault of faults) {
    const { tenant, sealed, keptSize, atMs } = fault
    await inBoundedTransaction(db, async (tx) => {
      const seq = await recordEvent(tx, tenant, {
        event: 'record.restore',
        subject: `${sealed.size}${sealed.last === null ? '' : `:${sealed.last}`}`,
        by,
        reason: explain(fault),
        restore: { ...restoreDetailsOf(fault), asked: [...asked] },
      })
      await sql`
        insert into record_restores (tenant_id, accepted_at, sealed_size, kept_size, seq, sealed_root)
        values (${tenant}, greatest(clock_timestamp(), ${new Date(atMs)}), ${sealed.size}, ${keptSize}, ${seq}, ${sealed.root})`.execute(
        tx,
      )
      await sql`delete from contradicted_marks where tenant_id = ${tenant} and size <= ${sealed.size}`.execute(
        tx,
      )
    })
  }
}

export const restoreDetailsOf = ({
  sealed,
  keptSize,
  corrects,
}: RecordFault): Omit<RestoreDetails, 'asked'> => ({
  sealedSize: sealed.size,
  ...(sealed.root !== null && { sealedRoot: sealed.root }),
  ...(keptSize !== null && { keptSize, missingEntries: sealed.size - keptSize }),
  ...(corrects !== null && { corrects }),
})

const explain = ({ sealed, keptSize }: RecordFault): string =>
  keptSize === null
    ? `The database was restored to an earlier moment: the record had been sealed up to entry ${sealed.size}, and some of these entries are others now`
    : `The database was restored to an earlier moment: entries ${keptSize + 1} to ${sealed.size} had been sealed, and are missing or others from here on`
