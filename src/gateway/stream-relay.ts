import type { Hmac } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { ApiError } from '../errors.js'
import { EventSplitter, type StreamReader } from '../providers/index.js'
import type { Call } from './call.js'
import { startCommitment } from './commitment.js'
import type { Answer } from './answer.js'
import { passHeaders } from './headers.js'

interface RelayOptions {
  call: Call
  reply: FastifyReply
  commitmentKey: Buffer
  firstByteMs: number
  headers: Record<string, string | string[] | undefined>
  resume(): void
  done(answer: Answer): void
}

interface Ending {
  outcome: 'ok' | 'upstream_error' | 'aborted'
  status: number
  error: ApiError | null
}

/**
 * Relays a stream event by event as it comes. The event that tells the caller that the answer is complete is held
 * back until the receipt is durable; so is the end of the response itself.
 */
export class StreamRelay {
  readonly #options: RelayOptions
  readonly #splitter = new EventSplitter()
  readonly #reader: StreamReader
  readonly #commitment: Hmac
  #ended = false

  constructor(options: RelayOptions) {
    const { call, reply, commitmentKey, headers, resume } = options
    this.#options = options
    this.#reader = call.dialect.readStream({ callerAskedForUsage: asksForUsage(call) })
    this.#commitment = startCommitment(commitmentKey)
    reply.hijack()
    // The framework's headers (request id, rate limits) were set on the reply; from here on we write ourselves.
    reply.raw.writeHead(200, {
      ...definedHeaders(reply),
      ...passHeaders(headers),
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
    })
    reply.raw.flushHeaders()
    reply.raw.on('drain', resume)
  }

  /** Returns false while the caller reads more slowly than the provider writes. */
  push(chunk: Buffer): boolean {
    if (this.#ended) return true
    try {
      return this.#relay(chunk)
    } catch (cause) {
      this.#finish({ outcome: 'upstream_error', status: 502, error: new ApiError('upstream_error', 'The stream of the provider cannot be read', {}, { cause }) })
      return true
    }
  }

  #relay(chunk: Buffer): boolean {
    const relayed: Buffer[] = []
    for (const event of this.#splitter.push(chunk)) {
      const fate = this.#reader.read(event)
      if (fate === 'drop') continue
      if (fate === 'relay') {
        relayed.push(event.raw)
        continue
      }
      this.#write(relayed)
      this.#complete(event.raw)
      return true
    }
    return this.#write(relayed)
  }

  /** The provider closed the stream. Some never send a closing event; what counts is that they said they were done. */
  end(): void {
    if (this.#ended) return
    const rest = this.#splitter.rest()
    if (rest.length > 0 && this.push(Buffer.from('\n\n')) && this.#ended) return
    if (this.#reader.finished()) return this.#complete(Buffer.alloc(0))
    this.#finish({
      outcome: 'upstream_error', status: 502,
      error: new ApiError('upstream_error', 'The provider broke off in the middle of its answer'),
    })
  }

  /** The stream cannot go on: the provider failed, the caller hung up, or the service stops. */
  broken(ending: Ending): Answer {
    this.#ended = true
    return this.#answer(ending, Buffer.alloc(0))
  }

  #write(pieces: Buffer[]): boolean {
    const [first] = pieces
    if (!first) return true
    const bytes = pieces.length === 1 ? first : Buffer.concat(pieces)
    this.#commitment.update(bytes)
    return this.#options.reply.raw.write(bytes)
  }

  #complete(last: Buffer): void {
    this.#commitment.update(last)
    const failed = this.#reader.failed()
    this.#finish({ outcome: failed ? 'upstream_error' : 'ok', status: 200, error: null }, last)
  }

  #finish(ending: Ending, last: Buffer = Buffer.alloc(0)): void {
    if (this.#ended) return
    this.#ended = true
    this.#options.done(this.#answer(ending, last))
  }

  #answer({ outcome, status, error }: Ending, last: Buffer): Answer {
    const { raw } = this.#options.reply
    const { dialect } = this.#options.call
    const end = (bytes: Buffer | string) => void (raw.destroyed || raw.end(bytes))
    return {
      outcome,
      status,
      usage: this.#reader.usage(),
      produced: this.#reader.texts(),
      upstreamModel: this.#reader.model(),
      firstByteMs: this.#options.firstByteMs,
      commitment: this.#commitment.digest('hex'),
      release: () => end(error ? dialect.streamError(error.toBody()) : last),
      withhold: (fault) => end(dialect.streamError(fault.toBody())),
    }
  }
}

function asksForUsage({ body }: Call): boolean {
  const options = body.stream_options
  return options !== null && typeof options === 'object' && 'include_usage' in options && options.include_usage === true
}

function definedHeaders(reply: FastifyReply): Record<string, string | number | string[]> {
  return Object.fromEntries(Object.entries(reply.getHeaders()).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}
