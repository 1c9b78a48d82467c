import type { FastifyReply } from 'fastify'
import type { ApiError } from '../errors.js'
import { challenge, isStalledReader } from '../http/index.js'

type Headers = Record<string, string>

/** Whoever waits for the answer to a call: over HTTP, or as messages of a socket. */
export interface Caller {
  readonly log: FastifyReply['log']
  /** They go with whatever is answered; set again, the later value counts. */
  addHeaders(headers: Headers): void
  /** Nothing reaches it any more. */
  isGone(): boolean
  /** It is gone because it took nothing of its answer for too long. */
  isStalled?(): boolean
  /** Calls back once, when it hangs up. Returns how to stop that. */
  onGone(listener: () => void): () => void
  /** The whole answer. */
  send(status: number, headers: Headers, body: Buffer): void
  sendError(error: ApiError, headers: Headers): void
  /** It gets no answer: it is gone. */
  abandon(): void
  /** What it was sent is final: the same request, sent again, gets it again. */
  remember?(): void
  /** Begins an answer that comes piece by piece. */
  openStream(headers: Headers): CallerStream
}

/** An answer on its way, piece by piece. */
export interface CallerStream {
  /** False when it is not read as fast as it is written: wait for `onDrain`. */
  write(bytes: Buffer): boolean
  needsDrain(): boolean
  onDrain(listener: () => void): void
  end(bytes: Buffer | string): void
  /** Ends it without an end, as far as the caller can tell. */
  destroy(): void
}

export function httpCaller(reply: FastifyReply): Caller {
  const { raw } = reply
  const { socket } = reply.request.raw
  return {
    log: reply.log,
    addHeaders: (headers) => void reply.headers(headers),
    isGone: () => raw.destroyed,
    isStalled: () => isStalledReader(socket),
    onGone(listener) {
      raw.once('close', listener)
      return () => void raw.off('close', listener)
    },
    send(status, headers, body) {
      // The provider's own challenge does not pass: it is about an account of this service.
      if (status === 401) reply.header('www-authenticate', challenge)
      reply.code(status).headers(headers).send(body)
    },
    sendError: (error, headers) => void reply.headers(headers).send(error),
    // Hijacking the reply keeps the framework from answering.
    abandon: () => void reply.hijack(),
    openStream(headers) {
      reply.hijack()
      // The headers so far (request id, rate limits) were set on the framework's reply. From here on we write to the socket.
      raw.writeHead(200, {
        ...definedHeaders(reply),
        ...headers,
        'cache-control': 'no-cache',
        'x-accel-buffering': 'no',
      })
      raw.flushHeaders()
      return {
        write: (bytes) => raw.write(bytes),
        needsDrain: () => raw.writableNeedDrain,
        onDrain: (listener) => void raw.on('drain', listener),
        end: (bytes) => void raw.end(bytes),
        destroy: () => void raw.destroy(),
      }
    },
  }
}

function definedHeaders(reply: FastifyReply): Record<string, string | number | string[]> {
  return Object.fromEntries(
    Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  )
}
