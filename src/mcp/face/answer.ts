import type { FastifyReply } from 'fastify'
import { type BodyAccount, isStalledReader } from '../../http/index.js'
import type { Accepted } from './accept.js'
import { EventWriter } from './event-writer.js'
import type { FaceLimits } from './limits.js'
import { errorJsonOf, errorText } from './rpc.js'

/** The answer to one response: what it says, and the status where it is the only one and nothing came before it. */
export interface Response {
  idJson: string
  json: string
  status: number
  headers?: Record<string, string>
}

/**
 * The HTTP answer to a request, or to a batch of them. It is plain JSON, unless something comes before the end, or the end takes so long that
 * somebody on the way might lose patience: then it is a stream of events.
 */
export class Answer {
  readonly #reply: FastifyReply
  readonly #accepted: Accepted
  readonly #isBatch: boolean
  readonly #limits: Pick<FaceLimits, 'unreadBytes' | 'keepAliveMs'>
  readonly #account: BodyAccount
  readonly #responses: Response[] = []
  readonly #patience: NodeJS.Timeout
  readonly #leaving = new Set<() => void>()
  #events: EventWriter | null = null
  #isOver = false

  constructor(
    reply: FastifyReply,
    options: {
      accepted: Accepted
      isBatch: boolean
      limits: Pick<FaceLimits, 'unreadBytes' | 'keepAliveMs'>
      account: BodyAccount
    },
  ) {
    this.#reply = reply
    this.#accepted = options.accepted
    this.#isBatch = options.isBatch
    this.#limits = options.limits
    this.#account = options.account
    this.#patience = setTimeout(() => this.#open(), options.limits.keepAliveMs)
    this.#patience.unref()
    reply.raw.once('close', () => {
      clearTimeout(this.#patience)
      if (!this.#isOver) for (const listener of [...this.#leaving]) listener()
    })
  }

  /** Calls back when the caller hangs up. Returns how to stop that. */
  onGone(listener: () => void): () => void {
    this.#leaving.add(listener)
    if (this.#reply.raw.destroyed) listener()
    return () => void this.#leaving.delete(listener)
  }

  /** The connection was ended because its caller took nothing. */
  get isStalled(): boolean {
    return isStalledReader(this.#reply.request.raw.socket)
  }

  get mayStream(): boolean {
    return this.#accepted.stream
  }

  /** Something that comes before the end. False when it does not reach the caller: it takes no streams, or does not read. */
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

  /** All responses are there. */
  end(): void {
    this.#isOver = true
    clearTimeout(this.#patience)
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
    // All of it was cancelled.
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

  /** What its caller has not read yet is counted for its key. */
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
    clearTimeout(this.#patience)
    this.#events = new EventWriter(this.#reply, this.#limits.keepAliveMs)
    for (const { json } of this.#responses.splice(0)) this.#events.write(json)
    return this.#events
  }
}
