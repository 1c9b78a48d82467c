import { sql } from 'kysely'
import type { Dispatcher } from 'undici'
import { type Db, locks, startPeriodic, type Tx } from '../../db/index.js'
import { anchorPath, appendToAnchorFile } from './anchor-file.js'
import { type DueCheckpoint, listDueCheckpoints, saveAnchor } from './store.js'
import { requestTimeStamp } from './time-stamp-authority.js'

export type AnchorTarget = { type: 'file'; path: string } | { type: 'rfc3161'; url: string }

/** Sends the last checkpoint of each day to a file or a time-stamp authority. */
export interface DailyAnchor {
  /** Anchors all checkpoints that are due. False when another replica is doing it. */
  run(): Promise<boolean>
  close(): Promise<void>
}

// A group that began before midnight may be committed after it, so a day is not over before this.
const graceMs = 5 * 60_000
const everyMs = 60_000

/** Also anchors days that were missed because no process ran or the target was unavailable. */
export function createDailyAnchor(options: {
  db: Db
  target: AnchorTarget
  /** Leads to the authority; undici's own when left out. */
  dispatcher?: Dispatcher
  now(): Date
  onError(error: unknown): void
}): DailyAnchor {
  const { db, target, dispatcher, now, onError } = options
  let anchoredBefore = ''
  let closed = false

  const currentDay = () => new Date(now().getTime() - graceMs).toISOString().slice(0, 10)

  async function run(): Promise<boolean> {
    const today = currentDay()
    const isDone = await db.transaction().execute((tx) =>
      withLock(tx, async () => {
        const tenants = await db.selectFrom('tenants').select('id').orderBy('id').execute()
        for (const { id } of tenants) {
          if (closed) return
          await anchorTenant(id, new Date(`${today}T00:00:00.000Z`))
        }
      }),
    )
    // The query for due seals runs again only when another day is over, not every minute.
    if (isDone && !closed) anchoredBefore = today
    return isDone
  }

  async function anchorTenant(tenantId: string, before: Date): Promise<void> {
    const due = await listDueCheckpoints(db, tenantId, target.type, before)
    if (target.type === 'file') {
      if (due.length > 0) await appendToAnchorFile(target.path, due)
      for (const checkpoint of due) {
        const path = anchorPath(target.path, checkpoint.day)
        await saveAnchor(db, checkpoint, { type: 'file', target: path, token: null })
      }
    } else for (const checkpoint of due) await stamp(target.url, checkpoint)
  }

  async function stamp(url: string, checkpoint: DueCheckpoint): Promise<void> {
    const { token } = await requestTimeStamp(url, checkpoint.note, dispatcher)
    await saveAnchor(db, checkpoint, { type: 'rfc3161', target: url, token })
  }

  async function runIfDue(): Promise<void> {
    if (currentDay() !== anchoredBefore) await run()
  }

  const loop = startPeriodic({ run: runIfDue, everyMs, startsAtOnce: true, onError })
  return {
    run,
    async close() {
      closed = true
      await loop.close()
    },
  }
}

/**
 * One replica at a time. The lock belongs to the transaction, which does nothing else, so it is released when this process dies.
 * Not to the connection: behind a transaction pooler, that is another one for the next statement.
 */
async function withLock(tx: Tx, work: () => Promise<void>): Promise<boolean> {
  const { rows } = await sql<{
    locked: boolean
  }>`select pg_try_advisory_xact_lock(${locks.dailyAnchor}) as locked`.execute(tx)
  if (!rows[0]?.locked) return false
  await work()
  return true
}
