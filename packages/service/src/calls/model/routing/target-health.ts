import type { Provider, Target } from '../../../providers/index.js'
import { BoundedMap } from '../../../shared/bounded-map.js'
import type { FailureKind } from './retry-rules.js'

/** The recent health of a target, as seen by this process. */
export interface TargetState {
  /** The end of the cooldown, on the clock of this class. Null when there is none. */
  cooldownUntilMs: number | null
  lastFailure: { kind: FailureKind; atMs: number } | null
  /** The smoothed time to the first byte. Null before the first answer. */
  firstByteMs: number | null
}

// The number of failures in a row after which a target is in cooldown.
const failuresToCooldown = 3
const firstCooldownMs = 5_000
const maxCooldownMs = 300_000
// The weight of the latest answer in the smoothed time.
const latestWeight = 0.2

interface TrackedState extends TargetState {
  failuresInARow: number
  /** The number of cooldowns since the last answer. Each is twice as long as the previous one. */
  cooldowns: number
}

/** Bounds how many targets are searched when metrics are read. */
const maxCooling = 10_000

/**
 * Tracks the cooldowns and the speed of targets, by provider object and model. The state is dropped with the provider object, so a changed
 * provider starts fresh. Each replica tracks its own state.
 */
export class TargetHealth {
  readonly #states = new WeakMap<Provider, Map<string, TrackedState>>()
  /** The targets that are or were recently in cooldown, with the name of their provider. */
  readonly #cooling = new BoundedMap<TrackedState, string>(maxCooling)
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
    for (const [state, provider] of this.#cooling)
      if (this.#isOver(state.cooldownUntilMs)) this.#cooling.delete(state)
      else counts[provider] = (counts[provider] ?? 0) + 1
    return counts
  }

  recordAnswer(target: Pick<Target, 'provider' | 'model'>, firstByteMs: number | null): void {
    const state = this.#find(target)
    state.failuresInARow = 0
    state.cooldowns = 0
    state.cooldownUntilMs = null
    if (firstByteMs === null || Number.isNaN(firstByteMs)) return
    state.firstByteMs =
      state.firstByteMs === null
        ? firstByteMs
        : state.firstByteMs + latestWeight * (firstByteMs - state.firstByteMs)
  }

  /**
   * Records a failure. The cooldown lasts as long as the provider asks for. Otherwise it begins after a few failures, and again after the
   * next one.
   */
  recordFailure(
    target: Pick<Target, 'provider' | 'model'>,
    { kind, retryAfterMs }: { kind: FailureKind; retryAfterMs: number | null },
  ): void {
    const state = this.#find(target)
    const nowMs = this.#now()
    state.failuresInARow++
    state.lastFailure = { kind, atMs: nowMs }
    // Calls that began before the cooldown do not extend it.
    if (state.cooldownUntilMs !== null && !this.#isOver(state.cooldownUntilMs)) return
    const hasFailedOften = state.cooldowns > 0 || state.failuresInARow >= failuresToCooldown
    // A target that asks for no delay is still put in cooldown after repeated failures.
    const ownMs = hasFailedOften ? firstCooldownMs * 2 ** state.cooldowns : 0
    const cooldownMs = Math.max(retryAfterMs ?? 0, ownMs)
    if (hasFailedOften) state.cooldowns++
    if (cooldownMs === 0) return
    state.cooldownUntilMs = nowMs + Math.min(cooldownMs, maxCooldownMs)
    this.#cooling.set(state, target.provider.name)
  }

  #isOver(untilMs: number | null): boolean {
    return untilMs === null || untilMs <= this.#now()
  }

  #find({ provider, model }: Pick<Target, 'provider' | 'model'>): TrackedState {
    const models = this.#states.get(provider) ?? new Map<string, TrackedState>()
    this.#states.set(provider, models)
    const state = models.get(model) ?? {
      cooldownUntilMs: null,
      lastFailure: null,
      firstByteMs: null,
      failuresInARow: 0,
      cooldowns: 0,
    }
    models.set(model, state)
    return state
  }
}
