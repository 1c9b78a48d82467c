import type { Hmac } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { ApiError } from '../errors.js'
import { EventSplitter, parseObject, type StreamReader } from '../providers/index.js'
import type { Answer, Ending, UpstreamHead } from './answer.js'
import type { Call } from './call.js'
import { startCommitment } from './commitment.js'
import { passHeaders } from './headers.js'

interface RelayOptions {
  call: Call
  reply: FastifyReply
  commitmentKey: Buffer
  headers: UpstreamHead['headers']
  /** Asks the provider to go on, after `push` returned false. */
  resume(): void
  /** Called once, when the stream came to its end. */
  done(answer: Answer): void
}

const nothing = Buffer.alloc(0)

/** Events can be told apart only in a stream that says what it is and is not compressed. */
export function isEventStream({ status, headers }: UpstreamHead): boolean {
  const encoding = headers['content-encoding'] ?? 'identity'
  return (
    status === 200 && encoding === 'identity' && /^text\/event-stream/i.test(String(headers['content-type']))
  )
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

  /** Returns false while the caller reads more slowly than the provider writes. Throws when the stream is unreadable. */
  push(chunk: Buffer): boolean {
    const relayed: Buffer[] = []
    for (const event of this.#splitter.push(chunk)) {
      const fate = this.#reader.read(event)
      if (fate === 'relay') relayed.push(event.raw)
      if (fate !== 'last') continue
      this.#write(relayed)
      this.#complete(event.raw)
      return true
    }
    return this.#write(relayed)
  }

  /** The provider closed the stream. Some never send a closing event; what counts is that they said they were done. */
  end(): void {
    const rest = this.#splitter.takeRest()
    // An event that lacks only its blank line is whole; half an event would hide the error behind it from the caller.
    const isWhole = rest !== null && (rest.data === '[DONE]' || parseObject(rest.data) !== null)
    const fate = isWhole ? this.#reader.read(rest) : 'drop'
    if (rest !== null && fate === 'relay') this.#write([rest.raw])
    if (this.#reader.finished() || this.#reader.failed()) {
      this.#complete(rest !== null && fate === 'last' ? rest.raw : nothing)
    } else {
      const error = new ApiError('upstream_error', 'The provider broke off in the middle of its answer')
      this.#options.done(this.breakOff({ outcome: 'upstream_error', status: error.status, error }))
    }
  }

  /** The stream cannot go on: the provider failed, the caller hung up, or the service stops. */
  breakOff({ outcome, status, error }: Ending): Answer {
    const last = error ? Buffer.from(this.#options.call.dialect.streamError(error.toBody())) : nothing
    return this.#answer(outcome, status, last)
  }

  #write(pieces: Buffer[]): boolean {
    const [first] = pieces
    if (!first) return true
    const bytes = pieces.length === 1 ? first : Buffer.concat(pieces)
    this.#commitment.update(bytes)
    return this.#options.reply.raw.write(bytes)
  }

  #complete(last: Buffer): void {
    const failed = this.#reader.failed()
    this.#options.done(this.#answer(failed ? 'upstream_error' : 'ok', failed ? 502 : 200, last))
  }

  #answer(outcome: Answer['outcome'], status: number, last: Buffer): Answer {
    const {
      reply: { raw },
      call,
    } = this.#options
    const end = (bytes: Buffer | string) => {
      // When we give up on a caller that does not read, it would never get to the end of what waits for it.
      if (raw.destroyed || (outcome === 'aborted' && raw.writableNeedDrain)) raw.destroy()
      else raw.end(bytes)
    }
    return {
      outcome,
      status,
      usage: this.#reader.usage(),
      produced: () => this.#reader.texts(),
      upstreamModel: this.#reader.model(),
      firstByteMs: null,
      commitment: this.#commitment.update(last).digest('hex'),
      release: () => end(last),
      withhold: (fault) => end(call.dialect.streamError(fault.toBody())),
    }
  }
}

function asksForUsage({ body }: Call): boolean {
  const options = body.stream_options
  return (
    options !== null &&
    typeof options === 'object' &&
    'include_usage' in options &&
    options.include_usage === true
  )
}

function definedHeaders(reply: FastifyReply): Record<string, string | number | string[]> {
  return Object.fromEntries(
    Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  )
}
