import type { Generated } from 'kysely'
import type { BatchTables } from './batch-tables.js'
import type { CallTables } from './call-tables.js'
import type { ComplianceTables } from './compliance-tables.js'
import type { ContentTables } from './content-tables.js'
import type { JobTables } from './job-tables.js'
import type { ManagementTables } from './management-tables.js'
import type { McpTables } from './mcp-tables.js'
import type { ProviderTables } from './provider-tables.js'
import type { RecordTables } from './record-tables.js'
import type { RepeatTables } from './repeat-tables.js'
import type { SessionTables } from './session-tables.js'
import type { SinkTables } from './sink-tables.js'
import type { TenantTables } from './tenant-tables.js'
import type { WebhookTables } from './webhook-tables.js'

interface InstanceTable {
  id: string
  cursor_secret: Buffer
  master_key_id: string | null
}

interface DataKeysTable {
  id: Buffer
  wrapped: Buffer
  master_key_id: string
  created_at: Generated<Date>
}

export interface Tables
  extends TenantTables,
    RecordTables,
    ManagementTables,
    ComplianceTables,
    WebhookTables,
    CallTables,
    ContentTables,
    ProviderTables,
    RepeatTables,
    BatchTables,
    JobTables,
    McpTables,
    SessionTables,
    SinkTables {
  instance: InstanceTable
  data_keys: DataKeysTable
}
