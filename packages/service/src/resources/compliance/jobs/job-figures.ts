import { sql } from 'kysely'
import type { Db } from '../../../db/index.js'
import { complianceJob, type JobRow } from './job-store.js'

export type OpenJobs = Record<'waiting' | 'running', Record<JobRow['kind'], number>>

/** Counts the unfinished jobs of all tenants. A tenant has few of them, and an index contains only these. */
export async function countOpenJobs(db: Db): Promise<OpenJobs> {
  const { rows } = await sql<{ kind: JobRow['kind']; waiting: number; running: number }>`
    select c.kind, count(*) filter (where j.leased_until > now())::int as running,
      count(*) filter (where j.leased_until is null or j.leased_until <= now())::int as waiting
    from jobs j join compliance_jobs c on c.id = j.id
    where j.kind = ${complianceJob} and j.state = 'open' and c.status in ('queued', 'running') group by c.kind`.execute(
    db,
  )
  const open: OpenJobs = { waiting: { attestation: 0, export: 0 }, running: { attestation: 0, export: 0 } }
  for (const { kind, waiting, running } of rows) {
    open.waiting[kind] = waiting
    open.running[kind] = running
  }
  return open
}
