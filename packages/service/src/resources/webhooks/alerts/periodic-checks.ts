import { sql } from 'kysely'
import { type Changes, type Db, startPeriodic } from '../../../db/index.js'
import { pruneDeliveries, pruneOccurrences } from '../delivery/prune.js'
import { pruneAlerts, recordAlerts } from './alert-log.js'
import { checkSpikes } from './spikes.js'
import { checkThresholds } from './thresholds.js'

/** Finds, on one replica at a time, conditions that no single receipt shows, and deletes old rows. */
export interface PeriodicChecks {
  close(): Promise<void>
}

const intervalMs = 30_000
// The checks take the database 200 ms. While nothing changes they are repeated rarely, only because the hour to
// compare with moves on.
const unchangedMs = 300_000
const limitTables = ['budgets', 'budget_requests', 'teams', 'members', 'webhook_endpoints']

export function startPeriodicChecks(options: {
  db: Db
  changes: Pick<Changes, 'subscribe'>
  now(): Date
  retentionDays: number
  onError(error: unknown): void
}): PeriodicChecks {
  const { db, changes, now, retentionDays, onError } = options
  /** When this replica last checked, and at how many entries of all records. Forgotten when a limit or a webhook changes. */
  let checked = { atMs: 0, entries: -1 }
  const forget = () => {
    checked = { atMs: 0, entries: -1 }
  }
  changes.subscribe({
    onChange: ({ table }) => (limitTables.includes(table) ? forget() : undefined),
    onGap: forget,
  })

  async function check(): Promise<void> {
    const last = checked
    const entries = await countEntries(db)
    const atMs = performance.now()
    if (entries === last.entries && atMs - last.atMs < unchangedMs) return
    if (!(await acquireTurn(db))) return
    await checkThresholds(db)
    await checkSpikes(db, now())
    await recordAlerts(db, now(), null)
    await pruneDeliveries(db, retentionDays)
    await pruneOccurrences(db, retentionDays)
    await pruneAlerts(db, retentionDays)
    // A change during the checks may have come too late for them.
    if (checked === last) checked = { atMs, entries }
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
