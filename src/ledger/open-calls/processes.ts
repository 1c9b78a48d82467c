import { sql } from 'kysely'
import { type Db, locks, startPeriodic } from '../../db/index.js'

/** Which processes serve calls on this database, as far as they say so. */
export interface Processes {
  close(): Promise<void>
}

export interface ProcessesOptions {
  db: Db
  processId: string
  /** Nobody else may serve on this database now: whoever else is in the list is dead, however lately it was seen. */
  alone: boolean
  /** A connection is gone: its process is dead, or cut off from the database and will not say so soon. */
  onAbsent(): Promise<void>
  /** Puts in order what a dead process left. It leaves the list only when that worked. */
  bury(processId: string): Promise<void>
  onError(error: unknown): void
  beatMs?: number
}

// A process that is silent for five beats is taken for dead: a minute is promised, and a pause of some seconds
// (a swapped-out machine, a long garbage collection) must not be mistaken for a death.
const defaultBeatMs = 3_000
const silentBeats = 5
const watchMs = 500

/** Says that this process is alive, and looks after those that died. Resolves after the first look around. */
export async function joinProcesses(options: ProcessesOptions): Promise<Processes> {
  const { db, processId, alone, onAbsent, bury, onError, beatMs = defaultBeatMs } = options
  const silentSeconds = (beatMs * silentBeats) / 1000
  // After an outage of the database nobody was heard of: all get the time to say that they are there.
  let beatsInARow = 0

  async function beat(): Promise<void> {
    await sql`insert into processes (id) values (${processId})
      on conflict (id) do update set seen_at = now(), absent_since = null`.execute(db)
    beatsInARow++
  }

  async function listDead(): Promise<string[]> {
    if (!alone && beatsInARow <= silentBeats) return []
    const { rows } = alone
      ? await sql<{ id: string }>`
          select id from processes where id != ${processId} union
          select process_id from open_calls where process_id != ${processId}`.execute(db)
      : await sql<{ id: string }>`
          select id from processes
          where id != ${processId} and seen_at < now() - make_interval(secs => ${silentSeconds})`.execute(db)
    return rows.map((row) => row.id)
  }

  /** One replica at a time; the others find nothing left, or try again with the next beat. */
  async function lookAfterDead(): Promise<void> {
    const dead = await listDead()
    if (dead.length === 0) return
    await db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ mine: boolean }>`
        select pg_try_advisory_xact_lock(${locks.recovery}) as mine`.execute(tx)
      if (!rows[0]?.mine) return
      for (const id of dead) {
        await bury(id)
        await tx.deleteFrom('processes').where('id', '=', id).execute()
      }
    })
  }

  /** Whoever marks it first acts on it: the update lets one replica through. */
  async function lookForAbsent(): Promise<void> {
    const { rows } = await sql`update processes set absent_since = now()
      where id != ${processId} and absent_since is null
        and pg_try_advisory_xact_lock(${locks.presence}, hashtext(id))
      returning id`.execute(db)
    if (rows.length > 0) await onAbsent()
  }

  async function beatAndLook(): Promise<void> {
    try {
      await beat()
      await lookAfterDead()
    } catch (error) {
      beatsInARow = 0
      throw error
    }
  }

  await beat()
  await lookAfterDead()
  const loops = [startPeriodic({ run: beatAndLook, everyMs: beatMs, onError })]
  if (!alone) loops.push(startPeriodic({ run: lookForAbsent, everyMs: watchMs, onError }))
  return {
    async close() {
      await Promise.all(loops.map((loop) => loop.close()))
      // A call whose receipt still waits in the spool keeps the process in the list: another may have to bury it.
      await sql`delete from processes where id = ${processId}
        and not exists (select from open_calls where process_id = ${processId})`
        .execute(db)
        .catch(onError)
    },
  }
}
