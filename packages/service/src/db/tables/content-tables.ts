import type { Generated } from 'kysely'

interface ContentCaptureTable {
  tenant_id: string
  mode: 'off' | 'redacted' | 'full'
  mode_seq: number
  retention_days: number
  updated_at: Generated<Date>
}

interface CallContentTable {
  tenant_id: string
  captured_at: Date
  request_id: string
  attempt: number
  user_id: string | null
  sealed: Buffer
}

/** The tables of captured content. */
export interface ContentTables {
  content_capture: ContentCaptureTable
  call_content: CallContentTable
}
