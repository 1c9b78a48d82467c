import { sql } from 'kysely'
import type { Db } from '../db/index.js'
import type { Job, JobKind } from './job.js'
import { isUnleased, leaseEnd } from './lease.js'

// After a crash a job waits this long for another replica. A process that was paused for as long loses its lease.
export const leaseMs = 10_000

/** How many jobs of a kind may be claimed. */
export interface KindCapacity extends Pick<JobKind, 'name' | 'leaseEnds'> {
  capacity: number
}

interface ClaimRequest {
  processId: string
  /**
   * The jobs that this process works on. A lease of this process on any other job is left over from a release that
   * the unavailable database did not store.
   */
  running: readonly string[]
  kinds: readonly KindCapacity[]
}

/**
 * Claims jobs that are due and not leased. Tenants alternate, and so do the jobs of one tenant: the one served
 * longest ago comes first. This is one statement, so that no lock waits for this process. Only the first open job
 * of a group can be claimed, and its row is locked in the meantime, so two replicas cannot run two jobs of one group.
 */
export async function claimJobs(db: Db, { processId, running, kinds }: ClaimRequest): Promise<Job[]> {
  const { rows } = await sql<Job>`
    with picked as materialized (
      select due.id, wanted.lease_ends
      from unnest(
        ${kinds.map(({ name }) => name)}::text[],
        ${kinds.map(({ leaseEnds }) => leaseEnds)}::text[],
        ${kinds.map(({ capacity }) => capacity)}::int[]
      ) as wanted (kind, lease_ends, capacity)
      cross join lateral (
        select j.id from jobs j
        where j.kind = wanted.kind and j.state = 'open' and j.run_at <= now()
          and (${isUnleased(sql`j.leased_until`)}
            or (j.leased_by = ${processId} and j.id <> all(${running}::text[]))
            or (j.leased_until = 'infinity' and not exists (select from processes p where p.id = j.leased_by)))
          and (j.group_key is null or not exists (
            select from jobs earlier
            where earlier.kind = j.kind and earlier.group_key = j.group_key and earlier.state = 'open' and earlier.id < j.id))
        order by
          (select max(o.started_at) from jobs o where o.kind = j.kind and o.tenant_id = j.tenant_id) nulls first,
          j.started_at nulls first, j.id
        limit wanted.capacity
        for no key update skip locked) as due
    )
    update jobs
    set leased_by = ${processId}, lease_number = jobs.lease_number + 1, attempts = jobs.attempts + 1, started_at = now(),
      leased_until = case when picked.lease_ends = 'by-time' then ${leaseEnd(leaseMs)} else 'infinity' end
    from picked where jobs.id = picked.id
    returning jobs.id, jobs.kind, jobs.tenant_id, jobs.attempts, jobs.lease_number`.execute(db)
  return rows
}

/** Whether there are jobs that are due, later, or held by any process. */
export async function hasOpenJobs(db: Db): Promise<boolean> {
  const { rows } = await sql<{ has_open: boolean }>`
    select exists (select from jobs where state = 'open') as has_open`.execute(db)
  return rows[0]?.has_open === true
}

/** Renews leases that end by time. Returns the ids of the jobs that this process still holds. */
export async function renewLeases(db: Db, jobs: readonly Job[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    update jobs
    set leased_until = case when leased_until = 'infinity' then leased_until else ${leaseEnd(leaseMs)} end
    from unnest(${jobs.map(({ id }) => id)}::text[], ${jobs.map(({ lease_number: number }) => number)}::bigint[])
      as held (id, lease_number)
    where jobs.id = held.id and jobs.lease_number = held.lease_number and jobs.state = 'open' and jobs.leased_by is not null
    returning jobs.id`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Selects the row that the lease holder may change: none once the job is cancelled or another process holds it. */
const held = ({ id, lease_number: number }: Job) =>
  sql`id = ${id} and lease_number = ${number} and leased_by is not null and state = 'open'`

/** Resets the attempts of a job after progress. The current run counts as the first. */
export const noteProgress = (job: Job) => sql`update jobs set attempts = 1 where ${held(job)}`

export async function completeJob(db: Db, job: Job): Promise<void> {
  await sql`
    update jobs set state = 'done', ended_at = now(), leased_by = null, leased_until = null
    where ${held(job)}`.execute(db)
}

export async function giveUpJob(db: Db, job: Job, error: string): Promise<void> {
  await sql`
    update jobs set state = 'dead', last_error = ${error}, ended_at = now(), leased_by = null, leased_until = null
    where ${held(job)}`.execute(db)
}

/**
 * Returns a job to the queue, to run again later. A job that was woken during the run stays due, because its time
 * was set after the claim. `error` is null when the job continues later without a failure.
 */
export async function returnJob(db: Db, job: Job, afterMs: number, error: string | null): Promise<void> {
  await sql`
    update jobs
    set leased_by = null, leased_until = null,
      run_at = case when run_at > started_at then run_at else now() + ${afterMs} * interval '1 millisecond' end,
      attempts = attempts - ${error === null ? 1 : 0},
      last_error = coalesce(${error}, last_error)
    where ${held(job)}`.execute(db)
}
