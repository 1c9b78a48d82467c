import { type Changes, type Db, type Periodic, startPeriodic } from '../db/index.js'
import { backoffMs } from './backoff.js'
import { claimJobs, completeJob, giveUpJob, hasOpenJobs, renewLeases, returnJob } from './claim.js'
import { type Job, JobFailedError, type JobKind, LeaseLostError } from './job.js'
import { pruneJobs } from './prune.js'

export interface JobWorkerOptions {
  db: Db
  changes: Pick<Changes, 'subscribe'>
  processId: string
  kinds: readonly JobKind[]
  onError(error: unknown): void
  random?: () => number
}

// How long a job may wait that became due by itself, whose notification was lost, or whose replica died.
const pollIntervalMs = 2_000
// While there are no open jobs. A new one wakes the workers.
const restMs = 30_000
const renewEveryMs = 2_000
const pruneEveryMs = 600_000

interface RunningJob {
  job: Job
  kind: JobKind
  abort: AbortController
  ended: Promise<void>
}

/** Runs jobs of all kinds. Every replica starts one worker. */
export function startJobWorker(options: JobWorkerOptions): Periodic {
  const { db, changes, processId, kinds, onError, random = Math.random } = options
  // Bounded: one for each job that runs here, at most the sum of what the kinds allow at once.
  const running = new Set<RunningJob>()
  let closing = false
  let mayHaveJobs = true

  async function claim(): Promise<void> {
    const capacities = kinds.flatMap(({ name, leaseEnds, concurrency }) => {
      const capacity = concurrency - countRunning(name)
      return capacity > 0 ? [{ name, leaseEnds, capacity }] : []
    })
    if (closing || capacities.length === 0) return
    const ids = [...running].map(({ job }) => job.id)
    const claimed = await claimJobs(db, { processId, running: ids, kinds: capacities })
    for (const job of claimed) begin(job)
    mayHaveJobs = claimed.length > 0 || (await hasOpenJobs(db))
  }

  const countRunning = (name: string) => [...running].filter(({ kind }) => kind.name === name).length

  function begin(job: Job): void {
    const kind = kinds.find(({ name }) => name === job.kind)
    if (kind === undefined) return
    const abort = new AbortController()
    const begun: RunningJob = { job, kind, abort, ended: Promise.resolve() }
    running.add(begun)
    renewing.resume()
    begun.ended = work(begun)
      .catch(kind.onError)
      .finally(() => {
        running.delete(begun)
        loop.wake()
      })
  }

  async function work({ job, kind, abort }: RunningJob): Promise<void> {
    if (closing) return await returnJob(db, job, 0, null)
    if (job.attempts > kind.maxAttempts) return await giveUp(job, kind, begunTooOften(kind))
    try {
      const result = await kind.run(job, abort.signal)
      if (result === undefined) await completeJob(db, job)
      else await returnJob(db, job, result.againAfterMs, null)
    } catch (error) {
      await handleFailure(job, kind, abort.signal.aborted ? abort.signal.reason : error)
    }
  }

  async function handleFailure(job: Job, kind: JobKind, error: unknown): Promise<void> {
    if (error instanceof LeaseLostError) return
    if (error instanceof JobFailedError) return await giveUp(job, kind, error.message)
    // A process that stops returns the job to the others, which does not count as a failure.
    if (closing) return await returnJob(db, job, 0, null)
    kind.onError(error)
    await returnJob(db, job, backoffMs(kind.backoff, job.attempts, random), String(error))
  }

  /** The order matters: when the process dies between the two steps, the next one does both again. */
  async function giveUp(job: Job, kind: JobKind, reason: string): Promise<void> {
    await kind.onDead?.(job, reason)
    await giveUpJob(db, job, reason)
  }

  async function renew(): Promise<void> {
    const jobs = [...running]
    const ours = await renewLeases(
      db,
      jobs.map(({ job }) => job),
    )
    for (const { job, abort } of jobs) if (!ours.has(job.id)) abort.abort(new LeaseLostError())
  }

  const loop = startPeriodic({
    run: claim,
    everyMs: () => (mayHaveJobs ? pollIntervalMs : restMs),
    startsAtOnce: true,
    onError,
  })
  const renewing = startPeriodic({
    run: renew,
    everyMs: renewEveryMs,
    isIdle: () => running.size === 0,
    onError,
  })
  const pruning = startPeriodic({
    run: () => pruneJobs(db),
    everyMs: pruneEveryMs,
    startsAtOnce: true,
    onError,
  })
  changes.subscribe({
    onChange: ({ table }) => {
      if (table === 'jobs') loop.wake()
    },
    onGap: loop.wake,
  })

  return {
    wake: loop.wake,
    async close() {
      closing = true
      for (const { abort } of running) abort.abort()
      await loop.close()
      await Promise.all([...running].map(({ ended }) => ended))
      await Promise.all([renewing.close(), pruning.close()])
    },
  }
}

const begunTooOften = ({ maxAttempts }: JobKind) =>
  `It was begun ${maxAttempts} times and got no further; the log of the service says why`
