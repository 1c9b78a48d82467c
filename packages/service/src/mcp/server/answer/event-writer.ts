import type { FastifyReply } from 'fastify'

/** Writes server-sent events to an HTTP answer. Writing never waits for the reader; callers check `unreadBytes`. */
export class EventWriter {
  readonly #raw: FastifyReply['raw']
  readonly #timer: NodeJS.Timeout

  constructor(reply: FastifyReply, keepAliveMs: number) {
    this.#raw = reply.raw
    reply.hijack()
    const { raw } = reply
    // Headers set on the framework's reply (request id, session) are copied.
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) raw.setHeader(name, value)
    raw.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    })
    raw.flushHeaders()
    // Keep-alive comments prevent proxies from closing an idle connection.
    this.#timer = setInterval(() => {
      if (raw.writableLength === 0) raw.write(': keep-alive\n\n')
    }, keepAliveMs)
    this.#timer.unref()
    this.onClose(() => clearInterval(this.#timer))
  }

  /** The bytes that the reader has not taken yet. */
  get unreadBytes(): number {
    return this.#raw.writableLength
  }

  get isOpen(): boolean {
    return !this.#raw.destroyed && !this.#raw.writableEnded
  }

  onClose(listener: () => void): void {
    if (this.#raw.destroyed) listener()
    else this.#raw.once('close', listener)
  }

  write(json: string): void {
    if (this.isOpen) this.#raw.write(`event: message\ndata: ${oneLine(json)}\n\n`)
  }

  end(): void {
    clearInterval(this.#timer)
    if (this.isOpen) this.#raw.end()
  }

  destroy(): void {
    this.#raw.destroy()
  }
}

/** Replaces line breaks in JSON by blanks. Strings in JSON contain none. */
const oneLine = (json: string): string => (/[\r\n]/.test(json) ? json.replace(/[\r\n]+/g, ' ') : json)
