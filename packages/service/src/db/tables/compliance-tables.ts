import type { Generated } from 'kysely'

interface TenantPacksTable {
  tenant_id: string
  framework: string
  version: string
  source: 'builtin' | 'custom'
  canonical: string
  pack_hash: string
  activated_at: Generated<Date>
}

interface ErasuresTable {
  id: string
  tenant_id: string
  user_id: string
  control_seq: number
  done_to: Generated<number>
  erased: Generated<number>
  first_seq: number | null
  last_seq: number | null
  created_at: Generated<Date>
  finished_at: Date | null
}

interface AnchorsTable {
  tenant_id: string
  type: 'file' | 'rfc3161'
  /** Text such as 2026-11-15, because a `Date` would depend on a time zone. */
  day: string
  size: number
  note: string
  target: string
  token: Buffer | null
  anchored_at: Generated<Date>
}

interface LastAttestationsTable {
  tenant_id: string
  period: string
  generated_at: Date | string
  attestation: string
}

interface ComplianceJobsTable {
  id: string
  tenant_id: string
  /** The user or key that requested the job. */
  user_id: string | null
  key_id: string | null
  kind: 'attestation' | 'export'
  status: Generated<'queued' | 'running' | 'done' | 'failed' | 'cancelled'>
  task: string
  done: Generated<number>
  total: number | null
  stored_to: Generated<number>
  entries: Generated<number>
  seals: Generated<number>
  parts: Generated<number>
  bytes: Generated<number>
  /** The number of the last lease of the job. */
  lease_number: number | null
  error: string | null
  created_at: Generated<Date>
  finished_at: Date | null
  expires_at: Date | null
}

interface ComplianceJobPartsTable {
  job_id: string
  number: number
  content: Buffer
}

/** The tables of packs, erasures, anchors, attestations and jobs. */
export interface ComplianceTables {
  tenant_packs: TenantPacksTable
  erasures: ErasuresTable
  anchors: AnchorsTable
  last_attestations: LastAttestationsTable
  compliance_jobs: ComplianceJobsTable
  compliance_job_parts: ComplianceJobPartsTable
}
