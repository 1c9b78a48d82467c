import type { JsonObject } from '@tallystick/record/json'
import type { ToolEnd, ToolRequest } from '../../calls/tool/index.js'
import type { Changes } from '../../db/index.js'
import type { AuthMethod, BodyLimits, Principal, PublicAddress } from '../../http/index.js'
import type { ToolServer } from '../../resources/mcp-servers/index.js'
import type { CallerMessages, CallerSessions, SessionTokens } from '../../resources/mcp-sessions/index.js'
import type { YieldToEventLoop } from '../../shared/slice-queue.js'
import type { Upstreams } from '../client/contract.js'
import type { McpServerLimits } from './limits.js'

/** What one caller may currently see and use. */
export interface CallerAccess {
  /** Returns true when the caller may use at least one tool of the server. */
  mayUseServer(server: ToolServer): boolean
  /** Returns the tools that the caller may call, with redacted definitions. */
  toolsOf(server: ToolServer): Promise<readonly JsonObject[]>
  /** Judges an item of a server's listing. Resolves with the redacted JSON, or null when it must not be shown. */
  judgeListing(server: ToolServer, json: string): Promise<string | null>
}

/** What the MCP server needs of permissions and tool calls. */
export interface ToolGateway {
  /** Reads what a caller may use. Throws `unauthorized` for a revoked key, and `user_suspended`. */
  accessOf(principal: Principal): Promise<CallerAccess>
  /** Makes a call. Throws an `ApiError` when it is refused, with `not_found` when the caller must not know of the target. */
  callTool(request: ToolRequest, principal: Principal): Promise<ToolEnd>
}

export interface McpOptions {
  /** The authentication methods of the gateway. */
  authMethods: readonly AuthMethod[]
  gateway: ToolGateway
  servers: {
    list(tenantId: string): Promise<readonly ToolServer[]>
    find(tenantId: string, name: string): Promise<ToolServer | null>
  }
  upstreams: Pick<Upstreams, 'request' | 'endSession'>
  sessions: CallerSessions
  tokens: Pick<SessionTokens, 'newQuestion' | 'isQuestion'>
  messages: CallerMessages
  changes: Changes
  yieldToEventLoop: YieldToEventLoop
  publicAddress: PublicAddress | null
  /** The version of this program, which callers see. */
  version: string
  stopping: AbortSignal
  bodyLimits?: BodyLimits
  answerLimits?: BodyLimits
  limits?: Partial<McpServerLimits>
  onError(error: unknown): void
}

export interface Mcp {
  /** Counts the open calls and the open streams that wait for changes. */
  underWay(): { calls: number; streams: number }
  /** Resolves when all open calls have their receipts, including those whose callers have disconnected. */
  settled(): Promise<void>
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set for routes that speak JSON-RPC, whose errors are written in that form. */
    mcp?: true
  }
}
