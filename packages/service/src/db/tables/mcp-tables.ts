import type { Generated, JSONColumnType } from 'kysely'

/** How a call authenticates at a server. */
type McpAuthColumn =
  | { type: 'none' }
  | { type: 'header'; header: string }
  | { type: 'oauth'; clientId: string | null; scopes: readonly string[] }
  | { type: 'passthrough' }

interface McpServersTable {
  id: string
  tenant_id: string
  name: string
  url: string
  sealed_headers: Buffer | null
  auth: JSONColumnType<McpAuthColumn>
  sealed_client_secret: Buffer | null
  enabled: Generated<boolean>
  open: Generated<boolean>
  pinning: Generated<'off' | 'warn' | 'block'>
  price_nanos: Generated<number>
  rpm_limit: number | null
  limits_since: Generated<number>
  timeout_ms: number
  max_result_bytes: number
  resources: Generated<string[]>
  prompts: Generated<string[]>
  created_at: Generated<Date>
  updated_at: Generated<Date>
  deleted_at: Date | null
}

interface McpListingsTable {
  tenant_id: string
  server_id: string
  protocol_version: string | null
  /** JSON text, like the two columns after it. */
  server_info: string | null
  capabilities: string | null
  instructions: string | null
  status: 'ok' | 'failing'
  status_message: string | null
  refreshed_at: Date | null
  checked_at: Generated<Date>
}

interface McpToolsTable {
  tenant_id: string
  server_id: string
  name: string
  seen_hash: string
  seen_definition: string
  seen_at: Generated<Date>
  gone_at: Date | null
  fault: string | null
  approved_hash: string | null
  approved_definition: string | null
  approved_at: Date | null
  approved_by: string | null
  blocked: Generated<boolean>
}

interface McpCredentialsTable {
  tenant_id: string
  server_id: string
  subject: string
  sealed: Buffer
  expires_at: Date | null
  updated_at: Generated<Date>
}

interface McpConsentsTable {
  id: string
  tenant_id: string
  server_id: string
  subject: string
  sealed: Buffer
  expires_at: Date
}

interface McpOauthClientsTable {
  tenant_id: string
  server_id: string
  issuer: string
  sealed: Buffer
  created_at: Generated<Date>
}

interface McpSessionsTable {
  tenant_id: string
  server_id: string
  owner: string
  sealed: Buffer
  protocol_version: string
  used_at: Generated<Date>
  expires_at: Date
}

interface McpMessagesTable {
  id: Generated<number>
  tenant_id: string
  call: string
  payload: Buffer
  created_at: Generated<Date>
}

interface McpCallerSessionsTable {
  tenant_id: string
  id: string
  ended: Generated<boolean>
  log_level: string | null
  expires_at: Date
}

/** MCP servers and their tools. */
export interface McpTables {
  mcp_servers: McpServersTable
  mcp_listings: McpListingsTable
  mcp_tools: McpToolsTable
  mcp_credentials: McpCredentialsTable
  mcp_consents: McpConsentsTable
  mcp_oauth_clients: McpOauthClientsTable
  mcp_sessions: McpSessionsTable
  mcp_messages: McpMessagesTable
  mcp_caller_sessions: McpCallerSessionsTable
}
