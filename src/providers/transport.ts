import type { ApiError } from '../errors.js'
import type { DialectName } from './dialects/index.js'

export interface UpstreamRequest {
  dialect: DialectName
  /** The provider's own name of the model. */
  model: string
  stream: boolean
  body: Buffer
  /** Headers of the caller that the provider's protocol gives a meaning. */
  headers: Record<string, string>
}

/** Where an answer goes, piece by piece. Exactly one of `end` and `fail` is called, last. */
export interface UpstreamSink {
  head(status: number, headers: Record<string, string | string[] | undefined>): void
  /** Returns false when it has enough for now: the sender then waits for `resume`. */
  data(chunk: Buffer): boolean
  end(): void
  fail(error: ApiError): void
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
  dialects: readonly DialectName[]
  /** Whose list prices apply. */
  pricesOf: string
  transport: Transport
}
