import type { Hmac } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { EventSplitter, type StreamReader } from '../../providers/index.js'
import type { Answer, Ending, UpstreamHead } from '../answer.js'
import type { Call } from '../call.js'
import { startCommitment } from '../commitment.js'

export interface RelayOptions {
  call: Call
  reply: FastifyReply
  commitmentKey: Buffer
  headers: UpstreamHead['headers']
  /** Resumes reading from the provider, after `push` returned false. */
  resume(): void
  /** Called once, when the stream came to its end. */
  done(answer: Answer): void
  /** Ends the call before that. */
  abort(ending: Ending): void
}

/** Takes a provider's stream to the caller. */
export interface Relay {
  /** Returns false to stop reading until `resume`. Throws when the stream is unreadable. */
  push(chunk: Buffer): boolean
  /** The provider closed the stream. */
  end(): void
  /** The stream cannot go on: the provider failed, the caller hung up, the service stops, or a policy objects. */
  abort(ending: Ending): Answer
}

export const nothing = Buffer.alloc(0)

/** Events can be split only in a stream that is declared as one and is not compressed. */
export function isEventStream({ status, headers }: UpstreamHead): boolean {
  const encoding = headers['content-encoding'] ?? 'identity'
  return (
    status === 200 && encoding === 'identity' && /^text\/event-stream/i.test(String(headers['content-type']))
  )
}

/** The caller's side of a stream: what was written to it, and how it ends once the receipt is durable. */
export class StreamOutput {
  readonly #options: RelayOptions
  readonly #commitment: Hmac
  readonly splitter = new EventSplitter()
  readonly reader: StreamReader

  constructor(options: RelayOptions) {
    const { call, reply, commitmentKey, headers, resume } = options
    this.#options = options
    this.reader = call.dialect.readStream(call.body)
    this.#commitment = startCommitment(commitmentKey)
    reply.hijack()
    // The headers so far (request id, rate limits) were set on the framework's reply. From here on we write to the socket.
    reply.raw.writeHead(200, {
      ...definedHeaders(reply),
      ...headers,
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
    })
    reply.raw.flushHeaders()
    reply.raw.on('drain', resume)
  }

  /** Returns false while the caller reads more slowly than the provider writes. */
  write(pieces: Buffer[]): boolean {
    const [first] = pieces
    if (!first) return true
    const bytes = pieces.length === 1 ? first : Buffer.concat(pieces)
    this.#commitment.update(bytes)
    return this.#options.reply.raw.write(bytes)
  }

  get needsDrain(): boolean {
    return this.#options.reply.raw.writableNeedDrain
  }

  complete(last: Buffer): void {
    const failed = this.reader.failed()
    this.#options.done(this.#answer(failed ? 'upstream_error' : 'ok', failed ? 502 : 200, last))
  }

  abort({ outcome, status, error }: Ending): Answer {
    const last = error ? Buffer.from(this.#options.call.dialect.streamError(error.toBody())) : nothing
    return this.#answer(outcome, status, last)
  }

  #answer(outcome: Answer['outcome'], status: number, last: Buffer): Answer {
    const {
      reply: { raw },
      call,
    } = this.#options
    const end = (bytes: Buffer | string) => {
      // A caller that does not read would never get to the end of what is buffered for it.
      if (raw.destroyed || (outcome === 'aborted' && raw.writableNeedDrain)) raw.destroy()
      else raw.end(bytes)
    }
    return {
      outcome,
      status,
      usage: this.reader.usage(),
      produced: () => this.reader.texts(),
      upstreamModel: this.reader.model(),
      firstByteMs: null,
      commitment: this.#commitment.update(last).digest('hex'),
      release: () => end(last),
      withhold: (fault) => end(call.dialect.streamError(fault.toBody())),
    }
  }
}

function definedHeaders(reply: FastifyReply): Record<string, string | number | string[]> {
  return Object.fromEntries(
    Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  )
}
