import type { ApiError } from '../shared/errors.js'
import type { ProviderBatches } from './batches/contract.js'
import type { BilledError } from './billed-errors.js'
import type { CredentialStatus } from './credentials/pool.js'
import type { Endpoint } from './endpoints/index.js'

export type UpstreamHeaders = Record<string, string | string[] | undefined>

export interface UpstreamRequest {
  dialect: Endpoint
  /** The model's name in the provider's own API. */
  model: string
  stream: boolean
  /** The model's context window, if it is known: the reservation never exceeds it. */
  contextWindow: number | null
  body: Buffer
  /** The fields of a form, as JSON. */
  fields?: Buffer
  /** The caller's headers that the provider selected. */
  headers: Readonly<Record<string, string>>
  /** The query of the caller's URL, without the question mark; empty when there is none. */
  query: string
  /** The caller's own `Authorization`, sent besides its virtual key: for a provider with `auth: caller`. */
  callerAuthorization: string | null
}

/**
 * Why there is no answer, or only part of one. `connect`: the provider cannot have received the request. `timeout`,
 * `broken`: it may have received the request and worked on it. `credential`: nothing was sent, because no token
 * could be obtained for this credential; another may work. `refused`: nothing was sent, and another attempt would
 * fail the same way.
 */
export type FailureKind = 'connect' | 'timeout' | 'broken' | 'credential' | 'refused'

/** Limits that an answer may exceed, as named in receipts. */
export type AnswerLimit = 'answer_size' | 'answer_duration'

/** The largest answers that are accepted. */
export interface AnswerLimits {
  maxStreamBytes: number
  /** For an answer that is not streamed. */
  maxAnswerBytes: number
}

/** Receives an answer piece by piece. Exactly one of `end` and `fail` is called, last. */
export interface UpstreamSink {
  /**
   * Receives the headers that the caller may see, and how long the provider asks to wait before the next attempt.
   */
  head(status: number, headers: Record<string, string>, retryAfterMs?: number | null): void
  /** Returns false when the receiver has enough for now: the sender then waits for `resume`. */
  data(chunk: Buffer): boolean
  end(): void
  /**
   * `kind` defaults to `broken`. `limit` is the limit for which the answer is ended, even if the provider would
   * continue.
   */
  fail(error: ApiError, kind?: FailureKind, limit?: AnswerLimit): void
}

export interface UpstreamCall {
  resume(): void
  /** Abandons the call; the sink receives nothing more. */
  abort(): void
}

export interface Transport {
  send(request: UpstreamRequest, sink: UpstreamSink): UpstreamCall
  /**
   * For a provider that was replaced: open calls end normally, and a call that was already planned is still sent.
   */
  retire(): void
  /** Closes at once and aborts all open calls. */
  close(): Promise<void>
}

/** Whether a provider is reachable and accepts its credential. */
export interface ProviderCheck {
  ok: boolean
  latencyMs: number
  /** This service's own message; null when the check succeeded. */
  error: string | null
}

export type AcceptedReferences = 'issued' | 'any'

export interface Provider {
  /** Unique and permanent, even when another provider later gets the same name. */
  id: string
  name: string
  /** Names of the dialects that it supports. */
  dialects: readonly string[]
  /** The vendor whose list prices apply. */
  pricesOf: string
  /**
   * The field of a chat request that it honours as maximum output, for models whose catalogue entry does not name
   * one.
   */
  outputField?: 'max_tokens' | 'max_completion_tokens'
  /**
   * Members of a request that it accepts and ignores, although its dialect defines them as limits: nothing may rely
   * on them.
   */
  ignoredFields?: readonly string[]
  /** The address shown in traces. */
  server?: { address: string; port: number }
  /** The number of credentials that it may be called with. */
  credentialCount: number
  /** Whether a credential is the identity of this machine, whose token is fetched again when it is refused. */
  usesMachine?: boolean
  /** The statuses with which it rejects a credential. */
  credentialRejectionStatuses: readonly number[]
  /** Errors that it bills; absent when it bills none. */
  billedErrors?: readonly BilledError[]
  /** How long a stream is still read for its usage after its caller has disconnected. */
  hangUpGraceMs: number
  limits: AnswerLimits
  /** Whose account pays: that of this service, or the caller's. */
  auth: 'own' | 'caller'
  /**
   * Which stored objects its calls may refer to by id: only those issued to the caller's owner or team, or also
   * others.
   */
  references: AcceptedReferences
  /** Returns the states of its credentials, as this replica has observed them. */
  credentials(): CredentialStatus[]
  /** Absent when it does not support batches. */
  batches?: ProviderBatches
  /** Checks the provider with a request that costs nothing. */
  check(): Promise<ProviderCheck>
  /**
   * Selects the caller's headers that have a meaning for this provider: they are judged by policies, and no others
   * are sent.
   */
  pickHeaders(
    headers: UpstreamHeaders,
    request: Pick<UpstreamRequest, 'contextWindow'>,
  ): Record<string, string>
  transport: Transport
}
