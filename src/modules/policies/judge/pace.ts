import { performance } from 'node:perf_hooks'

/** How long one piece of work may hold the thread. */
const sliceMs = 4

/** Far more than 32 MiB of ordinary text take. What takes longer was made to: the policy counts as failed. */
const mostMs = 5_000

/**
 * Lets long work rest, one piece per turn of the event loop for the whole process: a hundred long inputs at once must
 * not make everyone else wait for a hundred pieces.
 */
export function createTurns(): () => Promise<void> {
  const waiting: (() => void)[] = []
  function next(): void {
    waiting.shift()?.()
    if (waiting.length > 0) setImmediate(next)
  }
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve)
      if (waiting.length === 1) setImmediate(next)
    })
}

/** Keeps the time of one call's work. */
export class Pace {
  readonly #takeTurn: () => Promise<void>
  #startedMs = performance.now()
  #workedMs = 0

  constructor(takeTurn: () => Promise<void>) {
    this.#takeTurn = takeTurn
  }

  /** Begins a stretch of work, after a wait for something else. */
  begin(): void {
    this.#startedMs = performance.now()
  }

  /** Whether it is time to rest. Throws when the work takes too long altogether. */
  isDue(): boolean {
    const stretchMs = performance.now() - this.#startedMs
    if (this.#workedMs + stretchMs > mostMs) throw new Error('the text takes too long to be judged')
    return stretchMs > sliceMs
  }

  async rest(): Promise<void> {
    this.#workedMs += performance.now() - this.#startedMs
    await this.#takeTurn()
    this.#startedMs = performance.now()
  }
}
