import type { Target } from '../../providers/index.js'
import type { FailureKind, RetryTerms } from './route.js'

export interface AttemptFailure {
  kind: FailureKind
  /** When the provider wants to be asked again; null where it does not say. */
  retryAfterMs: number | null
}

export interface CourseTerms {
  /** In the order in which they are tried. */
  targets: readonly [Target, ...Target[]]
  retry: RetryTerms
  /** For all attempts together, until there is content; null: as long as they take. */
  timeoutMs: number | null
}

export interface Step {
  target: Target
  delayMs: number
}

const firstPauseMs = 200
const maxPauseMs = 10_000

/** Which target a call tries next, and when. */
export class Course {
  readonly #terms: CourseTerms
  readonly #deadlineMs: number | null
  readonly #now: () => number
  readonly #random: () => number
  /** Attempts so far, the one that is made now included. */
  #made = 1
  /** Targets so far: they are gone through again and again. */
  #place = 0
  /** When a target may be asked again: it said so, or it failed a moment ago. */
  readonly #notBefore = new Map<Target, number>()

  constructor(terms: CourseTerms, now: () => number, random: () => number) {
    this.#terms = terms
    this.#now = now
    this.#deadlineMs = terms.timeoutMs === null ? null : now() + terms.timeoutMs
    this.#random = random
  }

  get current(): Target {
    const { targets } = this.#terms
    return targets[this.#place % targets.length] ?? targets[0]
  }

  /** Whether another attempt may follow the one that is made now. */
  get mayGoOn(): boolean {
    return this.#made <= this.#terms.retry.attempts
  }

  /** How long the attempt that is made now may wait for content: what is left, shared with those that may follow. */
  patienceMs(): number | null {
    if (this.#deadlineMs === null) return null
    const others = Math.max(0, this.#terms.retry.attempts + 1 - this.#made)
    return Math.max(1, (this.#deadlineMs - this.#now()) / (others + 1))
  }

  /** After a failure. Null when there is no other attempt that may help. */
  next({ kind, retryAfterMs }: AttemptFailure): Step | null {
    const { targets, retry } = this.#terms
    const deadlineMs = this.#deadlineMs
    if (!this.mayGoOn || !retry.on.includes(kind)) return null
    const nowMs = this.#now()
    // Full jitter: those that failed together do not come back together.
    const round = Math.floor(this.#place / targets.length)
    const pauseMs = Math.min(maxPauseMs, firstPauseMs * 2 ** round) * this.#random()
    // Another credential may be tried at once.
    if (kind !== 'credential') this.#notBefore.set(this.current, nowMs + Math.max(retryAfterMs ?? 0, pauseMs))
    for (let skipped = 0; skipped < targets.length; skipped++) {
      this.#place++
      const delayMs = Math.max(0, (this.#notBefore.get(this.current) ?? 0) - nowMs)
      if (delayMs <= maxPauseMs && (deadlineMs === null || nowMs + delayMs < deadlineMs)) {
        this.#made++
        return { target: this.current, delayMs }
      }
    }
    return null
  }
}
