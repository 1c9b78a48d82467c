import { within } from '../../shared/deadline.js'
import { hasCode, isDatabaseAway } from '../../shared/error-code.js'
import type { Db } from './database.js'
import { ReplicaLag, type ReplicaState, unreachable } from './replica-lag.js'

/** What was read, and the time up to which it includes all changes. */
export interface Aged<T> {
  value: T
  /** Null for data of the primary, which are current. */
  asOf: Date | null
}

/** Runs reads that may be a moment old: on a read replica while it is near enough, and otherwise on the primary. */
export interface ReplicaReads {
  /** Runs a read. It must not change anything, because it is repeated on the primary when the replica fails. */
  run<T>(read: (db: Db) => Promise<T>): Promise<Aged<T>>
  /** Returns the database for a read in many parts: the replica only if it has everything that the read needs. */
  choose(hasAll: (replica: Db) => Promise<boolean>): Promise<Db>
}

/** Runs all reads on the primary. */
export const withoutReplica = (db: Db): ReplicaReads => ({
  run: async (read) => ({ value: await read(db), asOf: null }),
  choose: async () => db,
})

interface ReplicaOptions {
  primary: Db
  replica: Db
  maxLagMs: number
  /** Called when the replica becomes usable, and when it stops being so. */
  onChange(state: ReplicaState): void
  /** Called with where each read ran. */
  onRead(place: 'replica' | 'primary'): void
}

// Readers do not wait longer than this for a replica that does not answer, and not each of them waits.
const maxCheckMs = 1_000
const pauseAfterFaultMs = 5_000
// Reads that arrive together share a check.
const reuseMs = 250

export class ReadReplica implements ReplicaReads {
  readonly #options: ReplicaOptions
  readonly #lag: ReplicaLag
  #wasUsable: boolean | null = null
  #checkedMs = Number.NEGATIVE_INFINITY
  #check: Promise<ReplicaState> | null = null

  constructor(options: ReplicaOptions) {
    this.#options = options
    this.#lag = new ReplicaLag(options.primary, options.replica)
  }

  async run<T>(read: (db: Db) => Promise<T>): Promise<Aged<T>> {
    const { primary, replica, onRead } = this.#options
    const state = await this.state()
    if (state.isUsable) {
      try {
        const value = await read(replica)
        onRead('replica')
        return { value, asOf: state.asOf }
      } catch (error) {
        if (!isFaultOfReplica(error)) throw error
        if (isDatabaseAway(error)) this.#report(unreachable(error))
      }
    }
    onRead('primary')
    return { value: await read(primary), asOf: null }
  }

  async choose(hasAll: (replica: Db) => Promise<boolean>): Promise<Db> {
    const { primary, replica, onRead } = this.#options
    const state = await this.state()
    const isChosen = state.isUsable && (await hasAll(replica).catch(() => false))
    onRead(isChosen ? 'replica' : 'primary')
    return isChosen ? replica : primary
  }

  /** Asks both servers, unless they were asked a moment ago. */
  state(): Promise<ReplicaState> {
    const isOld =
      performance.now() - this.#checkedMs > (this.#wasUsable === false ? pauseAfterFaultMs : reuseMs)
    if (this.#check !== null && !isOld) return this.#check
    this.#checkedMs = performance.now()
    const measuring = this.#lag.measure(this.#options.maxLagMs)
    this.#check = within(maxCheckMs, measuring, () => new Error('it does not answer'))
      .catch(unreachable)
      .then((state) => this.#report(state))
    return this.#check
  }

  #report(state: ReplicaState): ReplicaState {
    if (!state.isUsable) {
      this.#checkedMs = performance.now()
      this.#check = Promise.resolve(state)
    }
    if (this.#wasUsable !== state.isUsable) this.#options.onChange(state)
    this.#wasUsable = state.isUsable
    return state
  }
}

// SQLSTATE of a read that the replica ended because replay had to remove rows, and of tables or columns that it does not have yet.
const replicaCodes = ['40001', '42P01', '42703']

const isFaultOfReplica = (error: unknown): boolean => isDatabaseAway(error) || hasCode(error, ...replicaCodes)
