import { performance } from 'node:perf_hooks'

/** How long one piece of work may hold the thread. */
const sliceMs = 4

/**
 * Of one policy on one call. 32 MiB of ordinary text take less than a second; what takes longer than this, even on a
 * busy machine, was made to, and counts as failed.
 */
const mostMs = 10_000

/** What a policy has used of its time. */
export interface Account {
  usedMs: number
}

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
  #account: Account = { usedMs: 0 }
  /** Since when the thread is held, and since when the account is charged. */
  #heldSinceMs = performance.now()
  #chargedSinceMs = this.#heldSinceMs

  constructor(takeTurn: () => Promise<void>) {
    this.#takeTurn = takeTurn
  }

  /** Begins work after a wait for something else. */
  begin(): void {
    this.#heldSinceMs = performance.now()
    this.#chargedSinceMs = this.#heldSinceMs
  }

  /** From here on, the time is this policy's. A slow one must not use up that of the others. */
  charge(account: Account): void {
    this.#settleAccount(performance.now())
    this.#account = account
  }

  /** Whether it is time to rest. Throws when a policy takes too long. */
  isDue(): boolean {
    const nowMs = performance.now()
    this.#settleAccount(nowMs)
    if (this.#account.usedMs > mostMs) throw new Error('the text takes too long to be judged')
    return nowMs - this.#heldSinceMs > sliceMs
  }

  async rest(): Promise<void> {
    this.#settleAccount(performance.now())
    await this.#takeTurn()
    this.begin()
  }

  #settleAccount(nowMs: number): void {
    this.#account.usedMs += nowMs - this.#chargedSinceMs
    this.#chargedSinceMs = nowMs
  }
}
