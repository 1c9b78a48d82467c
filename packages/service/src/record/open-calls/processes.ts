import { sql } from 'kysely'
import { type Db, locks, startPeriodic } from '../../db/index.js'

/** The registration of this process in the list of processes that serve calls on this database. */
export interface RegisteredProcess {
  /** Returns the error of the last heartbeat, which shows that the database cannot be written. Null when it was written. */
  fault(): unknown
  close(): Promise<void>
}

export interface RegisterProcessOptions {
  db: Db
  processId: string
  /** Whether a lock on the database excludes other processes. All others in the list are then dead, however recent their heartbeat is. */
  isOnlyProcess: boolean
  /** Called when a process has lost its database connection, because it is dead or cannot reach the database. */
  onAbsent(): Promise<void>
  /** Recovers what a dead process left. The process stays in the list until this resolves with true. */
  recover(processId: string): Promise<boolean>
  onError(error: unknown): void
  heartbeatMs?: number
}

// A process that misses five heartbeats, 15 s, counts as dead. A pause of some seconds (swapping, a long garbage
// collection) must not count as a death.
const defaultHeartbeatMs = 3_000
const maxMissedHeartbeats = 5
// After a heartbeat that failed, so that the end of an outage is noticed soon.
const retryMs = 1_000
const detectAbsentMs = 500
// The only process needs no frequent heartbeat, because no other process watches it. It still looks for calls of dead processes.
const aloneMs = 10_000

/**
 * Marks all processes in the list as dead, and those that left open calls. Called by a supervisor that holds the serving lock, before it
 * starts workers. They need not wait then until heartbeats have been missed.
 */
export async function markAllDead(db: Db): Promise<void> {
  await sql`insert into processes (id, seen_at)
    select id, '-infinity'::timestamptz from (select id from processes union select process_id from open_calls) as dead (id)
    on conflict (id) do update set seen_at = '-infinity'`.execute(db)
}

/**
 * Sends heartbeats for this process and recovers what dead processes left. Resolves after the first heartbeat and the
 * first recovery.
 */
export async function registerProcess(options: RegisterProcessOptions): Promise<RegisteredProcess> {
  const {
    db,
    processId,
    isOnlyProcess,
    onAbsent,
    recover,
    onError,
    heartbeatMs = isOnlyProcess ? aloneMs : defaultHeartbeatMs,
  } = options
  const maxSilentSeconds = (heartbeatMs * maxMissedHeartbeats) / 1000
  // Starts at 0 again after an outage of the database, during which no process could send a heartbeat.
  let heartbeatsInARow = 0
  let fault: unknown = null

  async function sendHeartbeat(): Promise<void> {
    try {
      await sql`insert into processes (id) values (${processId})
        on conflict (id) do update set seen_at = now(), absent_since = null`.execute(db)
    } catch (error) {
      fault = error
      throw error
    }
    fault = null
    heartbeatsInARow++
  }

  /**
   * A fail-over or a restore can keep open calls and lose the process that they belong to. It is listed again as if it had just been
   * seen. One that is alive sends its next heartbeat, and one that is dead does not.
   */
  async function listForgotten(): Promise<void> {
    await sql`insert into processes (id)
      select distinct process_id from open_calls
      where process_id is not null and not exists (select from processes where id = process_id)
      on conflict (id) do nothing`.execute(db)
  }

  async function listDead(): Promise<string[]> {
    const canJudge = heartbeatsInARow > maxMissedHeartbeats
    if (!isOnlyProcess && canJudge) await listForgotten()
    const { rows } = isOnlyProcess
      ? await sql<{ id: string }>`
          select id from processes where id != ${processId} union
          select process_id from open_calls where process_id != ${processId}`.execute(db)
      : await sql<{ id: string }>`
          select id from processes
          where id != ${processId} and (seen_at = '-infinity'
            or (${canJudge} and seen_at < now() - make_interval(secs => ${maxSilentSeconds})))`.execute(db)
    return rows.map((row) => row.id)
  }

  /** One replica at a time; the others find nothing left, or try again with the next heartbeat. */
  async function recoverDead(): Promise<void> {
    const dead = await listDead()
    if (dead.length === 0) return
    await db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ acquired: boolean }>`
        select pg_try_advisory_xact_lock(${locks.recovery}) as acquired`.execute(tx)
      if (!rows[0]?.acquired) return
      for (const id of dead) {
        if (await recover(id)) await tx.deleteFrom('processes').where('id', '=', id).execute()
      }
    })
  }

  /** Of several replicas, only the one whose update marks the process calls `onAbsent`. */
  async function detectAbsent(): Promise<void> {
    const { rows } = await sql`update processes set absent_since = now()
      where id != ${processId} and absent_since is null
        and pg_try_advisory_xact_lock(${locks.presence}, hashtext(id))
      returning id`.execute(db)
    if (rows.length > 0) await onAbsent()
  }

  async function sendHeartbeatAndRecover(): Promise<void> {
    try {
      await sendHeartbeat()
      await recoverDead()
    } catch (error) {
      heartbeatsInARow = 0
      throw error
    }
  }

  await sendHeartbeat()
  await recoverDead()
  const loops = [
    startPeriodic({
      run: sendHeartbeatAndRecover,
      everyMs: () => (fault === null ? heartbeatMs : retryMs),
      onError,
    }),
  ]
  if (!isOnlyProcess) loops.push(startPeriodic({ run: detectAbsent, everyMs: detectAbsentMs, onError }))
  return {
    fault: () => fault,
    async close() {
      await Promise.all(loops.map((loop) => loop.close()))
      // A call whose receipt is still in the spool keeps the process in the list: another may have to record it.
      await sql`delete from processes where id = ${processId}
        and not exists (select from open_calls where process_id = ${processId})`
        .execute(db)
        .catch(onError)
    },
  }
}
