import { type Db, type Periodic, startPeriodic } from '../../db/index.js'
import { dropPartitionsBefore } from './partitions.js'
import { deleteDueContent, readCutoffs } from './store.js'

const intervalMs = 600_000

/** Deletes expired content. Expired content is no longer shown, however long this takes. */
export function startContentRetention({ db, onError }: { db: Db; onError(error: unknown): void }): Periodic {
  return startPeriodic({
    run: () => deleteDue(db),
    everyMs: intervalMs,
    startsAtOnce: true,
    onError,
  })
}

/** Drops the partitions of days that have expired for every tenant. The rest is deleted by rows. */
export async function deleteDue(db: Db): Promise<void> {
  const cutoffs = await readCutoffs(db)
  if (cutoffs === null) return
  await dropPartitionsBefore(db, cutoffs.everybody)
  for (const tenantId of cutoffs.tenants) while (await deleteDueContent(db, tenantId));
}
