import type { Generated, JSONColumnType } from 'kysely'

/** Where a sink sends to, without secrets. Which fields are set depends on the type. */
export interface SinkDestination {
  type: 's3' | 'http' | 'syslog'
  url: string
  region?: string
  bucket?: string
  prefix?: string
  accessKeyId?: string
  /** A certificate authority in PEM, for a receiver whose certificate is not from a public one. */
  ca?: string
}

interface SinksTable {
  id: string
  tenant_id: string
  name: string
  data: 'receipts' | 'calls' | 'audit' | 'security_events' | 'focus'
  format: 'jsonl' | 'csv' | 'parquet' | 'ocsf'
  destination: JSONColumnType<SinkDestination>
  sealed_secrets: Buffer | null
  interval_s: number
  enabled: Generated<boolean>
  position: string | null
  batch_end: string | null
  exported: Generated<number>
  lease_number: Generated<number>
  last_success_at: Date | null
  last_error: string | null
  last_error_at: Date | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
  deleted_at: Date | null
}

export interface SinkTables {
  sinks: SinksTable
}
