import type { Provider, Target } from '../../../providers/index.js'
import { BoundedMap } from '../../../shared/bounded-map.js'
import type { FailureKind } from './route.js'

/** The recent health of a target, as seen by this process. */
export interface TargetState {
  /** The end of the cooldown, on the clock of this class. Null when there is none. */
  cooldownUntilMs: number | null
  lastFailure: { kind: FailureKind; atMs: number } | null
  /** The smoothed time to the first byte. Null before the first answer. */
  firstByteMs: number | null
}

// The number of failures in a row after which a target is in cooldown.
const failuresToRest = 3
const firstRestMs = 5_000
const maxRestMs = 300_000
// The weight of the latest answer in the smoothed time.
const newest = 0.2

interface Known extends TargetState {
  failuresInARow: number
  /** The number of cooldowns since the last answer. Each is twice as long as the previous one. */
  rests: number
}

/** Bounds how many targets are searched when metrics are read. */
const maxRested = 10_000

/**
 * Tracks the cooldowns and the speed of targets, by provider object and model. The state is dropped with the provider object, so a changed
 * provider starts fresh. Each replica tracks its own state.
 */
export class TargetHealth {
  readonly #known = new WeakMap<Provider, Map<string, Known>>()
  /** The targets that are or were recently in cooldown, with the name of their provider. */
  readonly #rested = new BoundedMap<Known, string>(maxRested)
  readonly #now: () => number

  /** The monotonic clock, in milliseconds. */
  constructor(now: () => number) {
    this.#now = now
  }

  of(target: Pick<Target, 'provider' | 'model'>): TargetState {
    const { cooldownUntilMs, lastFailure, firstByteMs } = this.#find(target)
    return {
      cooldownUntilMs: this.#isOver(cooldownUntilMs) ? null : cooldownUntilMs,
      lastFailure,
      firstByteMs,
    }
  }

  /** Returns how many targets are in cooldown, by provider name. */
  countCooldowns(): Record<string, number> {
    const counts: Record<string, number> = {}
    for (const [known, provider] of this.#rested)
      if (this.#isOver(known.cooldownUntilMs)) this.#rested.delete(known)
      else counts[provider] = (counts[provider] ?? 0) + 1
    return counts
  }

  answered(target: Pick<Target, 'provider' | 'model'>, firstByteMs: number | null): void {
    const known = this.#find(target)
    known.failuresInARow = 0
    known.rests = 0
    known.cooldownUntilMs = null
    if (firstByteMs === null || Number.isNaN(firstByteMs)) return
    known.firstByteMs =
      known.firstByteMs === null
        ? firstByteMs
        : known.firstByteMs + newest * (firstByteMs - known.firstByteMs)
  }

  /**
   * Records a failure. The cooldown lasts as long as the provider asks for. Otherwise it begins after a few failures, and again after the
   * next one.
   */
  failed(
    target: Pick<Target, 'provider' | 'model'>,
    { kind, retryAfterMs }: { kind: FailureKind; retryAfterMs: number | null },
  ): void {
    const known = this.#find(target)
    const nowMs = this.#now()
    known.failuresInARow++
    known.lastFailure = { kind, atMs: nowMs }
    // Calls that began before the cooldown do not extend it.
    if (known.cooldownUntilMs !== null && !this.#isOver(known.cooldownUntilMs)) return
    const hasFailedOften = known.rests > 0 || known.failuresInARow >= failuresToRest
    // A target that asks for no delay is still put in cooldown after repeated failures.
    const restMs = Math.max(retryAfterMs ?? 0, hasFailedOften ? firstRestMs * 2 ** known.rests : 0)
    if (hasFailedOften) known.rests++
    if (restMs === 0) return
    known.cooldownUntilMs = nowMs + Math.min(restMs, maxRestMs)
    this.#rested.set(known, target.provider.name)
  }

  #isOver(untilMs: number | null): boolean {
    return untilMs === null || untilMs <= this.#now()
  }

  #find({ provider, model }: Pick<Target, 'provider' | 'model'>): Known {
    const models = this.#known.get(provider) ?? new Map<string, Known>()
    this.#known.set(provider, models)
    const known = models.get(model) ?? {
      cooldownUntilMs: null,
      lastFailure: null,
      firstByteMs: null,
      failuresInARow: 0,
      rests: 0,
    }
    models.set(model, known)
    return known
  }
}
