import { sql } from 'kysely'
import { type Db, type Periodic, startPeriodic } from '../../db/index.js'

const intervalMs = 600_000
// A part is some megabytes; deleting this many takes some ten milliseconds.
const partsPerStep = 32

/** Removes jobs whose time is over, and what was stored for those that will have no result. */
export const startPruningJobs = ({ db, onError }: { db: Db; onError(error: unknown): void }): Periodic =>
  startPeriodic({ run: () => deleteOldJobs(db), everyMs: intervalMs, startsAtOnce: true, onError })

/** In steps: the parts of one large export are more than a transaction should delete. */
export async function deleteOldJobs(db: Db): Promise<void> {
  for (let deleted = partsPerStep; deleted === partsPerStep; ) {
    const { rows } = await sql`
      delete from compliance_job_parts p
      using (
        select p.job_id, p.number from compliance_jobs j join compliance_job_parts p on p.job_id = j.id
        where j.expires_at <= now() or (j.expires_at > now() and j.status in ('cancelled', 'failed'))
        limit ${partsPerStep}) as old
      where p.job_id = old.job_id and p.number = old.number
      returning p.number`.execute(db)
    deleted = rows.length
  }
  await sql`
    delete from compliance_jobs j
    where j.expires_at <= now()
      and not exists (select from compliance_job_parts p where p.job_id = j.id)`.execute(db)
}
