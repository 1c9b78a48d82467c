import type { IncomingHttpHeaders } from 'node:http'
import type { ApiError } from '../../errors.js'
import type { CallTrace, Stages } from '../../governed/index.js'
import type { JsonObject } from '../../json/index.js'
import type { ReceiptDraft } from '../../ledger/index.js'
import type { Entitlements } from '../../modules/keys/index.js'
import type { McpServerTerms } from '../../modules/mcp-servers/index.js'

/** The methods that carry content of callers and servers. Each of them is a governed call. */
export type GovernedMethod = 'tools/call' | 'resources/read' | 'prompts/get' | 'completion/complete'

/** A request to one server, in the words of that server. */
export interface ToolRequest {
  method: GovernedMethod
  server: McpServerTerms
  /** The tool's own name; the URI of a resource; the name of a prompt. */
  name: string
  /** The params as JSON, with the names that the server knows. `_meta` without members of the protocol's own. */
  paramsJson: string
  /** Of the HTTP request: what the call is filed under. */
  headers: IncomingHttpHeaders
  /** The caller's own `Authorization`, where its virtual key came in another header. */
  authorization: string | null
  /** The session of an older caller, as its servers' sessions are kept for; null for others. */
  session: string | null
  /** The session to file the call under where no header says one. */
  filedSession: string | null
  /** Whether the caller speaks 2026-07-28: a server's `input_required` is passed on to it. */
  isModern: boolean
  line: CallerLine
}

/** The caller, while its request is under way. */
export interface CallerLine {
  /** What it says that it can do. */
  capabilities: JsonObject
  /** Progress and log messages, judged already: a method and its params as JSON. Must not throw. */
  notify(method: string, paramsJson: string): void
  /** Asks the caller, where it can be asked: resolves with `{"result":…}` or `{"error":…}` as JSON. */
  ask: ((method: string, paramsJson: string) => Promise<string>) | null
  isGone(): boolean
  /** It did not hang up: its connection was ended, since it took nothing of what was there for it. */
  isStalled(): boolean
  /** The caller hung up or cancelled. Returns how to stop listening. */
  onGone(listener: () => void): () => void
}

/** What the caller gets. Its receipt is durable. */
export type ToolEnd = ({ resultJson: string } | { errorJson: string }) & {
  /** What it cost, and the number of its receipt. */
  headers: Record<string, string>
}

/** All that is known of a call of a tool when it has ended: what logs, metrics and traces are made of. */
export interface FinishedTool {
  method: GovernedMethod
  server: McpServerTerms
  entitlements: Entitlements
  /** The receipt, as it was given to the record. */
  draft: ReceiptDraft
  /** Its number. Null while it waits in the spool, and when it could not be made durable. */
  seq: number | null
  /** Why the receipt could not be made durable. Then the caller got this error instead of a result. */
  fault: ApiError | null
  /** Why there was no result. Null when there was, also where it says of itself that it is an error. */
  error: ApiError | null
  stages: Stages
  /** Until the end of the result, from when all of the request was here. */
  latencyMs: number
  trace: CallTrace | null
}

/** A call that was not let in: it leaves no receipt. */
export interface RefusedTool {
  id: string
  method: GovernedMethod
  server: McpServerTerms
  tool: string
  entitlements: Entitlements
  error: ApiError
  stages: Stages
  trace: CallTrace | null
}
