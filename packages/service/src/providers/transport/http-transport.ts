import { Agent, type Dispatcher } from 'undici'
import { ApiError } from '../../shared/errors.js'
import { readOpenFileLimit } from '../../shared/file-limit.js'
import type {
  AnswerLimit,
  FailureKind,
  Transport,
  UpstreamCall,
  UpstreamHeaders,
  UpstreamRequest,
  UpstreamSink,
} from '../provider.js'
import type { StreamDecoder } from '../vendors/index.js'
import { SecretRedactor, withoutSecrets } from './redact-secrets.js'
import { describeFailure, retryAfterMsOf, TransportError, timeoutError } from './transport-failure.js'

/** How long a provider may be silent in each phase before a call is abandoned. */
export interface UpstreamTimeouts {
  connectMs: number
  firstByteMs: number
  idleMs: number
  totalMs: number
  /** How long a stream is still read for its usage after its caller has disconnected. */
  hangUpGraceMs: number
}

/** A request in the vendor's format, including its credential. */
export interface PreparedRequest {
  path: string
  headers: Record<string, string>
  body: Buffer
  /** Values that must not be returned in an error of the provider. */
  secrets: readonly string[]
  /** Called with the provider's status before anything else of the answer is processed. */
  onStatus(status: number, retryAfterMs: number | null): void
  /** Returns null when the answer is relayed unchanged. */
  decoderFor(headers: UpstreamHeaders): StreamDecoder | null
}

/** Creates an agent that connects as the service does, by its rules and its proxies. */
export type CreateAgent = (
  options: Omit<Agent.Options, 'connect'> & { connectTimeoutMs: number },
) => Dispatcher

export interface HttpTransportOptions {
  /** The name used in messages about a provider that is unreachable or silent. */
  provider: string
  origin: string
  timeouts: UpstreamTimeouts
  /** Creates the agent; undici's own when left out. */
  createAgent?: CreateAgent
  /**
   * Synchronous where possible, because a promise costs the hot path an extra microtask. Throws errors for the
   * caller, or a `TransportError`.
   */
  prepare(request: UpstreamRequest): PreparedRequest | Promise<PreparedRequest>
  /** Returns the headers of an answer that the caller may see. */
  passHeaders(headers: UpstreamHeaders): Record<string, string>
}

/**
 * Calls a provider over HTTP with undici's `dispatch`: on this path it handles 5,000 calls a second instead of
 * 3,400 with `request`, measured with a bare proxy on two cores. Redirects are not followed.
 */
export function createHttpTransport(options: HttpTransportOptions): Transport & { agent(): Dispatcher } {
  const { provider, timeouts } = options
  readOpenFileLimit()
  const { createAgent: createOwn = createDirectAgent } = options
  const createAgent = () =>
    createOwn({
      connectTimeoutMs: timeouts.connectMs,
      headersTimeout: timeouts.firstByteMs,
      bodyTimeout: timeouts.idleMs,
      connections: null,
      pipelining: 1,
    })
  let current: Dispatcher | null = null
  let isRetired = false
  let isClosed = false

  function agent(): Dispatcher {
    if (isClosed) throw new Error(`Provider ${provider} is closed`)
    current ??= createAgent()
    return current
  }

  /**
   * Open calls end first. A call that was planned before the provider was replaced creates another agent, which
   * ends with it.
   */
  function endAgent(): void {
    const ended = current
    current = null
    void ended?.close()
  }

  function send(request: UpstreamRequest, sink: UpstreamSink): UpstreamCall {
    const exchange = new Exchange(options, sink, () => {
      if (isRetired) endAgent()
    })
    exchange.start(request, agent)
    return exchange
  }

  return {
    send,
    agent,
    retire() {
      isRetired = true
      endAgent()
    },
    async close() {
      isClosed = true
      await current?.destroy()
    },
  }
}

const createDirectAgent: CreateAgent = ({ connectTimeoutMs, ...options }) =>
  new Agent({ ...options, connect: { timeout: connectTimeoutMs } })

/** One request and its answer. The sink is notified of the end exactly once. */
class Exchange implements UpstreamCall, Dispatcher.DispatchHandler {
  readonly #options: HttpTransportOptions
  readonly #sink: UpstreamSink
  readonly #ended: () => void
  /**
   * undici's own timers cover the connection, the headers and each chunk: a provider that sends one byte a minute
   * passes them all.
   */
  readonly #deadline: NodeJS.Timeout
  #controller: Dispatcher.DispatchController | null = null
  #prepared: PreparedRequest | null = null
  #decoder: StreamDecoder | null = null
  #isOver = false

  constructor(options: HttpTransportOptions, sink: UpstreamSink, ended: () => void) {
    this.#options = options
    this.#sink = sink
    this.#ended = ended
    const { provider, timeouts } = options
    this.#deadline = setTimeout(() => {
      const kind = this.#controller === null ? 'connect' : 'timeout'
      this.#fail(
        timeoutError(provider, `took longer than the ${timeouts.totalMs / 1_000} s that a call may take`),
        kind,
        'answer_duration',
      )
      this.#abortRequest('deadline')
    }, timeouts.totalMs)
  }

  start(request: UpstreamRequest, agent: () => Dispatcher): void {
    const dispatch = (prepared: PreparedRequest) => {
      if (this.#isOver) return
      this.#prepared = prepared
      const { path, headers, body } = prepared
      agent().dispatch({ origin: this.#options.origin, path, method: 'POST', headers, body }, this)
    }
    const refuse = (cause: unknown) => {
      const { error, kind } = TransportError.from(cause, this.#options.provider)
      this.#fail(error, kind)
    }
    try {
      const prepared = this.#options.prepare(request)
      if (prepared instanceof Promise) prepared.then(dispatch).catch(refuse)
      else dispatch(prepared)
    } catch (cause) {
      refuse(cause)
    }
  }

  resume(): void {
    this.#controller?.resume()
  }

  abort(): void {
    this.#finish(() => undefined)
    this.#abortRequest('the caller hung up')
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isOver) this.#abortRequest('given up before it was sent')
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: UpstreamHeaders): void {
    if (this.#isOver || status < 200) return
    const retryAfterMs = retryAfterMsOf(headers, Date.now())
    this.#prepared?.onStatus(status, retryAfterMs)
    const secrets = this.#prepared?.secrets ?? []
    const passed = withoutSecrets(this.#options.passHeaders(headers), secrets)
    const isError = status >= 400 && secrets.length > 0
    this.#decoder = isError
      ? new SecretRedactor(secrets, passed['content-type'] ?? 'application/json')
      : (this.#prepared?.decoderFor(headers) ?? null)
    if (this.#decoder !== null) passed['content-type'] = this.#decoder.contentType
    this.#sink.head(status, passed, retryAfterMs)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return
    const decoded = this.#decode((decoder) => decoder.push(chunk), chunk)
    if (decoded === null || (decoded.length === 0 && this.#decoder !== null)) return
    if (!this.#sink.data(decoded)) controller.pause()
  }

  onResponseEnd(): void {
    if (this.#isOver) return
    const rest = this.#decode((decoder) => decoder.end(), null)
    if (rest !== null && rest.length > 0) this.#sink.data(rest)
    this.#finish(() => this.#sink.end())
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    const { provider } = this.#options
    const kind = this.#controller === null ? 'connect' : undefined
    const failure = describeFailure(provider, error)
    this.#fail(failure.error, kind ?? failure.kind)
  }

  /** Returns null when there is nothing to decode, or when decoding failed and ended the call. */
  #decode(read: (decoder: StreamDecoder) => Buffer, undecoded: Buffer | null): Buffer | null {
    if (this.#decoder === null) return undecoded
    try {
      return read(this.#decoder)
    } catch (cause) {
      const { provider } = this.#options
      const message = `Provider ${provider} sent a stream that cannot be read`
      this.#fail(new ApiError('upstream_error', message, {}, { cause }), 'broken')
      this.#abortRequest('unreadable')
      return null
    }
  }

  #fail(error: ApiError, kind: FailureKind, limit?: AnswerLimit): void {
    this.#finish(() => this.#sink.fail(error, kind, limit))
  }

  #finish(report: () => void): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#deadline)
    try {
      report()
    } finally {
      this.#ended()
    }
  }

  #abortRequest(why: string): void {
    this.#controller?.abort(new Error(why))
  }
}
