import type { FastifyReply } from 'fastify'
import { challenge, isStalledReader } from '../../http/index.js'
import type { ApiError } from '../../shared/errors.js'

type Headers = Record<string, string>

/** The caller that waits for the answer to a call, over HTTP or on a WebSocket. */
export interface Caller {
  readonly log: FastifyReply['log']
  /** Adds headers to the answer. A later value replaces an earlier one. */
  addHeaders(headers: Headers): void
  /** True once the caller has disconnected. */
  isGone(): boolean
  /** True when the connection was closed because the caller stopped reading its answer. */
  isStalled?(): boolean
  /** Calls back once when the caller disconnects. Returns a function that stops listening. */
  onGone(listener: () => void): () => void
  /** Sends a complete answer. */
  send(status: number, headers: Headers, body: Buffer): void
  sendError(error: ApiError, headers: Headers): void
  /** Ends without an answer, because the caller has disconnected. */
  abandon(): void
  /** Marks the answer as final, so that a repeated request with the same Idempotency-Key receives it again. */
  remember?(): void
  /** Begins a streamed answer. */
  openStream(headers: Headers): CallerStream
}

/** A streamed answer to a caller. */
export interface CallerStream {
  /** Returns false when the caller reads more slowly than is written. Wait for `onDrain` then. */
  write(bytes: Buffer): boolean
  needsDrain(): boolean
  onDrain(listener: () => void): void
  end(bytes: Buffer | string): void
  /** Closes the connection without a proper end. */
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
      // The provider's own challenge is replaced, because it concerns an account of this service.
      if (status === 401) reply.header('www-authenticate', challenge)
      reply.code(status).headers(headers).send(body)
    },
    sendError: (error, headers) => void reply.headers(headers).send(error),
    // Hijacking the reply prevents the framework from answering.
    abandon: () => void reply.hijack(),
    openStream(headers) {
      reply.hijack()
      // Headers set on the framework's reply (request id, rate limits) are copied, because the stream is written to the socket directly.
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
