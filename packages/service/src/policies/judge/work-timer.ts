import { performance } from 'node:perf_hooks'
import { countedMs } from '../../shared/deadline.js'

/** How long one call may keep the thread before it yields. */
const maxSliceMs = 4

/**
 * The time that one policy may use for one call. 32 MiB of ordinary text take less than a second. A text that takes longer than this, even
 * on a busy machine, was crafted to be slow, and the policy counts as failed.
 */
const maxPolicyMs = 10_000

/** The time that one policy has used on one call. */
export interface TimeAccount {
  usedMs: number
}

/** Measures the work on one call: when it must yield to other calls, and how much time each policy has used. */
export class WorkTimer {
  readonly #yieldToEventLoop: () => Promise<void>
  #account: TimeAccount = { usedMs: 0 }
  #sliceStartMs = performance.now()
  #chargedUntilMs = this.#sliceStartMs

  constructor(yieldToEventLoop: () => Promise<void>) {
    this.#yieldToEventLoop = yieldToEventLoop
  }

  /** Starts a new slice after a wait, which is not charged. */
  restart(): void {
    this.#sliceStartMs = performance.now()
    this.#chargedUntilMs = this.#sliceStartMs
  }

  /** Charges further time to this account. A slow policy must not use up the time of the others. */
  chargeTo(account: TimeAccount): void {
    this.#charge(performance.now())
    this.#account = account
  }

  /** Charges further time to no account. */
  stopCharging(): void {
    this.chargeTo({ usedMs: Number.NEGATIVE_INFINITY })
  }

  /** True when the slice is used up. Throws once the account has used more time than a policy may. */
  shouldYield(): boolean {
    const nowMs = performance.now()
    this.#charge(nowMs)
    if (this.#account.usedMs > maxPolicyMs) throw new Error('the text takes too long to be judged')
    return nowMs - this.#sliceStartMs > maxSliceMs
  }

  async yieldToOthers(): Promise<void> {
    this.#charge(performance.now())
    await this.#yieldToEventLoop()
    this.restart()
  }

  #charge(nowMs: number): void {
    // A step takes milliseconds: most of a second or more is a pause of the process, and not the policy's time.
    this.#account.usedMs += countedMs(nowMs - this.#chargedUntilMs)
    this.#chargedUntilMs = nowMs
  }
}
