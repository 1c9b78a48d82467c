import type { ApiError } from '../errors.js'
import type { ProviderBatches } from './batches/contract.js'
import type { BilledError } from './billed-errors.js'
import type { CredentialStatus } from './credentials/pool.js'
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
  /** Of a form: its fields as JSON. */
  fields?: Buffer
  /** Those of the caller's headers that the provider picked. */
  headers: Readonly<Record<string, string>>
  /** Of the caller's URL, without the question mark; empty where there is none. */
  query: string
  /** The caller's own `Authorization`, beside its virtual key: for a provider with `auth: caller`. */
  callerAuthorization: string | null
}

/**
 * Why there is no answer, or no whole one. `connect`: the provider cannot have got the request. `timeout`, `broken`: it may have got
 * it, and worked on it. `credential`: nothing was sent, since no token is given for
 * this credential; another one may do. `refused`: nothing was sent, and another try would end the same way.
 */
export type FailureKind = 'connect' | 'timeout' | 'broken' | 'credential' | 'refused'

/** What an answer may not exceed, as receipts name it. */
export type AnswerLimit = 'answer_size' | 'answer_duration'

/** How large answers may be. */
export interface AnswerLimits {
  maxStreamBytes: number
  /** Of one that comes in one piece. */
  maxAnswerBytes: number
}

/** Where an answer goes, piece by piece. Exactly one of `end` and `fail` is called, last. */
export interface UpstreamSink {
  /** With those of its headers that the caller may see, and how long the provider asks to wait before the next try. */
  head(status: number, headers: Record<string, string>, retryAfterMs?: number | null): void
  /** Returns false when it has enough for now: the sender then waits for `resume`. */
  data(chunk: Buffer): boolean
  end(): void
  /** `broken` when left out. `limit`: what the answer is ended for, though it may go on. */
  fail(error: ApiError, kind?: FailureKind, limit?: AnswerLimit): void
}

export interface UpstreamCall {
  resume(): void
  /** Gives the call up; nothing more reaches the sink. */
  abort(): void
}

export interface Transport {
  send(request: UpstreamRequest, sink: UpstreamSink): UpstreamCall
  /** For a provider that was replaced: calls under way end as if nothing had happened, and one that was planned before still goes out. */
  retire(): void
  /** At once, with all calls that are under way. */
  close(): Promise<void>
}

/** Whether a provider is there and takes its credential. */
export interface ProviderCheck {
  ok: boolean
  latencyMs: number
  /** In words of this service; null when it is ok. */
  error: string | null
}

export type AcceptedReferences = 'issued' | 'any'

export interface Provider {
  /** Unique and lasting, also when its name is given to another one. */
  id: string
  name: string
  /** Names of those that it answers. */
  dialects: readonly string[]
  /** Whose list prices apply. */
  pricesOf: string
  /** The field of a chat request that it honours as maximum output, where no catalogue says more of a model. */
  outputField?: 'max_tokens' | 'max_completion_tokens'
  /** Members of a request that it accepts and ignores, though its dialect has them as limits: nothing may rely on them. */
  ignoredFields?: readonly string[]
  /** Where it is reached, for whoever looks at traces. */
  server?: { address: string; port: number }
  /** Credentials that it may be called with. */
  credentialCount: number
  /** The statuses by which it refuses a credential. */
  credentialRefusals: readonly number[]
  /** Errors that it bills. Left out where it bills none. */
  billedErrors?: readonly BilledError[]
  /** How long a stream is read on for its usage when its caller is gone. */
  hangUpGraceMs: number
  limits: AnswerLimits
  /** Whose account it is that pays: the one of this service, or the caller's. */
  auth: 'own' | 'caller'
  /** Which ids its calls may name: those that it issued to their owner or team, or also such as were not issued here. */
  references: AcceptedReferences
  /** How its credentials are, as this replica has seen. */
  credentials(): CredentialStatus[]
  /** Left out where it takes none. */
  batches?: ProviderBatches
  /** Costs nothing. */
  check(): Promise<ProviderCheck>
  /** Those of the caller's headers that mean something to it: these are judged, and nothing else is sent. */
  pickHeaders(
    headers: UpstreamHeaders,
    request: Pick<UpstreamRequest, 'contextWindow'>,
  ): Record<string, string>
  transport: Transport
}
