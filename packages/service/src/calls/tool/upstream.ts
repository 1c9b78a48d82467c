import type { JsonObject } from '@tallystick/record/json'
import type { ToolServer } from '../../resources/mcp-servers/index.js'

/** On whose behalf a request is made. Decides which credential and which session with the server it uses. */
export interface UpstreamOwner {
  tenantId: string
  keyId: string
  userId: string | null
  /** The caller's session. Null for callers without one. */
  session: string | null
  /** The caller's own `Authorization`, for servers with `auth: passthrough`. */
  authorization: string | null
}

/** The messages between server and caller while a request is open. */
export interface UpstreamChannel {
  /** The capabilities of the caller: `elicitation`, `sampling`, `roots`. */
  capabilities: JsonObject
  /**
   * Whether the caller can be asked while the request is open. Servers of the older protocol ask in that way, so they learn of the
   * capabilities only when this is true. Servers of the newer protocol always do.
   */
  canAsk: boolean
  /** Called when the request may have reached the server. */
  onSent(): void
  /** Called for a notification of the server, such as progress. `paramsJson` is JSON. */
  onNotification(method: string, paramsJson: string): void
  /** Called for a question of the server. Resolves with `{"result":…}` or `{"error":…}` as JSON. */
  ask(method: string, paramsJson: string): Promise<string>
}

export interface UpstreamRequest {
  server: ToolServer
  owner: UpstreamOwner
  /** The method, such as `tools/call`. */
  method: string
  /** The value of `params.name` or `params.uri`, which servers of the newer protocol also expect in a header. */
  name: string
  /** The params as JSON, without the members of `_meta` that the protocol reserves. */
  paramsJson: string
  channel: UpstreamChannel
  timeoutMs: number
  maxBytes: number
  /** Aborted when nobody waits for the result any more. The server is notified. */
  signal: AbortSignal
}

/** How a request ended. */
export type UpstreamEnd =
  /** The result as JSON, including results with `isError`. */
  | { type: 'result'; json: string }
  /** A protocol error. `json` is its member `error`. */
  | { type: 'error'; json: string; code: number }
  | { type: 'failure'; failure: UpstreamFailure; message: string }
  /** This service could not make the request, for example because its database is away. */
  | { type: 'fault'; cause: unknown }

/** Why a request failed. `credential` means that the server requires a credential, or a different one. */
export type UpstreamFailure =
  | 'unreachable'
  | 'refused'
  | 'credential'
  | 'timeout'
  | 'too_large'
  | 'bad_answer'
  | 'cancelled'

/** Sends requests to MCP servers. */
export interface ToolUpstream {
  /** Never rejects. */
  request(request: UpstreamRequest): Promise<UpstreamEnd>
}
