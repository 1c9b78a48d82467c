import { newId, type Periodic, startPeriodic } from '../../db/index.js'
import { EntriesDroppedError } from '../../ledger/index.js'
import { claimJob, failJob, type LeasedJob, renewLease, returnJob } from './job-lease.js'
import type { JobRow } from './job-store.js'
import { readTask } from './job-task.js'
import {
  JobFailedError,
  type JobProgress,
  LeaseLostError,
  makeAttestation,
  makeExport,
  type ResultParts,
} from './make-result.js'

export interface JobWorkerOptions extends ResultParts {
  /** Called once for each job that ended here. Must not throw. */
  onEnded(kind: JobRow['kind'], status: 'done' | 'failed'): void
  onError(error: unknown): void
}

// How soon a job is begun that was requested at another replica, or whose replica died.
const lookEveryMs = 2_000
const renewEveryMs = 2_000
const retryAfterMs = 5_000
const maxAttempts = 5

/** Works on jobs, one at a time. Every replica runs one. */
export function startJobWorker(options: JobWorkerOptions): Periodic {
  const { db, onError } = options
  const closing = new AbortController()

  async function workOffAll(): Promise<void> {
    while (!closing.signal.aborted) {
      const job = await claimJob(db, newId('proc'))
      if (job === null) return
      await work(job)
    }
  }

  async function work(job: LeasedJob): Promise<void> {
    if (job.attempts > maxAttempts)
      return await fail(
        job,
        `It was begun ${maxAttempts} times and got no further; the log of the service says why`,
      )
    const progress: JobProgress = { done: job.done, total: job.total }
    const abort = new AbortController()
    const stop = () => abort.abort()
    closing.signal.addEventListener('abort', stop)
    const lease = startPeriodic({
      async run() {
        if (!(await renewLease(db, job, progress))) abort.abort(new LeaseLostError())
      },
      everyMs: renewEveryMs,
      onError,
    })
    try {
      if (await make(job, progress, abort.signal)) options.onEnded(job.kind, 'done')
      else await returnJob(db, job, {})
    } catch (error) {
      await settle(job, abort.signal.aborted ? abort.signal.reason : error)
    } finally {
      closing.signal.removeEventListener('abort', stop)
      await lease.close()
    }
  }

  async function fail(job: LeasedJob, reason: string): Promise<void> {
    if (await failJob(db, job, reason)) options.onEnded(job.kind, 'failed')
  }

  async function make(job: LeasedJob, progress: JobProgress, signal: AbortSignal): Promise<boolean> {
    const task = readTask(job)
    if (task.kind === 'export') return await makeExport(options, job, task, progress, signal)
    await makeAttestation(options, job, task, progress, signal)
    return true
  }

  async function settle(job: LeasedJob, error: unknown): Promise<void> {
    if (error instanceof LeaseLostError) return
    if (error instanceof EntriesDroppedError || error instanceof JobFailedError)
      return await fail(job, error.message)
    // A process that stops leaves the job to the others, and that is no failure.
    if (closing.signal.aborted) return await returnJob(db, job, {})
    onError(error)
    await returnJob(db, job, { afterMs: retryAfterMs, counts: true })
  }

  const loop = startPeriodic({ run: workOffAll, everyMs: lookEveryMs, startsAtOnce: true, onError })
  return {
    wake: loop.wake,
    async close() {
      closing.abort()
      await loop.close()
    },
  }
}
