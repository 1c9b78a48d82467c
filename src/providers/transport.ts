import type { ApiError } from '../errors.js'
import type { Dialect } from './dialects/index.js'

export type UpstreamHeaders = Record<string, string | string[] | undefined>

export interface UpstreamRequest {
  dialect: Dialect
  /** The provider's own name of the model. */
  model: string
  stream: boolean
  /** Of the model, as far as it is known: what was reserved is no more than it. */
  contextWindow: number | null
  body: Buffer
  /** Those of the caller's headers that the provider picked. */
  headers: Readonly<Record<string, string>>
}

/** Where an answer goes, piece by piece. Exactly one of `end` and `fail` is called, last. */
export interface UpstreamSink {
  /** With those of its headers that the caller may see. */
  head(status: number, headers: Record<string, string>): void
  /** Returns false when it has enough for now: the sender then waits for `resume`. */
  data(chunk: Buffer): boolean
  end(): void
  /** `mayHaveArrived` is false when the provider cannot have got the request. */
  fail(error: ApiError, mayHaveArrived?: boolean): void
}

export interface UpstreamCall {
  resume(): void
  /** Gives the call up; nothing more reaches the sink. */
  abort(): void
}

export interface Transport {
  send(request: UpstreamRequest, sink: UpstreamSink): UpstreamCall
  close(): Promise<void>
}

export interface Provider {
  name: string
  /** Names of those that it answers. */
  dialects: readonly string[]
  /** Whose list prices apply. */
  pricesOf: string
  /** Where it is reached, for whoever looks at traces. */
  server?: { address: string; port: number }
  /** How long a stream is read on for its usage when its caller is gone. */
  hangUpGraceMs: number
  /** Those of the caller's headers that mean something to it: these are judged, and nothing else is sent. */
  pickHeaders(
    headers: UpstreamHeaders,
    request: Pick<UpstreamRequest, 'dialect' | 'contextWindow'>,
  ): Record<string, string>
  transport: Transport
}
