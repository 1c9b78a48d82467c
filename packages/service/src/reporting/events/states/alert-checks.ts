import type { Changes, Db } from '../../../db/index.js'
import { type AlertCheck, createAlertSchedule, recordAlerts } from '../../../resources/webhooks/index.js'
import type { Feed } from '../feeds.js'

/** Records the alerts of tenants that somebody listens to. */
export interface AlertChecks {
  run(feeds: readonly Feed[]): Promise<void>
}

// The checks take at most one twentieth of the time, however fast records grow.
const pausePerMs = 20
const longestPauseMs = 10_000

/** Checks a tenant after its record has grown or a limit has changed, and otherwise rarely. */
export function createAlertChecks(options: {
  db: Db
  changes: Pick<Changes, 'subscribe'>
  now(): Date
  /** Set by tests. */
  maxPauseMs?: number
}): AlertChecks {
  const { db, changes, now, maxPauseMs = longestPauseMs } = options
  const schedule = createAlertSchedule(changes)
  const last = new WeakMap<Feed, AlertCheck>()
  let nextMs = 0

  return {
    async run(feeds) {
      const beganMs = performance.now()
      if (beganMs < nextMs) return
      const due = feeds.flatMap((feed) => {
        const next = schedule.begin(feed.position.step)
        return schedule.isDue(next, last.get(feed)) ? [{ feed, next }] : []
      })
      if (due.length === 0) return
      const tenantIds = due.map(({ feed }) => feed.tenantId)
      if (!(await recordAlerts(db, now(), tenantIds))) return
      for (const { feed, next } of due) last.set(feed, next)
      const endMs = performance.now()
      nextMs = endMs + Math.min(maxPauseMs, pausePerMs * (endMs - beganMs))
    },
  }
}
