import type { IncomingHttpHeaders } from 'node:http'
import type { JsonObject } from '@tallystick/record/json'
import type { ReceiptDraft } from '../../record/index.js'
import type { Entitlements } from '../../resources/keys/index.js'
import type { ToolServer } from '../../resources/mcp-servers/index.js'
import type { ApiError } from '../../shared/errors.js'
import type { CallTrace, Stages } from '../core/index.js'

/** The methods that carry content. Each request with one of them is a call with a receipt. */
export type CallMethod = 'tools/call' | 'resources/read' | 'prompts/get' | 'completion/complete'

/** A request to one server, with the names that this server uses. */
export interface ToolRequest {
  method: CallMethod
  server: ToolServer
  /** The name of the tool or prompt as the server knows it, or the URI of the resource. */
  name: string
  /** The params as JSON, with the names that the server uses, and without the members of `_meta` that the protocol reserves. */
  paramsJson: string
  /** The headers of the HTTP request. They carry the labels of the call. */
  headers: IncomingHttpHeaders
  /** The caller's own `Authorization`, when its virtual key came in another header. */
  authorization: string | null
  /** The session of a caller of the older protocol, for which sessions with servers are kept. Null for other callers. */
  session: string | null
  /** The session label of the call when no header sets one. */
  defaultSession: string | null
  /** Whether the caller speaks 2026-07-28, so that a server's `input_required` is passed on to it. */
  isModern: boolean
  channel: CallerChannel
}

/** The connection to the caller while its request is open. */
export interface CallerChannel {
  /** The capabilities that the caller declared. */
  capabilities: JsonObject
  /** Sends a notification that policies have judged, such as progress. `paramsJson` is JSON. Must not throw. */
  notify(method: string, paramsJson: string): void
  /** Asks the caller a question and resolves with `{"result":…}` or `{"error":…}` as JSON. Null when the caller cannot be asked. */
  ask: ((method: string, paramsJson: string) => Promise<string>) | null
  isGone(): boolean
  /** True when the connection was closed because the caller did not read what was sent to it. */
  isStalled(): boolean
  /** Calls back when the caller disconnects or cancels. Returns a function that stops listening. */
  onGone(listener: () => void): () => void
}

/** What the caller receives. The receipt is durable. */
export type ToolEnd = ({ resultJson: string } | { errorJson: string }) & {
  /** The cost of the call and the number of its receipt. */
  headers: Record<string, string>
}

/** A tool call that has ended, for logs, metrics and traces. */
export interface FinishedToolAttempt {
  method: CallMethod
  server: ToolServer
  entitlements: Entitlements
  /** The receipt as it was written to the record. */
  draft: ReceiptDraft
  /** The number of the receipt. Null while the receipt waits in the spool, and when it could not be made durable. */
  seq: number | null
  /** Why the receipt could not be made durable. The caller received this error instead of a result. */
  fault: ApiError | null
  /** Why there was no result. Null when there was one, including a result with `isError`. */
  error: ApiError | null
  stages: Stages
  /** The time from the arrival of the whole request to the end of the result. */
  latencyMs: number
  trace: CallTrace | null
}

/** A tool call that a rate limit refused. It leaves no receipt. */
export interface RefusedTool {
  id: string
  method: CallMethod
  server: ToolServer
  tool: string
  entitlements: Entitlements
  error: ApiError
  stages: Stages
  trace: CallTrace | null
}
