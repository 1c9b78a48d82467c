import { BoundedMap } from '../../bounded-map.js'
import type { Provider, Target } from '../../providers/index.js'
import type { FailureKind } from './route.js'

/** How a target has done of late, as this process saw it. */
export interface TargetState {
  /** It rests until then, in the clock's milliseconds; null while it does not. */
  restsUntilMs: number | null
  lastFailure: { kind: FailureKind; atMs: number } | null
  /** Until the first byte, smoothed; null before the first answer. */
  firstByteMs: number | null
}

// After so many failures in a row a target rests.
const failuresToRest = 3
const firstRestMs = 5_000
const maxRestMs = 300_000
// The weight of the newest answer in the smoothed time.
const newest = 0.2

interface Known extends TargetState {
  failuresInARow: number
  /** How often it has rested since it last answered: each rest is twice as long as the one before. */
  rests: number
}

/** Looked through when the metrics are read, which nobody may do. */
const maxRested = 10_000

/**
 * What targets rest, and how fast they answer. It knows a target by its provider and model; what it knows goes with the provider, so
 * that one that was changed begins anew. Each replica finds out by itself.
 */
export class TargetHealth {
  readonly #known = new WeakMap<Provider, Map<string, Known>>()
  /** Whose targets rest, or did a while ago. */
  readonly #rested = new BoundedMap<Known, string>(maxRested)
  readonly #now: () => number

  /** Milliseconds that only grow. */
  constructor(now: () => number) {
    this.#now = now
  }

  of(target: Pick<Target, 'provider' | 'model'>): TargetState {
    const { restsUntilMs, lastFailure, firstByteMs } = this.#find(target)
    return { restsUntilMs: this.#isOver(restsUntilMs) ? null : restsUntilMs, lastFailure, firstByteMs }
  }

  /** How many targets rest at this moment, by the name of their provider. */
  resting(): Record<string, number> {
    const counts: Record<string, number> = {}
    for (const [known, provider] of this.#rested)
      if (this.#isOver(known.restsUntilMs)) this.#rested.delete(known)
      else counts[provider] = (counts[provider] ?? 0) + 1
    return counts
  }

  answered(target: Pick<Target, 'provider' | 'model'>, firstByteMs: number | null): void {
    const known = this.#find(target)
    known.failuresInARow = 0
    known.rests = 0
    known.restsUntilMs = null
    if (firstByteMs === null || Number.isNaN(firstByteMs)) return
    known.firstByteMs =
      known.firstByteMs === null
        ? firstByteMs
        : known.firstByteMs + newest * (firstByteMs - known.firstByteMs)
  }

  /** A provider that says when it will answer again is believed; another one rests after a few failures, and after the next one again. */
  failed(
    target: Pick<Target, 'provider' | 'model'>,
    { kind, retryAfterMs }: { kind: FailureKind; retryAfterMs: number | null },
  ): void {
    const known = this.#find(target)
    const nowMs = this.#now()
    known.failuresInARow++
    known.lastFailure = { kind, atMs: nowMs }
    // One that fails on the way, begun before it rested, says nothing new.
    if (known.restsUntilMs !== null && !this.#isOver(known.restsUntilMs)) return
    const hasFailedOften = known.rests > 0 || known.failuresInARow >= failuresToRest
    // One that always says "at once" rests all the same.
    const restMs = Math.max(retryAfterMs ?? 0, hasFailedOften ? firstRestMs * 2 ** known.rests : 0)
    if (hasFailedOften) known.rests++
    if (restMs === 0) return
    known.restsUntilMs = nowMs + Math.min(restMs, maxRestMs)
    this.#rested.set(known, target.provider.name)
  }

  #isOver(untilMs: number | null): boolean {
    return untilMs === null || untilMs <= this.#now()
  }

  #find({ provider, model }: Pick<Target, 'provider' | 'model'>): Known {
    const models = this.#known.get(provider) ?? new Map<string, Known>()
    this.#known.set(provider, models)
    const known = models.get(model) ?? {
      restsUntilMs: null,
      lastFailure: null,
      firstByteMs: null,
      failuresInARow: 0,
      rests: 0,
    }
    models.set(model, known)
    return known
  }
}
