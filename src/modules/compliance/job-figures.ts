import { sql } from 'kysely'
import type { Db } from '../../db/index.js'
import type { JobRow } from './job-store.js'

export type OpenJobs = Record<'waiting' | 'running', Record<JobRow['kind'], number>>

/** Jobs of all tenants that have not ended. A tenant has few of them, and an index has no others. */
export async function countOpenJobs(db: Db): Promise<OpenJobs> {
  const { rows } = await sql<{ kind: JobRow['kind']; waiting: number; running: number }>`
    select kind, count(*) filter (where lease_until > now() and lease_id is not null)::int as running,
      count(*) filter (where lease_id is null or lease_until <= now())::int as waiting
    from compliance_jobs where status in ('queued', 'running') group by kind`.execute(db)
  const open: OpenJobs = { waiting: { attestation: 0, export: 0 }, running: { attestation: 0, export: 0 } }
  for (const { kind, waiting, running } of rows) {
    open.waiting[kind] = waiting
    open.running[kind] = running
  }
  return open
}
