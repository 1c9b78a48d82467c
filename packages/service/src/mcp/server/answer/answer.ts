import type { FastifyReply } from 'fastify'
import { type BodyAccount, isStalledReader } from '../../../http/index.js'
import type { McpServerLimits } from '../limits.js'
import type { Accepted } from '../protocol/accept.js'
import { errorJsonOf, errorText } from '../protocol/rpc.js'
import { EventWriter } from './event-writer.js'

/** The response to one request. `status` and `headers` apply when it is the only response and nothing was sent before it. */
export interface Response {
  idJson: string
  json: string
  status: number
  headers?: Record<string, string>
}

/**
 * The HTTP answer to a request or a batch of requests. It is plain JSON, unless something is sent before the end or the end takes so long
 * that a proxy might time out. Then it is a stream of events.
 */
export class Answer {
  readonly #reply: FastifyReply
  readonly #accepted: Accepted
  readonly #isBatch: boolean
  readonly #limits: Pick<McpServerLimits, 'unreadBytes' | 'keepAliveMs'>
  readonly #account: BodyAccount
  readonly #responses: Response[] = []
  readonly #streamTimer: NodeJS.Timeout
  // Bounded: one call.
  readonly #leaving = new Set<() => void>()
  #events: EventWriter | null = null
  #isOver = false

  constructor(
    reply: FastifyReply,
    options: {
      accepted: Accepted
      isBatch: boolean
      limits: Pick<McpServerLimits, 'unreadBytes' | 'keepAliveMs'>
      account: BodyAccount
    },
  ) {
    this.#reply = reply
    this.#accepted = options.accepted
    this.#isBatch = options.isBatch
    this.#limits = options.limits
    this.#account = options.account
    this.#streamTimer = setTimeout(() => this.#open(), options.limits.keepAliveMs)
    this.#streamTimer.unref()
    reply.raw.once('close', () => {
      clearTimeout(this.#streamTimer)
      if (!this.#isOver) for (const listener of [...this.#leaving]) listener()
    })
  }

  /** Calls back when the caller disconnects. Returns a function that stops listening. */
  onGone(listener: () => void): () => void {
    this.#leaving.add(listener)
    if (this.#reply.raw.destroyed) listener()
    return () => void this.#leaving.delete(listener)
  }

  /** True when the connection was closed because the caller did not read. */
  get isStalled(): boolean {
    return isStalledReader(this.#reply.request.raw.socket)
  }

  get mayStream(): boolean {
    return this.#accepted.stream
  }

  /** Sends a message before the end. Returns false when the caller does not accept streams or does not read. */
  push(json: string): boolean {
    const events = this.#open()
    if (events === null || !events.isOpen) return false
    if (events.unreadBytes + json.length > this.#limits.unreadBytes) return false
    events.write(json)
    return true
  }

  respond(response: Response): void {
    const held = this.#hold(response)
    if (this.#events === null) this.#responses.push(held)
    else this.#events.write(held.json)
  }

  /** Ends the answer once all responses were added. */
  end(): void {
    this.#isOver = true
    clearTimeout(this.#streamTimer)
    const events = this.#accepted.json ? this.#events : this.#open()
    if (events === null) this.#sendJson()
    else events.end()
  }

  #sendJson(): void {
    const [first] = this.#responses
    if (this.#reply.raw.destroyed) {
      this.#reply.hijack()
      return
    }
    // All requests were cancelled.
    if (first === undefined) {
      this.#reply.code(202).send()
      return
    }
    const texts = this.#responses.map(({ json }) => json)
    this.#reply
      .code(this.#isBatch ? 200 : first.status)
      .headers(this.#isBatch ? {} : (first.headers ?? {}))
      .type('application/json; charset=utf-8')
      .send(this.#isBatch ? `[${texts.join(',')}]` : first.json)
  }

  /** Counts the response for the key until the caller has read it. Returns an error response when there is no room. */
  #hold(response: Response): Response {
    try {
      this.#account.take(response.json.length)
      return response
    } catch (error) {
      return { ...response, json: errorText(response.idJson, errorJsonOf(error)) }
    }
  }

  #open(): EventWriter | null {
    if (this.#events !== null || !this.#accepted.stream || this.#reply.raw.destroyed) return this.#events
    clearTimeout(this.#streamTimer)
    this.#events = new EventWriter(this.#reply, this.#limits.keepAliveMs)
    for (const { json } of this.#responses.splice(0)) this.#events.write(json)
    return this.#events
  }
}
