import { sql } from 'kysely'
import type { Db } from './database.js'

export type ReplicaState =
  | { isUsable: true; asOf: Date; lagMs: number }
  | { isUsable: false; cause: 'unreachable' | 'behind' | 'not_a_replica' | 'other_database'; reason: string }

/** Measures how old the data of a replica are. */
export class ReplicaLag {
  /** When the replica was last known to have everything. */
  #currentAt: Date | null = null

  constructor(
    readonly primary: Db,
    readonly replica: Db,
  ) {}

  /**
   * Compares positions in the write-ahead log: a replica that has replayed what the primary had flushed has every change that was visible
   * there. The times are those of the primary. The time of the last replayed commit alone would make a replica of an idle primary seem old.
   */
  async measure(maxLagMs: number): Promise<ReplicaState> {
    const primary = await readPrimary(this.primary)
    const replica = await readReplica(this.replica, primary.position)
    if (replica.instance !== primary.instance)
      return refuse('other_database', 'it has another database than DATABASE_URL')
    if (!replica.isReplica) return refuse('not_a_replica', 'its server is not a standby')
    if (replica.hasAll) this.#currentAt = primary.at
    const asOf = latest(this.#currentAt, replica.replayedAt)
    const lagMs =
      asOf === null ? Number.POSITIVE_INFINITY : Math.max(0, primary.at.getTime() - asOf.getTime())
    if (asOf !== null && lagMs <= maxLagMs) return { isUsable: true, asOf, lagMs }
    const lag = Number.isFinite(lagMs) ? `${Math.round(lagMs / 1_000)} s` : 'an unknown time'
    return refuse('behind', `it is ${lag} behind, more than TALLYSTICK_DATABASE_READ_MAX_LAG_MS`)
  }
}

type Refused = Extract<ReplicaState, { isUsable: false }>

const refuse = (cause: Refused['cause'], reason: string): Refused => ({ isUsable: false, cause, reason })

export const unreachable = (error: unknown): Refused =>
  refuse('unreachable', error instanceof Error ? error.message : String(error))

const latest = (one: Date | null, other: Date | null): Date | null =>
  one === null || (other !== null && other > one) ? other : one

interface PrimaryRow {
  position: string
  at: Date
  instance: string
}

async function readPrimary(db: Db): Promise<PrimaryRow> {
  const { rows } = await sql<PrimaryRow>`
    select pg_current_wal_flush_lsn()::text as position, clock_timestamp() as at, id as instance
    from instance`.execute(db)
  return rows[0] ?? raise()
}

interface ReplicaRow {
  isReplica: boolean
  hasAll: boolean | null
  replayedAt: Date | null
  instance: string
}

async function readReplica(db: Db, position: string): Promise<ReplicaRow> {
  const { rows } = await sql<ReplicaRow>`
    select pg_is_in_recovery() as "isReplica", pg_last_wal_replay_lsn() >= ${position}::pg_lsn as "hasAll",
      pg_last_xact_replay_timestamp() as "replayedAt", id as instance
    from instance`.execute(db)
  return rows[0] ?? raise()
}

function raise(): never {
  throw new Error('The table instance is empty')
}
