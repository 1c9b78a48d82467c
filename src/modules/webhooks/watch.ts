import { sql } from 'kysely'
import type { Db } from '../../db/index.js'
import { pruneDeliveries, pruneOccurrences } from './prune.js'
import { watchSpikes } from './spikes.js'
import { watchThresholds } from './thresholds.js'

/** Looks, from time to time and on one replica at a time, for what no single receipt shows; and clears what is old. */
export interface Watch {
  close(): Promise<void>
}

const lookEveryMs = 30_000

export function startWatch(options: {
  db: Db
  now(): Date
  retentionDays: number
  onError(error: unknown): void
}): Watch {
  const { db, now, retentionDays, onError } = options

  async function look(): Promise<void> {
    if (!(await takeTurn(db))) return
    await watchThresholds(db)
    await watchSpikes(db, now())
    await pruneDeliveries(db, retentionDays)
    await pruneOccurrences(db, retentionDays)
  }
  let looking = look().catch(onError)
  const timer = setInterval(() => {
    looking = looking.then(look).catch(onError)
  }, lookEveryMs).unref()

  return {
    async close() {
      clearInterval(timer)
      await looking
    },
  }
}

/** Of the replicas that ask within half a minute one gets it; the row's lock decides between two that ask at once. */
export async function takeTurn(db: Db): Promise<boolean> {
  const { rows } = await sql`
    update webhook_watch set watched_at = now() where watched_at < now() - interval '20 seconds'
    returning watched_at`.execute(db)
  return rows.length > 0
}
