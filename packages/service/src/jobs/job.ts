import type { Selectable } from 'kysely'
import type { Tables } from '../db/index.js'
import type { Backoff } from './backoff.js'

/** A job that only this process works on, as long as it holds the lease. */
export type Job = Pick<Selectable<Tables['jobs']>, 'id' | 'kind' | 'tenant_id' | 'attempts' | 'lease_number'>

/** Undefined when the job is done. Otherwise it runs again after this time, which does not count as a failure. */
export type JobResult = { againAfterMs: number } | undefined

/** One kind of work. */
export interface JobKind {
  readonly name: string
  /** The number of jobs of this kind that one process runs at a time. */
  readonly concurrency: number
  /**
   * `by-time`: the lease ends soon after a process stops renewing it, even if the process is only paused.
   * `with-process`: it ends only when the process is gone, for work that another process must not repeat while this
   * one is paused in the middle of it.
   */
  readonly leaseEnds: 'by-time' | 'with-process'
  /** A job that was started this often without progress is abandoned. */
  readonly maxAttempts: number
  readonly backoff: Backoff
  /**
   * Runs the job. Throws `JobFailedError` for a failure that a retry cannot fix, and any other error for one that
   * it may. The signal is aborted when the lease is lost or the process stops.
   */
  run(job: Job, signal: AbortSignal): Promise<JobResult>
  /**
   * Called before the job is abandoned. Called again, with a higher lease number, if the process dies before that
   * is stored.
   */
  onDead?(job: Job, reason: string): Promise<void>
  onError(error: unknown): void
}

/** A failure that a retry cannot fix; the message is for the person who requested the job. */
export class JobFailedError extends Error {}

/** The job was cancelled, or another process holds it. */
export class LeaseLostError extends Error {
  constructor() {
    super('The lease of the job is lost')
  }
}
