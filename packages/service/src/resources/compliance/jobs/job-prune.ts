import { sql } from 'kysely'
import { type Db, type Periodic, startPeriodic } from '../../../db/index.js'
import { deleteInSteps } from '../../../jobs/index.js'

const intervalMs = 600_000
// A part has a few megabytes; deleting this many takes tens of milliseconds.
const partsPerStep = 32

/** Removes expired jobs, and parts of jobs that will have no result. */
export const startPruningJobs = ({ db, onError }: { db: Db; onError(error: unknown): void }): Periodic =>
  startPeriodic({ run: () => deleteOldJobs(db), everyMs: intervalMs, startsAtOnce: true, onError })

/** Runs in steps, because a large export has more parts than one transaction should delete. */
export async function deleteOldJobs(db: Db): Promise<void> {
  await deleteInSteps(
    db,
    partsPerStep,
    sql`
      delete from compliance_job_parts p
      using (
        select p.job_id, p.number from compliance_jobs j join compliance_job_parts p on p.job_id = j.id
        where j.expires_at <= now() or (j.expires_at > now() and j.status in ('cancelled', 'failed'))
        limit ${partsPerStep}) as old
      where p.job_id = old.job_id and p.number = old.number
      returning p.number`,
  )
  await sql`
    delete from compliance_jobs j
    where j.expires_at <= now()
      and not exists (select from compliance_job_parts p where p.job_id = j.id)`.execute(db)
}
