import type { SharedPass } from './pass.js'

const maxKept = 100_000

/**
 * The calls that this process admitted and that have no receipt yet: what it knows of them need not be asked of the server.
 * One that is missing is asked for, so that the oldest may go when there are too many.
 */
export class OwnPasses {
  // Bounded: 100,000; one that is missing is asked of Redis.
  readonly #byCall = new Map<string, SharedPass>()

  keep(pass: SharedPass): void {
    this.#byCall.set(pass.callId, pass)
    if (this.#byCall.size <= maxKept) return
    const [oldest] = this.#byCall.keys()
    if (oldest !== undefined) this.#byCall.delete(oldest)
  }

  get(callId: string): SharedPass | undefined {
    return this.#byCall.get(callId)
  }

  forget(callId: string): void {
    this.#byCall.delete(callId)
  }
}
