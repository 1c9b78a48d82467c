import type { ToolUpstream, UpstreamOwner } from '../../calls/tool/index.js'
import type { McpListing, McpServerTerms } from '../../resources/mcp-servers/index.js'

export type {
  UpstreamChannel,
  UpstreamEnd,
  UpstreamFailure,
  UpstreamOwner,
  UpstreamRequest,
} from '../../calls/tool/index.js'

export interface Upstreams extends ToolUpstream {
  /** Asks a server for all that it offers. Rejects with an `ApiError` in words for whoever manages it. */
  list(server: McpServerTerms, owner: UpstreamOwner): Promise<McpListing>
  /** Ends the sessions of servers that belong to a session of a caller. */
  endSession(tenantId: string, session: string): Promise<void>
  close(): Promise<void>
}
