/** Where a call came to an end, and how long each of its stages took. */
export interface StageTime {
  name: string
  beginMs: number
  endMs: number
}

/** What telemetry is told of a call. All of it is known to the record too, or is about time: no content, no key, no header. */
export interface CallFacts {
  requestId: string
  /** Number of the receipt. */
  receipt: number | null
  tenant: string | null
  key: string | null
  user: string | null
  team: string | null
  session: string | null
  tags: Readonly<Record<string, string>> | null
  /** The dialect that was spoken. */
  endpoint: string | null
  /** The path that was called. */
  route: string | null
  /** As the caller named it. */
  model: string | null
  provider: string | null
  /** Whose prices apply: the vendor, whatever the provider is called here. */
  vendor: string | null
  /** The provider's own name of the model that was asked. */
  target: string | null
  /** The model that answered. */
  upstream: string | null
  /** The provider's id of its answer. */
  answerId: string | null
  /** Of a call to a tool; null for one to a model. */
  tool: ToolFacts | null
  /** Where the provider is reached. */
  server: { address: string; port: number } | null
  stream: boolean
  /** Requests that were sent to providers. */
  attempts: number
  status: number
  upstreamStatus: number | null
  /** As in the receipt; `refused` without one. */
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
  /** Of the clock that only grows: from its head to the end of all that is done for it. */
  beginMs: number
  endMs: number
  stages: readonly StageTime[]
  traceId: string | null
}

/** No URI of a resource and no name of a prompt: callers write them. */
export interface ToolFacts {
  server: string | null
  /** The tool's own name. */
  name: string | null
  method: string | null
  /** The tool itself said that it failed. */
  isError: boolean
  /** Of a protocol error that the server answered with. */
  rpcCode: number | null
}

export interface CallError {
  type: string
  message: string
  /** What caused it, where that is a fault of ours. */
  cause: unknown
  policy: string | null
  check: string | null
  /** The part of this service that failed; null where it is not the fault of this service. */
  fault: string | null
  /** The receipt could not be made durable: the caller got this instead of its answer. */
  isLost: boolean
}
