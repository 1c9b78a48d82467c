import { sql } from 'kysely'
import type { Db } from '../../../db/index.js'
import { type Job, noteProgress } from '../../../jobs/index.js'
import { type JobRow, keptFor } from './job-store.js'

/** What a job produces, and its lease. */
export interface LeasedJob {
  row: JobRow
  job: Job
}

/**
 * Selects the row that the lease holder may change: none once the job is cancelled or another process has a later
 * lease.
 */
const held = ({ id, lease_number: number }: Job) =>
  sql`id = ${id} and lease_number = ${number} and status = 'running'`

const notHeldByLater = ({ id, lease_number: number }: Job) =>
  sql`id = ${id} and coalesce(lease_number, 0) <= ${number} and status in ('queued', 'running')`

/** Takes over a job: holders of earlier leases can no longer write. Null when nothing is left to do. */
export async function takeJob(db: Db, job: Job): Promise<JobRow | null> {
  const { rows } = await sql<JobRow>`
    update compliance_jobs set status = 'running', lease_number = ${job.lease_number}
    where ${notHeldByLater(job)} returning *`.execute(db)
  return rows[0] ?? null
}

/** Stores the progress, for those who wait for the job. */
export async function storeProgress(
  db: Db,
  job: Job,
  { done, total }: { done: number; total: number | null },
): Promise<void> {
  await sql`update compliance_jobs set done = ${done}, total = ${total} where ${held(job)}`.execute(db)
}

/** Returns the kind of the failed job; null when it was cancelled or another process holds it. */
export async function failJob(db: Db, job: Job, error: string): Promise<JobRow['kind'] | null> {
  const { rows } = await sql<Pick<JobRow, 'kind'>>`
    update compliance_jobs
    set status = 'failed', error = ${error}, lease_number = ${job.lease_number},
      finished_at = now(), expires_at = now() + ${keptFor}
    where ${notHeldByLater(job)} returning kind`.execute(db)
  return rows[0]?.kind ?? null
}

export interface NewPart {
  number: number
  /** Compressed. */
  content: Buffer
  /** The size before compression. */
  bytes: number
  /** The position that the result has reached with this part. */
  upTo: number
  entries: number
  seals: number
  done: number
  isLast: boolean
}

/** Stores a part and the job's progress, or neither. False when the lease is lost. */
export async function storePart(db: Db, job: Job, part: NewPart): Promise<boolean> {
  const { rows } = await sql`
    with kept as (
      update compliance_jobs
      set stored_to = ${part.upTo}, entries = ${part.entries}, seals = ${part.seals}, done = ${part.done},
        parts = ${part.number + 1}, bytes = bytes + ${part.bytes}
        ${part.isLast ? ended : sql``}
      where ${held(job)}
      returning id),
    progress as (${noteProgress(job)})
    insert into compliance_job_parts (job_id, number, content)
    select id, ${part.number}::int, ${part.content}::bytea from kept
    returning number`.execute(db)
  return rows.length > 0
}

const ended = sql`, status = 'done', finished_at = now(), expires_at = now() + ${keptFor}`
