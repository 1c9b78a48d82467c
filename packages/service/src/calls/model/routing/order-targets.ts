import { createHash } from 'node:crypto'
import type { Target } from '../../../providers/index.js'
import type { RouteRecord } from '../../../resources/routes/index.js'
import type { TargetHealth } from './target-health.js'

export interface WeightedTarget {
  target: Target
  weight: number
}

export interface OrderParts {
  health: Pick<TargetHealth, 'of'>
  /** Returns a number from 0 to below 1. */
  random(): number
}

// The share of calls with the strategy `fastest` that go to another target, so that changes in speed are noticed.
const explorationShare = 0.05

/**
 * Returns the targets of a route in the order in which a call tries them. Calls with the same `stickyKey` go to the same target on every
 * replica, as long as it is not in cooldown. Targets in cooldown come last, ordered by the end of the cooldown.
 */
export function orderTargets(
  targets: readonly WeightedTarget[],
  strategy: RouteRecord['strategy'],
  stickyKey: string | null,
  { health, random }: OrderParts,
): Target[] {
  const ordered =
    strategy === 'priority'
      ? targets
      : stickyKey !== null
        ? byScore(targets, (each) => weightedScore(each, hashOf(stickyKey, each.target)))
        : strategy === 'weighted'
          ? byScore(targets, (each) => weightedScore(each, random()))
          : byFirstByte(targets, health, random)
  const cooldownOf = ({ target }: WeightedTarget) => health.of(target).cooldownUntilMs ?? 0
  // Sorting is stable, so targets that are not in cooldown keep their order.
  return [...ordered].sort((a, b) => cooldownOf(a) - cooldownOf(b)).map(({ target }) => target)
}

function byScore(
  targets: readonly WeightedTarget[],
  scoreOf: (each: WeightedTarget) => number,
): WeightedTarget[] {
  return targets
    .map((each) => ({ each, score: scoreOf(each) }))
    .sort((a, b) => b.score - a.score)
    .map(({ each }) => each)
}

/**
 * Scores a target so that each comes first with a probability in proportion to its weight, and the same holds for the rest without the
 * first. With a hash instead of a random number, adding or removing a target moves only its own share of the calls.
 */
const weightedScore = ({ weight }: WeightedTarget, chance: number): number =>
  weight === 0 ? chance - 1 : 1 / (1 - Math.log(Math.max(chance, Number.MIN_VALUE)) / weight)

/** Returns a number from 0 to below 1 that is the same on every replica. */
function hashOf(stickyKey: string, { provider, model }: Target): number {
  const digest = createHash('sha256').update(`${stickyKey}\n${provider.name}/${model}`).digest()
  return digest.readUIntBE(0, 6) / 2 ** 48
}

/** Orders targets by their time to the first byte. Targets without a measurement come first. */
function byFirstByte(
  targets: readonly WeightedTarget[],
  health: OrderParts['health'],
  random: OrderParts['random'],
): WeightedTarget[] {
  const ordered = byScore(targets, ({ target }) => -(health.of(target).firstByteMs ?? 0))
  if (ordered.length < 2 || random() >= explorationShare) return ordered
  const other = 1 + Math.floor(random() * (ordered.length - 1))
  const [chosen] = ordered.splice(other, 1)
  return chosen ? [chosen, ...ordered] : ordered
}
