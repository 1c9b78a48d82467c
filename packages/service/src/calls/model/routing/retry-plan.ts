import type { Target } from '../../../providers/index.js'
import type { FailureKind, RetryRules } from './retry-rules.js'

export interface AttemptFailure {
  kind: FailureKind
  /** When the provider asks to be called again. Null when it does not say. */
  retryAfterMs: number | null
}

/** The targets of a call, the number of attempts and the timeout. */
export interface AttemptOptions {
  /** The targets in the order in which they are tried. */
  targets: readonly [Target, ...Target[]]
  rules: RetryRules
  /** The time for all attempts together until there is content. Null for no timeout. */
  timeoutMs: number | null
}

export interface Step {
  target: Target
  delayMs: number
}

const firstPauseMs = 200
const maxPauseMs = 10_000

/** Decides which target a call tries next, and when. */
export class RetryPlan {
  readonly #options: AttemptOptions
  readonly #deadlineMs: number | null
  readonly #now: () => number
  readonly #random: () => number
  /** The number of attempts, including the current one. */
  #made = 1
  /** The position in the targets, which are cycled through. */
  #position = 0
  /** When a target may be tried again, because it said so or has just failed. */
  // Bounded: targets of one route.
  readonly #notBefore = new Map<Target, number>()

  constructor(options: AttemptOptions, now: () => number, random: () => number) {
    this.#options = options
    this.#now = now
    this.#deadlineMs = options.timeoutMs === null ? null : now() + options.timeoutMs
    this.#random = random
  }

  get current(): Target {
    const { targets } = this.#options
    return targets[this.#position % targets.length] ?? targets[0]
  }

  /** True when another attempt may follow the current one. */
  get mayRetry(): boolean {
    return this.#made <= this.#options.rules.maxRetries
  }

  /** Returns how long the current attempt may wait for content: the remaining time, divided among the attempts that may follow. */
  attemptTimeoutMs(): number | null {
    if (this.#deadlineMs === null) return null
    const others = Math.max(0, this.#options.rules.maxRetries + 1 - this.#made)
    return Math.max(1, (this.#deadlineMs - this.#now()) / (others + 1))
  }

  /** Returns the next step after a failure. Null when no further attempt is allowed or would help. */
  next({ kind, retryAfterMs }: AttemptFailure): Step | null {
    const { targets, rules } = this.#options
    const deadlineMs = this.#deadlineMs
    if (!this.mayRetry || !rules.on.includes(kind)) return null
    const nowMs = this.#now()
    // Full jitter, so that calls that failed together do not retry together.
    const round = Math.floor(this.#position / targets.length)
    const pauseMs = Math.min(maxPauseMs, firstPauseMs * 2 ** round) * this.#random()
    // Another credential can be tried immediately.
    if (kind !== 'credential') this.#notBefore.set(this.current, nowMs + Math.max(retryAfterMs ?? 0, pauseMs))
    for (let skipped = 0; skipped < targets.length; skipped++) {
      this.#position++
      const delayMs = Math.max(0, (this.#notBefore.get(this.current) ?? 0) - nowMs)
      if (delayMs <= maxPauseMs && (deadlineMs === null || nowMs + delayMs < deadlineMs)) {
        this.#made++
        return { target: this.current, delayMs }
      }
    }
    return null
  }
}
