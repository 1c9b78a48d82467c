import type { Dispatcher } from 'undici'
import { describeFailure } from '../../../outbound/index.js'
import { badAnswer, UpstreamFault } from '../fault.js'

export interface HttpRequest {
  url: string
  method: 'POST' | 'GET' | 'DELETE'
  headers: Record<string, string>
  body: Buffer | null
  /** Aborts the request and the reading of its answer. The reason must be an `UpstreamFault`. */
  signal: AbortSignal
  /** The maximum size of the answer's body. */
  maxBytes: number
  /** Called when the request is about to be written to a connection. */
  onSent?(): void
}

export interface HttpAnswer {
  status: number
  header(name: string): string | null
  /** Can be read once. Throws an `UpstreamFault`. */
  body: AsyncIterable<Buffer>
  /** Returns how many bytes of the body have arrived. */
  bytes(): number
  /** Discards the rest of the body. */
  discard(): void
}

// The connection can be used again if the server ends the body within these limits. Otherwise it is closed.
const drainMs = 1_000
const maxDrainedBytes = 65_536
const maxInformational = 20

/** Sends a request without retries. Redirects are returned, not followed. Rejects with an `UpstreamFault`. */
export function sendHttp(dispatcher: Dispatcher, request: HttpRequest): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const exchange = new HttpExchange(request, resolve, reject)
    exchange.start(dispatcher)
  })
}

class HttpExchange implements Dispatcher.DispatchHandler {
  readonly #request: HttpRequest
  readonly #resolve: (answer: HttpAnswer) => void
  readonly #reject: (fault: UpstreamFault) => void
  readonly #chunks: Buffer[] = []
  #controller: Dispatcher.DispatchController | null = null
  #fault: UpstreamFault | null = null
  #isOver = false
  #isDiscarded = false
  #informational = 0
  #bytes = 0
  #drained = 0
  /** Called when there is something to read: a chunk, the end, or a fault. */
  #wake: () => void = () => undefined

  constructor(
    request: HttpRequest,
    resolve: (answer: HttpAnswer) => void,
    reject: (fault: UpstreamFault) => void,
  ) {
    this.#request = request
    this.#resolve = resolve
    this.#reject = reject
  }

  start(dispatcher: Dispatcher): void {
    const { url, method, headers, body, signal } = this.#request
    if (signal.aborted) {
      this.#fail(faultOf(signal.reason))
      return
    }
    signal.addEventListener('abort', this.#onAbort, { once: true })
    try {
      const { origin, pathname, search } = new URL(url)
      dispatcher.dispatch({ origin, path: pathname + search, method, headers, body }, this)
    } catch (error) {
      this.#fail(faultOf(error))
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#isOver) {
      controller.abort(new Error('the request was aborted before it was sent'))
      return
    }
    this.#controller = controller
    this.#request.onSent?.()
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (this.#isOver) return
    if (status < 200) {
      this.#informational += 1
      if (this.#informational > maxInformational) this.#fail(badAnswer('The answer is not HTTP'))
      return
    }
    const header = (name: string) => {
      const value = headers[name]
      return (Array.isArray(value) ? value.join(', ') : value) ?? null
    }
    const encoding = header('content-encoding')
    if (encoding !== null && encoding.toLowerCase() !== 'identity') {
      this.#fail(badAnswer('The server sent a compressed answer, although compression was not requested'))
      return
    }
    this.#resolve({
      status,
      header,
      body: this.#read(),
      bytes: () => this.#bytes,
      discard: () => this.#discard(),
    })
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return
    if (this.#isDiscarded) {
      this.#drained += chunk.length
      if (this.#drained > maxDrainedBytes) this.#end()
      return
    }
    this.#bytes += chunk.length
    if (this.#bytes > this.#request.maxBytes) {
      const { maxBytes } = this.#request
      this.#fail(new UpstreamFault('too_large', `The answer of the server has more than ${maxBytes} bytes`))
      return
    }
    // The queue is bounded by `maxBytes`. Pausing the parser was tried: after `resume` it delivers empty chunks endlessly.
    if (chunk.length > 0) this.#chunks.push(chunk)
    this.#wake()
  }

  onResponseEnd(): void {
    this.#over()
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#fail(faultOf(error))
  }

  readonly #onAbort = () => this.#fail(faultOf(this.#request.signal.reason))

  async *#read(): AsyncGenerator<Buffer> {
    for (;;) {
      const chunk = this.#chunks.shift()
      if (chunk !== undefined) {
        yield chunk
        continue
      }
      if (this.#fault !== null) throw this.#fault
      if (this.#isOver) return
      const next = new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      await next
    }
  }

  #discard(): void {
    if (this.#isOver || this.#isDiscarded) return
    this.#isDiscarded = true
    this.#chunks.length = 0
    const timer = setTimeout(() => this.#end(), drainMs)
    this.#wake = () => clearTimeout(timer)
  }

  #end(): void {
    this.#over()
    this.#controller?.abort(new Error('the rest of the answer is not needed'))
  }

  #fail(fault: UpstreamFault): void {
    if (this.#isOver) return
    this.#fault = fault
    // The chunks before a connection broke may contain the whole answer.
    if (fault.failure !== 'unreachable') this.#chunks.length = 0
    this.#reject(fault)
    this.#end()
  }

  #over(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#request.signal.removeEventListener('abort', this.#onAbort)
    this.#wake()
  }
}

const parserErrors = new Set(['HTTPParserError', 'ResponseContentLengthMismatchError'])

function faultOf(error: unknown): UpstreamFault {
  if (error instanceof UpstreamFault) return error
  if (!(error instanceof Error)) return new UpstreamFault('unreachable', 'The call failed')
  const message = describeFailure(error)
  if (parserErrors.has(error.name)) return badAnswer(message, error)
  if (error.name === 'HeadersOverflowError') return new UpstreamFault('too_large', message, { cause: error })
  return new UpstreamFault('unreachable', message, { cause: error })
}
