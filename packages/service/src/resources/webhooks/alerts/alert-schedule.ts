import type { Changes } from '../../../db/index.js'

// While nothing changes, alerts are checked rarely, only because the hour that a spike is compared with moves on.
const unchangedMs = 300_000
const limitTables = ['budgets', 'budget_requests', 'teams', 'members', 'webhook_endpoints']

/** What was known when a check for alerts began. */
export interface AlertCheck {
  atMs: number
  /** A number that changes whenever an entry is recorded. */
  entries: number
  limitChanges: number
}

/** Decides when alerts have to be checked again: after a record has grown, or a limit or a webhook has changed. */
export interface AlertSchedule {
  /** Returns a check that begins now. It is kept only if it ran to its end. */
  begin(entries: number): AlertCheck
  isDue(next: AlertCheck, last: AlertCheck | undefined): boolean
}

export function createAlertSchedule(changes: Pick<Changes, 'subscribe'>): AlertSchedule {
  let limitChanges = 0
  const countChange = () => {
    limitChanges += 1
  }
  changes.subscribe({
    onChange: ({ table }) => (limitTables.includes(table) ? countChange() : undefined),
    onGap: countChange,
  })
  return {
    begin: (entries) => ({ atMs: performance.now(), entries, limitChanges }),
    isDue: (next, last) =>
      last === undefined ||
      next.entries !== last.entries ||
      next.limitChanges !== last.limitChanges ||
      next.atMs - last.atMs >= unchangedMs,
  }
}
