import type { ToolUpstream, UpstreamOwner } from '../../calls/tool/index.js'
import type { McpListing, ToolServer } from '../../resources/mcp-servers/index.js'

export type {
  UpstreamChannel,
  UpstreamEnd,
  UpstreamFailure,
  UpstreamOwner,
  UpstreamRequest,
} from '../../calls/tool/index.js'

export interface Upstreams extends ToolUpstream {
  /** Asks a server for its tools and capabilities. Rejects with an `ApiError` whose message is for the managers of the server. */
  list(server: ToolServer, owner: UpstreamOwner): Promise<McpListing>
  /** Ends the sessions with servers that were opened for a session of a caller. */
  endSession(tenantId: string, session: string): Promise<void>
  /** Ends the processes of all other servers, after their requests. For servers that were removed from the operator's file. */
  keepProcesses(serverIds: ReadonlySet<string>): void
  close(): Promise<void>
}
