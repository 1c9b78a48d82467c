import type { Generated } from 'kysely'

interface JobsTable {
  id: string
  kind: string
  tenant_id: string
  group_key: string | null
  state: Generated<'open' | 'done' | 'dead'>
  run_at: Generated<Date>
  attempts: Generated<number>
  leased_by: string | null
  leased_until: Date | null
  lease_number: Generated<number>
  started_at: Date | null
  ended_at: Date | null
  last_error: string | null
  created_at: Generated<Date>
}

/** Jobs that replicas lease. */
export interface JobTables {
  jobs: JobsTable
}
