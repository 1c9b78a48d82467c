import { sql } from 'kysely'
import { type Db, locks, startPeriodic } from '../../db/index.js'
import { anchorPath, appendToAnchorFile } from './anchor-file.js'
import { type DueCheckpoint, listDueCheckpoints, saveAnchor } from './store.js'
import { requestTimeStamp } from './time-stamp-authority.js'

export type AnchorTarget = { type: 'file'; path: string } | { type: 'rfc3161'; url: string }

/** Hands the last checkpoint of each day to someone outside. */
export interface DailyAnchor {
  /** Anchors whatever is due. False when another replica is at it. */
  run(): Promise<boolean>
  close(): Promise<void>
}

// A group that began before midnight may be committed after it: the day is over when it can no longer be.
const lateMs = 5 * 60_000
const everyMs = 60_000

/** Days that were missed, because nobody ran or the target could not be reached, are caught up on. */
export function createDailyAnchor(options: {
  db: Db
  target: AnchorTarget
  now(): Date
  onError(error: unknown): void
}): DailyAnchor {
  const { db, target, now, onError } = options
  let anchoredTo = ''
  let closed = false

  async function run(): Promise<boolean> {
    const today = new Date(now().getTime() - lateMs).toISOString().slice(0, 10)
    const isDone = await db.connection().execute((connection) =>
      alone(connection, async () => {
        const tenants = await connection.selectFrom('tenants').select('id').orderBy('id').execute()
        for (const { id } of tenants) {
          if (closed) return
          await anchorTenant(connection, target, id, new Date(`${today}T00:00:00.000Z`))
        }
      }),
    )
    // Asked for again only when another day is over: which seals are due is not looked up every minute.
    if (isDone && !closed) anchoredTo = today
    return isDone
  }

  async function runIfDue(): Promise<void> {
    const today = new Date(now().getTime() - lateMs).toISOString().slice(0, 10)
    if (today !== anchoredTo) await run()
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

async function anchorTenant(db: Db, target: AnchorTarget, tenantId: string, before: Date): Promise<void> {
  const due = await listDueCheckpoints(db, tenantId, target.type, before)
  if (target.type === 'file') {
    if (due.length > 0) await appendToAnchorFile(target.path, due)
    for (const checkpoint of due) {
      const path = anchorPath(target.path, checkpoint.day)
      await saveAnchor(db, checkpoint, { type: 'file', target: path, token: null })
    }
  } else for (const checkpoint of due) await stamp(db, target.url, checkpoint)
}

async function stamp(db: Db, url: string, checkpoint: DueCheckpoint): Promise<void> {
  const { token } = await requestTimeStamp(url, checkpoint.note)
  await saveAnchor(db, checkpoint, { type: 'rfc3161', target: url, token })
}

/** One replica at a time. The lock is the connection's, and goes with it when this process dies. */
async function alone(connection: Db, work: () => Promise<void>): Promise<boolean> {
  const { rows } = await sql<{
    locked: boolean
  }>`select pg_try_advisory_lock(${locks.dailyAnchor}) as locked`.execute(connection)
  if (!rows[0]?.locked) return false
  try {
    await work()
    return true
  } finally {
    await sql`select pg_advisory_unlock(${locks.dailyAnchor})`.execute(connection)
  }
}
