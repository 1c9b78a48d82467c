/** A stage of a call, with its begin and end. */
export interface StageTime {
  name: string
  beginMs: number
  endMs: number
}

/** What logs and traces say about a call: values that are also in the record, and times. Never content, key values or headers. */
export interface CallSummary {
  requestId: string
  /** The number of the receipt. */
  receipt: number | null
  tenant: string | null
  key: string | null
  user: string | null
  team: string | null
  session: string | null
  tags: Readonly<Record<string, string>> | null
  /** The endpoint, such as `chat`. */
  endpoint: string | null
  /** The path that was called. */
  route: string | null
  /** The model as the caller named it. */
  model: string | null
  provider: string | null
  /** The vendor, whose prices apply, whatever the provider is called here. */
  vendor: string | null
  /** The provider's own name of the requested model. */
  target: string | null
  /** The model that answered. */
  upstream: string | null
  /** The provider's id of its answer. */
  answerId: string | null
  /** The tool; null for a model call. */
  tool: ToolFacts | null
  /** The address of the provider. */
  server: { address: string; port: number } | null
  stream: boolean
  /** Requests that were sent to providers. */
  attempts: number
  status: number
  upstreamStatus: number | null
  /** The outcome in the receipt; `refused` if there is no receipt. */
  outcome: string
  error: CallError | null
  inputTokens: number
  outputTokens: number
  cachedTokens: number
  costNanos: number
  usage: string | null
  doubt: string | null
  latencyMs: number | null
  firstByteMs: number | null
  /** Monotonic times: from the head of the request to the end of all work for it. */
  beginMs: number
  endMs: number
  stages: readonly StageTime[]
  traceId: string | null
}

/** The tool of a call. Resource URIs and prompt names are left out, because callers write them. */
export interface ToolFacts {
  server: string | null
  /** The tool's own name. */
  name: string | null
  method: string | null
  /** True when the tool itself reported a failure. */
  isError: boolean
  /** The code of a protocol error that the server returned. */
  rpcCode: number | null
}

export interface CallError {
  type: string
  message: string
  /** The cause, if the failure is in this service. */
  cause: unknown
  policy: string | null
  check: string | null
  /** The part of this service that failed; null if this service did not fail. */
  fault: string | null
  /** True when the receipt could not be made durable, so that the caller got this error instead of the answer. */
  isLost: boolean
}
