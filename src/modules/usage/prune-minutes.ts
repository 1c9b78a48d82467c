import { sql } from 'kysely'
import { type Db, startPeriodic } from '../../db/index.js'

/** Keeps the rollup by the minute short. The hours hold the same calls for good. */
export interface MinutePruner {
  close(): Promise<void>
}

const pruneEveryMs = 5 * 60_000
// The shortest range looks one hour back; the second hour is for replicas whose clocks differ.
const keptMs = 2 * 3_600_000

export function createMinutePruner(options: {
  db: Db
  now(): Date
  onError(error: unknown): void
}): MinutePruner {
  const { db, now, onError } = options
  const run = () => pruneMinutes(db, new Date(now().getTime() - keptMs))
  return startPeriodic({ run, everyMs: pruneEveryMs, startsAtOnce: true, onError })
}

/** Passes over rows that someone else holds: replicas that prune at once, or a ledger writing late receipts, never wait. */
async function pruneMinutes(db: Db, before: Date): Promise<void> {
  await sql`
    delete from usage_minutes where ctid = any(array(
      select ctid from usage_minutes where minute < ${before} for update skip locked
    ))`.execute(db)
}
