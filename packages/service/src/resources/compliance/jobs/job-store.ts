import { type Selectable, sql } from 'kysely'
import { type Db, inTransaction, locks, newId, type Tables } from '../../../db/index.js'
import type { Principal } from '../../../http/index.js'
import { cancelJobs, enqueueJob } from '../../../jobs/index.js'
import { conflict, notFound } from '../../../shared/errors.js'
import { type JobTask, writeTask } from './job-task.js'

/** The name of this kind of job. */
export const complianceJob = 'compliance'

export type JobRow = Selectable<Tables['compliance_jobs']>

/** The jobs that a tenant may have at a time. */
export interface JobLimits {
  /** Jobs that wait or run. */
  open: number
  /** Results that are stored. */
  kept: number
}

export const defaultJobLimits: JobLimits = { open: 5, kept: 20 }

/** Adds a job, unless the tenant has reached its limit. */
export async function insertJob(
  db: Db,
  { tenantId, userId, keyId }: Pick<Principal, 'tenantId' | 'userId' | 'keyId'>,
  task: JobTask,
  limits: JobLimits,
): Promise<JobRow> {
  return await inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(${locks.complianceJobs}, hashtext(${tenantId}))`.execute(tx)
    const { rows } = await sql<{ open: number; kept: number }>`
      select count(*) filter (where status in ('queued', 'running')) as open,
        count(*) filter (where status = 'done' and expires_at > now()) as kept
      from compliance_jobs where tenant_id = ${tenantId}`.execute(tx)
    const { open, kept } = rows[0] ?? { open: 0, kept: 0 }
    if (open >= limits.open)
      throw conflict(
        `${open} jobs of this tenant wait or run, and no more may: wait until one has ended, or cancel one with DELETE /v1/compliance/jobs/{id}`,
      )
    if (kept >= limits.kept)
      throw conflict(
        `The results of ${kept} jobs of this tenant are kept, and no more may be: remove one with DELETE /v1/compliance/jobs/{id}`,
      )
    const row = await tx
      .insertInto('compliance_jobs')
      .values({
        id: newId('job'),
        tenant_id: tenantId,
        user_id: userId,
        key_id: keyId,
        kind: task.kind,
        task: writeTask(task),
        ...(task.kind === 'export' && { total: task.header.toSeq - task.header.fromSeq + 1 }),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await enqueueJob(tx, { id: row.id, kind: complianceJob, tenantId })
    return row
  })
}

const ofTenant = (db: Db, tenantId: string) =>
  db
    .selectFrom('compliance_jobs')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', sql<Date>`now()`)]))

export async function requireJob(db: Db, tenantId: string, id: string): Promise<JobRow> {
  const row = await ofTenant(db, tenantId).where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound('job: it never was, was removed, or its time is over')
  return row
}

/** Newest first. */
export async function listJobs(
  db: Db,
  tenantId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<JobRow[]> {
  let query = ofTenant(db, tenantId)
  if (after !== null) query = query.where('id', '<', after)
  return await query.orderBy('id', 'desc').limit(limit).execute()
}

/**
 * Cancels a job that has not ended, and removes one that has. Maintenance deletes the parts, of which a large
 * result has thousands. False when there is no such job.
 */
export async function cancelOrRemoveJob(db: Db, tenantId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    with ended as (
      update compliance_jobs
      set status = case when finished_at is null then 'cancelled' else status end,
        finished_at = coalesce(finished_at, now()),
        expires_at = case when finished_at is null then now() + ${keptFor} else now() end
      where tenant_id = ${tenantId} and id = ${id} and (expires_at is null or expires_at > now())
      returning id),
    cancelled as (${cancelJobs(sql`select id from ended`)})
    select id from ended`.execute(db)
  return rows.length > 0
}

export const keptDays = 7
export const keptFor = sql.raw(`interval '${keptDays} days'`)

/** Returns one part of the result, as it was stored; undefined when it was removed. */
export async function readPart(db: Db, jobId: string, number: number): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('compliance_job_parts')
    .select('content')
    .where('job_id', '=', jobId)
    .where('number', '=', number)
    .executeTakeFirst()
  return row?.content
}
