import { sql } from 'kysely'
import { type Db, startPeriodic } from '../../../db/index.js'
import { pruneDeliveries, pruneOccurrences } from '../delivery/prune.js'
import { pruneAlerts, recordAlerts } from './alert-log.js'
import { checkSpikes } from './spikes.js'
import { checkThresholds } from './thresholds.js'

/** Finds, on one replica at a time, conditions that no single receipt shows, and deletes old rows. */
export interface PeriodicChecks {
  close(): Promise<void>
}

const intervalMs = 30_000

export function startPeriodicChecks(options: {
  db: Db
  now(): Date
  retentionDays: number
  onError(error: unknown): void
}): PeriodicChecks {
  const { db, now, retentionDays, onError } = options

  async function check(): Promise<void> {
    if (!(await acquireTurn(db))) return
    await checkThresholds(db)
    await checkSpikes(db, now())
    await recordAlerts(db, now(), null)
    await pruneDeliveries(db, retentionDays)
    await pruneOccurrences(db, retentionDays)
    await pruneAlerts(db, retentionDays)
  }
  return startPeriodic({ run: check, everyMs: intervalMs, startsAtOnce: true, onError })
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
