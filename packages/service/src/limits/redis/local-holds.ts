import type { RedisHold } from './hold.js'

const maxHolds = 100_000

/**
 * The holds of calls that this process admitted and that have no receipt yet, so that their claims need not be read from Redis. The
 * oldest one is dropped when there are too many, and is then read from Redis.
 */
export class LocalHolds {
  // Bounded: at most 100,000.
  readonly #byCall = new Map<string, RedisHold>()

  add(hold: RedisHold): void {
    this.#byCall.set(hold.attemptId, hold)
    if (this.#byCall.size <= maxHolds) return
    const [oldest] = this.#byCall.keys()
    if (oldest !== undefined) this.#byCall.delete(oldest)
  }

  get(attemptId: string): RedisHold | undefined {
    return this.#byCall.get(attemptId)
  }

  delete(attemptId: string): void {
    this.#byCall.delete(attemptId)
  }
}
