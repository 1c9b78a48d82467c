import type { Generated } from 'kysely'

interface BatchFilesTable {
  id: string
  tenant_id: string
  key_id: string
  user_id: string | null
  purpose: 'batch' | 'batch_output'
  bytes: number
  name: Buffer
  content: Buffer
  created_at: Generated<Date>
  expires_at: Date
}

export type BatchStatus =
  | 'validating'
  | 'in_progress'
  | 'finalizing'
  | 'completed'
  | 'failed'
  | 'expired'
  | 'cancelling'
  | 'cancelled'

export interface BatchesTable {
  id: string
  tenant_id: string
  key_id: string
  user_id: string | null
  endpoint: string
  model: string
  provider_id: string
  credential_id: string | null
  price: string
  sealed: Buffer
  input_file_id: string
  output_file_id: string | null
  error_file_id: string | null
  status: Generated<BatchStatus>
  error: string | null
  call_ids: string[]
  refused: Buffer | null
  completed: Generated<number>
  failed: Generated<number>
  sent_at: Date | null
  upstream_file_id: string | null
  upstream_id: string | null
  created_at: Generated<Date>
  in_progress_at: Date | null
  finalizing_at: Date | null
  cancelling_at: Date | null
  ended_at: Date | null
  expires_at: Date
  /** The number of the last lease of the batch's job. */
  lease_number: number | null
}

/** Batches of calls, and their files. */
export interface BatchTables {
  batch_files: BatchFilesTable
  batches: BatchesTable
}
