import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { startTimer } from '../../shared/deadline.js'
import { startPeriodic } from '../background/periodic.js'
import { connectionSettings, createSocketWithTimeout } from '../connection/database.js'
import { requireAnswer } from '../connection/liveness.js'
import { servingName } from '../schema/index.js'
import { locks } from './locks.js'

const answerTimeoutMs = 2_000
const checkEveryMs = 1_000
// After ten seconds without a call the checks become rare. The next call then waits for one.
const maxUnusedChecks = 10
const restMs = 5_000
const retryMs = 200
// The lock of a process that was just killed stays held until the server notices that its connection is closed. Attempts are counted
// instead of time (they take at least five seconds), because time also passes while this process or the whole machine is paused.
const maxAttempts = 25
// Calls that arrive while the database hangs wait for this long before they fail.
const maxReacquireMs = 15_000

/** The advisory lock of a process that serves calls on a database. */
export interface ServingLock {
  /** False once the lock is lost. No call may be admitted then, because another process may hold it. */
  isHeld(): boolean
  /** Resolves with true once the lock is held, or with false when it could not be acquired again in time. */
  waitUntilHeld(): Promise<boolean>
  close(): Promise<void>
}

/**
 * `exclusive`: limits are in the memory of this process, so no other may count. `shared`: limits are in Redis, for all processes. `worker`:
 * the supervisor of this process counts limits and holds the exclusive lock. This process ends with it, and only shows its presence.
 */
export type ServingMode = 'exclusive' | 'shared' | 'worker'

const lockStatements: Record<ServingMode, string> = {
  exclusive: `pg_try_advisory_lock(${locks.serving})`,
  shared: `pg_try_advisory_lock_shared(${locks.serving})`,
  worker: 'true',
}

/** Acquires the serving lock of this process. Returns null when another process holds an incompatible lock. */
export async function acquireServingLock(
  url: string,
  mode: ServingMode,
  processId: string,
  log: (message: string) => void,
): Promise<ServingLock | null> {
  let client: pg.Client | null = null
  const waiting = new Set<() => void>()
  /** The checks since a call last asked for the lock. */
  let unusedChecks = 0
  let isResting = false

  async function acquire(): Promise<boolean> {
    const next = new pg.Client({
      ...connectionSettings(url),
      application_name: servingName(),
      stream: () => createSocketWithTimeout(),
    })
    // A connection that breaks is noticed by the next check. Without a listener, the event would end the process.
    next.on('error', () => undefined)
    try {
      await next.connect()
      const { rows } = await next.query<{ taken: boolean }>(
        `select ${lockStatements[mode]} and pg_try_advisory_lock($1, hashtext($2)) as taken`,
        [locks.presence, processId],
      )
      if (rows[0]?.taken) {
        client = next
        onHeld()
      } else await next.end()
    } catch (error) {
      next.end().catch(() => undefined)
      throw error
    }
    return client !== null
  }

  async function checkOrReacquire(): Promise<void> {
    if (client !== null) await requireAnswer(client, answerTimeoutMs).then(onHeld, onLost)
    else if (await acquire().catch(() => false)) log('acquired the serving lock of this database again')
  }

  function onHeld(): void {
    isResting = unusedChecks++ >= maxUnusedChecks
    for (const resolve of waiting) resolve()
  }

  function onLost(error: Error): void {
    client?.end().catch(() => undefined)
    client = null
    // Calls wake a lock that rests. Attempts to acquire a lost one keep their pauses.
    isResting = false
    log(`lost the serving lock of this database (${error.message}); no call is admitted without it`)
  }

  for (let attempts = 1; !(await acquire()); attempts++) {
    if (attempts >= maxAttempts) return null
    await pause(retryMs)
  }
  const loop = startPeriodic({
    run: checkOrReacquire,
    everyMs: () => (client === null ? retryMs : isResting ? restMs : checkEveryMs),
    onError: (error) => log(String(error)),
  })
  return {
    isHeld: () => client !== null,
    async waitUntilHeld() {
      unusedChecks = 0
      if (client !== null && !isResting) return true
      if (isResting) loop.wake()
      await new Promise<void>((resolve) => {
        const end = () => {
          timer.stop()
          waiting.delete(end)
          resolve()
        }
        const timer = startTimer(maxReacquireMs, end)
        waiting.add(end)
      })
      return client !== null
    },
    async close() {
      await loop.close()
      await client?.end()
    },
  }
}
