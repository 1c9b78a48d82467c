import { performance } from 'node:perf_hooks'

/** How long one call may keep the thread before it yields. */
const maxSliceMs = 4

/**
 * Of one policy on one call. 32 MiB of ordinary text take less than a second. What takes longer than this, even on a
 * busy machine, was made to, and counts as failed.
 */
const maxPolicyMs = 10_000

/** A step takes milliseconds. What seems to take longer than this is a process that stood still: that is not the policy's time. */
const maxStepMs = 2_000

/** The time that one policy has used on one call. */
export interface TimeAccount {
  usedMs: number
}

/** Times the work on one call: when it must yield to other calls, and what each policy has used. */
export class WorkTimer {
  readonly #waitForTurn: () => Promise<void>
  #account: TimeAccount = { usedMs: 0 }
  #sliceStartMs = performance.now()
  #chargedUntilMs = this.#sliceStartMs

  constructor(waitForTurn: () => Promise<void>) {
    this.#waitForTurn = waitForTurn
  }

  /** Starts a slice after a wait for something else, which is not charged. */
  restart(): void {
    this.#sliceStartMs = performance.now()
    this.#chargedUntilMs = this.#sliceStartMs
  }

  /** From here on, time is charged to this account. A slow policy must not use up the time of the others. */
  chargeTo(account: TimeAccount): void {
    this.#charge(performance.now())
    this.#account = account
  }

  /** From here on, time is limited by nothing but the length of the call. */
  chargeToNobody(): void {
    this.chargeTo({ usedMs: Number.NEGATIVE_INFINITY })
  }

  /** Throws once the account has used more than a policy may. */
  shouldYield(): boolean {
    const nowMs = performance.now()
    this.#charge(nowMs)
    if (this.#account.usedMs > maxPolicyMs) throw new Error('the text takes too long to be judged')
    return nowMs - this.#sliceStartMs > maxSliceMs
  }

  async yieldToOthers(): Promise<void> {
    this.#charge(performance.now())
    await this.#waitForTurn()
    this.restart()
  }

  #charge(nowMs: number): void {
    this.#account.usedMs += Math.min(nowMs - this.#chargedUntilMs, maxStepMs)
    this.#chargedUntilMs = nowMs
  }
}
