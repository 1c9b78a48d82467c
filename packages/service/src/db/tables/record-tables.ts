import type { Generated } from 'kysely'

interface SigningKeysTable {
  id: string
  public_key: Buffer
  created_at: Generated<Date>
  retired_at: Date | null
}

interface RecordHeadsTable {
  tenant_id: string
  size: Generated<number>
  prev: Buffer
  frontier: Generated<Buffer>
  /** The writer that currently has priority on this head, and until when. */
  turn_of: string | null
  turn_until: Date | null
}

interface ReceiptsTable {
  tenant_id: string
  seq: number
  request_id: string
  ts: Date
  canonical: string
  leaf_hash: Buffer
  commitment_key: Buffer | null
  owner: string | null
}

interface SealsTable {
  tenant_id: string
  size: number
  key_id: string
  note: string
  created_at: Generated<Date>
}

interface OpenCallsTable {
  id: string
  tenant_id: string
  /** Null for a line of a batch, which belongs to no process. */
  process_id: string | null
  draft: string
  commitment_key: Buffer | null
  batch_id: string | null
}

interface ProcessesTable {
  id: string
  started_at: Generated<Date>
  seen_at: Generated<Date>
  absent_since: Date | null
}

interface RecordNodesTable {
  tenant_id: string
  level: number
  index: number
  hash: Buffer
}

interface RecordClosingsTable {
  tenant_id: string
  size: number
  prev: Buffer
  frontier: Buffer
  note: string
  created_at: Generated<Date>
}

export interface RecordTables {
  signing_keys: SigningKeysTable
  record_heads: RecordHeadsTable
  receipts: ReceiptsTable
  seals: SealsTable
  open_calls: OpenCallsTable
  processes: ProcessesTable
  record_nodes: RecordNodesTable
  record_closings: RecordClosingsTable
}
