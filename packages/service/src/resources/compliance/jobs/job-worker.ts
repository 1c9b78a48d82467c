import { startPeriodic } from '../../../db/index.js'
import { type Job, JobFailedError, type JobKind, type JobResult } from '../../../jobs/index.js'
import { EntriesDroppedError } from '../../../record/index.js'
import { failJob, type LeasedJob, storeProgress, takeJob } from './job-lease.js'
import { complianceJob, type JobRow } from './job-store.js'
import { readTask } from './job-task.js'
import { type JobProgress, makeAttestation, makeExport, type ResultParts } from './make-result.js'

export interface ComplianceJobsOptions extends ResultParts {
  /** Called once for each job that ended here. Must not throw. */
  onEnded(kind: JobRow['kind'], status: 'done' | 'failed'): void
  onError(error: unknown): void
}

const progressEveryMs = 2_000

/** Creates attestations and exports in the background. */
export function complianceJobs(options: ComplianceJobsOptions): JobKind {
  const { db, onEnded, onError } = options

  async function run(job: Job, signal: AbortSignal): Promise<JobResult> {
    const row = await takeJob(db, job)
    if (row === null) return undefined
    const progress: JobProgress = { done: row.done, total: row.total }
    const storing = startPeriodic({
      run: () => storeProgress(db, job, progress),
      everyMs: progressEveryMs,
      onError,
    })
    try {
      if (!(await make({ row, job }, progress, signal))) return { againAfterMs: 0 }
    } catch (error) {
      throw error instanceof EntriesDroppedError ? new JobFailedError(error.message) : error
    } finally {
      await storing.close()
    }
    onEnded(row.kind, 'done')
    return undefined
  }

  async function make(leased: LeasedJob, progress: JobProgress, signal: AbortSignal): Promise<boolean> {
    const task = readTask(leased.row)
    if (task.kind === 'export') return await makeExport(options, leased, task, progress, signal)
    await makeAttestation(options, leased, task, progress, signal)
    return true
  }

  return {
    name: complianceJob,
    concurrency: 1,
    leaseEnds: 'by-time',
    maxAttempts: 5,
    backoff: { baseMs: 5_000, capMs: 60_000 },
    run,
    async onDead(job, reason) {
      const kind = await failJob(db, job, reason)
      if (kind !== null) onEnded(kind, 'failed')
    },
    onError,
  }
}
