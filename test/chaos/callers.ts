import { setTimeout as pause } from 'node:timers/promises'
import type { Replicas } from './replicas.js'

/** What callers saw: how often each outcome, the longest time without an answer, and which calls were answered whole. */
export interface Seen {
  outcomes: Map<string, number>
  longestGapMs: number
}

// Without it, all of them would soon wait for a replica that stands still, and none would call the others.
const patienceMs = 3_000

let made = 0

/** Callers that make plain and streamed calls, one after the other. Each call carries a mark of its own, as its text and as its session. */
export class Callers {
  /** The marks of calls that were answered whole, with the ids of their receipts. */
  readonly answered = new Map<string, string>()
  readonly #replicas: Replicas
  readonly #key: string
  readonly #count: number
  #running: Promise<void>[] = []
  #stopped = true
  #seen: Seen = { outcomes: new Map(), longestGapMs: 0 }
  #lastAnswerMs = performance.now()
  #model = 'gpt-4o-mini'

  constructor(replicas: Replicas, key: string, count: number) {
    this.#replicas = replicas
    this.#key = key
    this.#count = count
    this.start()
  }

  get count(): number {
    return this.answered.size
  }

  /** What was seen since the last time. */
  take(): Seen {
    this.#noteGap()
    const seen = this.#seen
    this.#seen = { outcomes: new Map(), longestGapMs: 0 }
    this.#lastAnswerMs = performance.now()
    return seen
  }

  start(): void {
    this.#stopped = false
    this.answered.clear()
    this.take()
    this.#running = Array.from({ length: this.#count }, (_, caller) => this.#callOn(caller))
  }

  /** Calls this model until the wait is over. */
  async calling(model: string, wait: () => Promise<void>): Promise<void> {
    this.#model = model
    await wait()
    this.#model = 'gpt-4o-mini'
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await Promise.all(this.#running)
  }

  async #callOn(caller: number): Promise<void> {
    for (let call = 0; !this.#stopped; call++) {
      const outcome = await this.#call((caller + call) % 3 === 0).catch(describe)
      this.#seen.outcomes.set(outcome, (this.#seen.outcomes.get(outcome) ?? 0) + 1)
      if (outcome === '200') this.#noteGap()
      // More calls show no more, and the record of each fault is verified afterwards.
      await pause(100)
    }
  }

  #noteGap(): void {
    const nowMs = performance.now()
    this.#seen.longestGapMs = Math.max(this.#seen.longestGapMs, nowMs - this.#lastAnswerMs)
    this.#lastAnswerMs = nowMs
  }

  /** As balancers do, tries another replica where none took the connection. */
  async #call(stream: boolean): Promise<string> {
    const addresses = this.#replicas.candidates()
    if (addresses.length === 0) return 'no replica'
    for (const [tried, address] of addresses.entries())
      try {
        return await this.#callOne(address, stream)
      } catch (error) {
        if (describe(error) !== 'ECONNREFUSED' || tried === addresses.length - 1) throw error
      }
    return 'no replica'
  }

  async #callOne(address: string, stream: boolean): Promise<string> {
    const mark = `call-${process.pid}-${++made}`
    const response = await fetch(`${address}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.#key}`,
        'content-type': 'application/json',
        'x-tallystick-session': mark,
      },
      body: JSON.stringify({
        model: this.#model,
        stream,
        messages: [{ role: 'user', content: mark }],
        max_tokens: 20,
      }),
      signal: AbortSignal.timeout(patienceMs),
    })
    const text = await response.text()
    const id = response.headers.get('x-tallystick-request-id') ?? ''
    if (response.status !== 200) return String(response.status)
    if (stream && !text.includes('data: [DONE]')) return 'stream with an error'
    this.answered.set(mark, id)
    return '200'
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  if (error.name === 'TimeoutError') return 'no answer in 3 s'
  const cause = error.cause
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.name
}
