import { setTimeout as pause } from 'node:timers/promises'
import type { Replicas } from './replicas.js'

/** What callers saw: how often each outcome, the longest time without an answer, and which calls were answered whole. */
export interface Seen {
  outcomes: Map<string, number>
  longestGapMs: number
}

// Without it, all of them would soon wait for a replica that stands still, and none would call the others.
const patienceMs = 3_000

/** Callers that make plain and streamed calls, one after the other. Each call carries a mark of its own, as its text and as its session. */
export class Callers {
  /** The marks of calls that were answered whole, with the ids of their receipts. */
  readonly answered = new Map<string, string>()
  readonly #replicas: Replicas
  readonly #key: string
  readonly #running: Promise<void>[] = []
  #stopped = false
  #seen: Seen = { outcomes: new Map(), longestGapMs: 0 }
  #lastAnswerMs = performance.now()
  #made = 0

  constructor(replicas: Replicas, key: string, count: number) {
    this.#replicas = replicas
    this.#key = key
    for (let i = 0; i < count; i++) this.#running.push(this.#callOn(i))
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

  async stop(): Promise<void> {
    this.#stopped = true
    await Promise.all(this.#running)
  }

  async #callOn(caller: number): Promise<void> {
    for (let call = 0; !this.#stopped; call++) {
      const outcome = await this.#call((caller + call) % 3 === 0).catch(describe)
      this.#seen.outcomes.set(outcome, (this.#seen.outcomes.get(outcome) ?? 0) + 1)
      if (outcome === '200') this.#noteGap()
      else await pause(50)
    }
  }

  #noteGap(): void {
    const nowMs = performance.now()
    this.#seen.longestGapMs = Math.max(this.#seen.longestGapMs, nowMs - this.#lastAnswerMs)
    this.#lastAnswerMs = nowMs
  }

  async #call(stream: boolean): Promise<string> {
    const address = this.#replicas.address()
    if (address === undefined) return 'no replica'
    const mark = `call-${process.pid}-${++this.#made}`
    const response = await fetch(`${address}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.#key}`,
        'content-type': 'application/json',
        'x-tallystick-session': mark,
      },
      body: JSON.stringify({
        model: 'gpt-4o-mini',
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
  if (error.name === 'TimeoutError') return 'hung up after 3 s'
  const cause = error.cause
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.name
}
