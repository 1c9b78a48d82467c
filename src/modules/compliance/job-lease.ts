import { sql } from 'kysely'
import type { Db } from '../../db/index.js'
import { type JobRow, keptFor } from './job-store.js'

/** A job that this process alone may write to, as long as it renews its lease. */
export type LeasedJob = JobRow & { lease_id: string }

// After a crash a job waits this long for another replica. A process that only stood still for as long finds its lease
// gone, and stops.
const lease = sql.raw(`interval '10 seconds'`)

/** Which row a statement of the holder may change: none, once the job is cancelled or another process has it. */
const held = ({ id, lease_id }: LeasedJob) =>
  sql`id = ${id} and lease_id = ${lease_id} and status = 'running'`

/**
 * Takes one job that nobody works on. Tenants take turns, and so do the jobs of one: whose last turn is longest ago comes
 * first. One statement, so that no lock waits for this process.
 */
export async function claimJob(db: Db, leaseId: string): Promise<LeasedJob | null> {
  const { rows } = await sql<LeasedJob>`
    update compliance_jobs
    set status = 'running', lease_id = ${leaseId}, lease_until = now() + ${lease},
      attempts = attempts + 1, started_at = now()
    where id = (
      select j.id from compliance_jobs j
      where j.status in ('queued', 'running') and (j.lease_until is null or j.lease_until <= now())
      order by
        (select max(o.started_at) from compliance_jobs o where o.tenant_id = j.tenant_id) nulls first,
        j.started_at nulls first, j.id
      limit 1
      for no key update skip locked)
    returning *`.execute(db)
  return rows[0] ?? null
}

/** False when the lease is lost: then the work ends. */
export async function renewLease(
  db: Db,
  job: LeasedJob,
  { done, total }: { done: number; total: number | null },
): Promise<boolean> {
  const { rows } = await sql`
    update compliance_jobs set lease_until = now() + ${lease}, done = ${done}, total = ${total}
    where ${held(job)} returning id`.execute(db)
  return rows.length > 0
}

/** Lets the job go: at once for another turn, or later after something failed. */
export async function returnJob(
  db: Db,
  job: LeasedJob,
  { afterMs = 0, counts = false }: { afterMs?: number; counts?: boolean },
): Promise<void> {
  await sql`
    update compliance_jobs
    set lease_id = null, lease_until = now() + ${afterMs} * interval '1 millisecond',
      attempts = attempts - ${counts ? 0 : 1}
    where ${held(job)}`.execute(db)
}

/** False when the lease is lost. */
export async function failJob(db: Db, job: LeasedJob, error: string): Promise<boolean> {
  const { rows } = await sql`
    update compliance_jobs
    set status = 'failed', error = ${error}, lease_id = null, lease_until = null,
      finished_at = now(), expires_at = now() + ${keptFor}
    where ${held(job)} returning id`.execute(db)
  return rows.length > 0
}

export interface NewPart {
  number: number
  /** Compressed. */
  content: Buffer
  /** What it is without that. */
  bytes: number
  /** How far the result goes with it. */
  upTo: number
  entries: number
  seals: number
  done: number
  isLast: boolean
}

/** Stores a part and that it is stored, both or neither. False when the lease is lost. */
export async function storePart(db: Db, job: LeasedJob, part: NewPart): Promise<boolean> {
  const { rows } = await sql`
    with kept as (
      update compliance_jobs
      set stored_to = ${part.upTo}, entries = ${part.entries}, seals = ${part.seals}, done = ${part.done},
        parts = ${part.number + 1}, bytes = bytes + ${part.bytes}, attempts = 1,
        lease_until = now() + ${lease}
        ${part.isLast ? ended : sql``}
      where ${held(job)}
      returning id)
    insert into compliance_job_parts (job_id, number, content)
    select id, ${part.number}::int, ${part.content}::bytea from kept
    returning number`.execute(db)
  return rows.length > 0
}

const ended = sql`, status = 'done', finished_at = now(), expires_at = now() + ${keptFor}, lease_id = null`
