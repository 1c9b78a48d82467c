import { sql } from 'kysely'
import { type Changes, type Db, startPeriodic } from '../../../db/index.js'
import { pruneDeliveries, pruneOccurrences } from '../delivery/prune.js'
import { pruneAlerts, recordAlerts } from './alert-log.js'
import { type AlertCheck, createAlertSchedule } from './alert-schedule.js'
import { checkSpikes } from './spikes.js'
import { checkThresholds } from './thresholds.js'

/** Finds, on one replica at a time, conditions that no single receipt shows, and deletes old rows. */
export interface PeriodicChecks {
  close(): Promise<void>
}

const intervalMs = 30_000

export function startPeriodicChecks(options: {
  db: Db
  changes: Pick<Changes, 'subscribe'>
  now(): Date
  retentionDays: number
  onError(error: unknown): void
}): PeriodicChecks {
  const { db, changes, now, retentionDays, onError } = options
  const schedule = createAlertSchedule(changes)
  let last: AlertCheck | undefined

  async function check(): Promise<void> {
    const next = schedule.begin(await countEntries(db))
    if (!schedule.isDue(next, last) || !(await acquireTurn(db))) return
    await checkThresholds(db)
    await checkSpikes(db, now())
    const isComplete = await recordAlerts(db, now(), null)
    await pruneDeliveries(db, retentionDays)
    await pruneOccurrences(db, retentionDays)
    await pruneAlerts(db, retentionDays)
    if (isComplete) last = next
  }
  return startPeriodic({ run: check, everyMs: intervalMs, startsAtOnce: true, onError })
}

async function countEntries(db: Db): Promise<number> {
  const { rows } = await sql<{ entries: number }>`
    select coalesce(sum(size), 0)::bigint as entries from record_heads`.execute(db)
  return rows[0]?.entries ?? 0
}

/**
 * Every replica tries twice a minute, and one of them runs the checks; the row's lock decides between concurrent
 * ones.
 */
export async function acquireTurn(db: Db): Promise<boolean> {
  const { rows } = await sql`
    update webhook_watch set watched_at = now() where watched_at < now() - interval '20 seconds'
    returning watched_at`.execute(db)
  return rows.length > 0
}
