import { sql } from 'kysely'
import { type Db, startPeriodic } from '../../../db/index.js'

/** Deletes old rows of the rollup by minute. The rollup by hour keeps the same calls permanently. */
export interface MinutePruner {
  close(): Promise<void>
}

const intervalMs = 5 * 60_000
// The shortest range covers one hour; the second hour is for replicas whose clocks differ.
const retentionMs = 2 * 3_600_000

export function createMinutePruner(options: {
  db: Db
  now(): Date
  onError(error: unknown): void
}): MinutePruner {
  const { db, now, onError } = options
  const run = () => pruneMinutes(db, new Date(now().getTime() - retentionMs))
  return startPeriodic({ run, everyMs: intervalMs, startsAtOnce: true, onError })
}

/** Skips locked rows: concurrent pruning and late receipts never wait for each other. */
async function pruneMinutes(db: Db, before: Date): Promise<void> {
  await sql`
    delete from folded_usage_minutes where ctid = any(array(
      select ctid from folded_usage_minutes where minute < ${before} for update skip locked
    ))`.execute(db)
}
