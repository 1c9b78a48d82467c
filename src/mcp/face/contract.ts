import type { Changes } from '../../db/index.js'
import type { BodyLimits, Principal, PublicPlace, Resolver } from '../../http/index.js'
import type { JsonObject } from '../../json/index.js'
import type { McpServerTerms } from '../../modules/mcp-servers/index.js'
import type { CallerMessages, CallerSessions, SessionTokens } from '../../modules/mcp-sessions/index.js'
import type { WaitForTurn } from '../../turns.js'
import type { ToolEnd, ToolRequest } from '../call/contract.js'
import type { Upstreams } from '../upstream/contract.js'
import type { FaceLimits } from './limits.js'

/** What one caller may see and use, as of now. */
export interface CallerAccess {
  /** Whether it may use anything of this server at all. */
  mayUseServer(server: McpServerTerms): boolean
  /** The tools that it may call, with definitions as the policies leave them. */
  toolsOf(server: McpServerTerms): Promise<readonly JsonObject[]>
  /** What the policies leave of an item of a listing that a server gave, as JSON; null for nothing. */
  judgeListing(server: McpServerTerms, json: string): Promise<string | null>
}

/** What the face needs of governed calls. */
export interface FaceRules {
  /** Throws `unauthorized` for a key that may no longer call, and `user_suspended`. */
  accessOf(principal: Principal): Promise<CallerAccess>
  /** Throws an `ApiError` for what is refused; `not_found` where the caller may not know of it. */
  govern(request: ToolRequest, principal: Principal): Promise<ToolEnd>
}

export interface McpOptions {
  /** The ways of proving who calls: those of the gateway. */
  resolvers: readonly Resolver[]
  rules: FaceRules
  servers: {
    list(tenantId: string): Promise<readonly McpServerTerms[]>
    find(tenantId: string, name: string): Promise<McpServerTerms | null>
  }
  upstreams: Pick<Upstreams, 'request' | 'endSession'>
  sessions: CallerSessions
  tokens: Pick<SessionTokens, 'newQuestion' | 'isQuestion'>
  messages: CallerMessages
  changes: Changes
  waitForTurn: WaitForTurn
  publicPlace: PublicPlace | null
  /** Of this program, as callers are told. */
  version: string
  stopping: AbortSignal
  bodyLimits?: BodyLimits
  answerLimits?: BodyLimits
  limits?: Partial<FaceLimits>
  onError(error: unknown): void
}

export interface Mcp {
  /** Calls, and streams that wait for changes, that are under way. */
  underWay(): { calls: number; streams: number }
  /** Resolves when the calls under way are receipted, also those whose callers have hung up. */
  settled(): Promise<void>
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** It speaks JSON-RPC: errors are written as that. */
    mcp?: true
  }
}
