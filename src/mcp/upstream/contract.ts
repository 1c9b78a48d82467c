import type { JsonObject } from '../../json/index.js'
import type { McpListing, McpServerTerms } from '../../modules/mcp-servers/index.js'

/** For whom a request is made: which credential it goes out with, and which session of the server it belongs to. */
export interface UpstreamOwner {
  tenantId: string
  keyId: string
  userId: string | null
  /** The caller's session; null for callers without one. */
  session: string | null
  /** The caller's own `Authorization`, for servers with `auth: passthrough`. */
  authorization: string | null
}

/** What goes to and fro while a request is under way. */
export interface UpstreamLine {
  /** What the caller can do: `elicitation`, `sampling`, `roots`. */
  capabilities: JsonObject
  /**
   * The caller can be asked while the request is under way. Older servers, which ask in that way, are told of its capabilities only
   * then; newer ones always.
   */
  canAsk: boolean
  /** The request may have reached the server. */
  onSent(): void
  /** A notification of the server, such as progress: its method and its params as JSON. */
  onNotification(method: string, paramsJson: string): void
  /** A question of the server. Resolves with `{"result":…}` or `{"error":…}` as JSON. */
  ask(method: string, paramsJson: string): Promise<string>
}

export interface UpstreamRequest {
  server: McpServerTerms
  owner: UpstreamOwner
  /** Such as `tools/call`. */
  method: string
  /** What `params.name` or `params.uri` says: newer servers want it in a header too. */
  name: string
  /** The params as JSON, without members of `_meta` that the protocol reserves for the connection. */
  paramsJson: string
  line: UpstreamLine
  timeoutMs: number
  maxBytes: number
  /** Aborted when nobody waits any more: the server is told so. */
  signal: AbortSignal
}

/** How a request ended. */
export type UpstreamEnd =
  /** The result as JSON, whatever it says. */
  | { type: 'result'; json: string }
  /** A protocol error: the member `error` as JSON, and its code. */
  | { type: 'error'; json: string; code: number }
  | { type: 'failure'; failure: UpstreamFailure; message: string }
  /** This service could not make the request, for example because its database is away. */
  | { type: 'fault'; cause: unknown }

/** `credential`: the server wants one, or another; `consentUrl` of the message is where the user can give it. */
export type UpstreamFailure =
  | 'unreachable'
  | 'refused'
  | 'credential'
  | 'timeout'
  | 'too_large'
  | 'bad_answer'
  | 'cancelled'

export interface Upstreams {
  /** Never rejects. */
  request(request: UpstreamRequest): Promise<UpstreamEnd>
  /** Asks a server for all that it offers. Rejects with an `ApiError` in words for whoever manages it. */
  list(server: McpServerTerms, owner: UpstreamOwner): Promise<McpListing>
  /** Ends the sessions of servers that belong to a session of a caller. */
  endSession(tenantId: string, session: string): Promise<void>
  close(): Promise<void>
}
