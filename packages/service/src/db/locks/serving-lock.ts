import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { startTimer } from '../../shared/deadline.js'
import { startPeriodic } from '../background/periodic.js'
import { connectionSettings, createSocketWithTimeout } from '../connection/database.js'
import { requireLiveness } from '../connection/liveness.js'
import { servingName } from '../schema/index.js'
import { locks } from './locks.js'

const silenceMs = 2_000
const beatMs = 1_000
const retryMs = 200
// A process that was killed a moment ago holds its lock until the server has seen its connection close. That takes no more looks than
// these, five seconds at least; while this process or the whole machine stands still, none is made.
const maxLooks = 25
// A database that hangs for a moment costs a call a moment, and not its answer.
const maxRegainMs = 15_000

/** A place among the processes that serve calls on one database. */
export interface ServingPlace {
  /** False once the place was lost and another process may have taken it: then no call may be admitted. */
  held(): boolean
  /** Resolves with true once it is held, with false after a while in which it is not. */
  regained(): Promise<boolean>
  close(): Promise<void>
}

/**
 * Limits that are kept in one process hold only while it is alone; those in Redis may be shared by many. So a process
 * without Redis takes the database for itself, and one with Redis shares it with its like. Null when that is refused.
 */
export async function takeServingPlace(
  url: string,
  kind: 'alone' | 'shared',
  processId: string,
  log: (message: string) => void,
): Promise<ServingPlace | null> {
  let client: pg.Client | null = null
  const waiting = new Set<() => void>()

  async function take(): Promise<boolean> {
    const next = new pg.Client({
      ...connectionSettings(url),
      application_name: servingName(),
      stream: () => createSocketWithTimeout(),
    })
    // A connection that breaks fails the next sign of life, which takes notice of it.
    next.on('error', () => undefined)
    try {
      await next.connect()
      const lock = kind === 'alone' ? 'pg_try_advisory_lock' : 'pg_try_advisory_lock_shared'
      const { rows } = await next.query<{ taken: boolean }>(
        `select ${lock}($1) and pg_try_advisory_lock($2, hashtext($3)) as taken`,
        [locks.serving, locks.presence, processId],
      )
      if (rows[0]?.taken) {
        client = next
        for (const resolve of waiting) resolve()
      } else await next.end()
    } catch (error) {
      next.end().catch(() => undefined)
      throw error
    }
    return client !== null
  }

  async function keep(): Promise<void> {
    if (client !== null) await requireLiveness(client, silenceMs).catch(lose)
    else if (await take().catch(() => false)) log('has its place among those that serve this database again')
  }

  function lose(error: Error): void {
    client?.end().catch(() => undefined)
    client = null
    log(
      `lost the place among those that serve this database (${error.message}); no call is admitted without it`,
    )
  }

  for (let looks = 1; !(await take()); looks++) {
    if (looks >= maxLooks) return null
    await pause(retryMs)
  }
  const loop = startPeriodic({
    run: keep,
    everyMs: () => (client === null ? retryMs : beatMs),
    onError: (error) => log(String(error)),
  })
  return {
    held: () => client !== null,
    async regained() {
      if (client !== null) return true
      await new Promise<void>((resolve) => {
        const end = () => {
          timer.stop()
          waiting.delete(end)
          resolve()
        }
        const timer = startTimer(maxRegainMs, end)
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
