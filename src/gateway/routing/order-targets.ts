import { createHash } from 'node:crypto'
import type { RouteRecord } from '../../modules/routes/index.js'
import type { Target } from '../../providers/index.js'
import type { TargetHealth } from './target-health.js'

export interface WeightedTarget {
  target: Target
  weight: number
}

export interface OrderParts {
  health: Pick<TargetHealth, 'of'>
  /** From 0 to below 1. */
  random(): number
}

// Of the calls by `fastest`, the part that goes to another target than the fastest, so that a change is noticed.
const explored = 0.05

/**
 * The targets of a route in the order in which a call tries them. `stuckTo`: calls with the same one go to the same target, on every
 * replica, as long as it does not rest. Those that rest come last, the one first whose rest ends first.
 */
export function orderTargets(
  targets: readonly WeightedTarget[],
  strategy: RouteRecord['strategy'],
  stuckTo: string | null,
  { health, random }: OrderParts,
): Target[] {
  const ordered =
    strategy === 'priority'
      ? targets
      : stuckTo !== null
        ? byScore(targets, (each) => weightedScore(each, hashOf(stuckTo, each.target)))
        : strategy === 'weighted'
          ? byScore(targets, (each) => weightedScore(each, random()))
          : byFirstByte(targets, health, random)
  const restOf = ({ target }: WeightedTarget) => health.of(target).restsUntilMs ?? 0
  // The order stays among those that do not rest: sorting is stable.
  return [...ordered].sort((a, b) => restOf(a) - restOf(b)).map(({ target }) => target)
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
 * The highest of these comes first with a probability in proportion to its weight, whatever the others are; without the first, the same
 * holds for the rest. With a hash in place of chance, a target that is added or taken away moves only its own share of the calls.
 */
const weightedScore = ({ weight }: WeightedTarget, chance: number): number =>
  weight === 0 ? chance - 1 : 1 / (1 - Math.log(Math.max(chance, Number.MIN_VALUE)) / weight)

/** From 0 to below 1, the same on every replica. */
function hashOf(stuckTo: string, { provider, model }: Target): number {
  const digest = createHash('sha256').update(`${stuckTo}\n${provider.name}/${model}`).digest()
  return digest.readUIntBE(0, 6) / 2 ** 48
}

/** Those that nobody has measured come first. */
function byFirstByte(
  targets: readonly WeightedTarget[],
  health: OrderParts['health'],
  random: OrderParts['random'],
): WeightedTarget[] {
  const ordered = byScore(targets, ({ target }) => -(health.of(target).firstByteMs ?? 0))
  if (ordered.length < 2 || random() >= explored) return ordered
  const other = 1 + Math.floor(random() * (ordered.length - 1))
  const [chosen] = ordered.splice(other, 1)
  return chosen ? [chosen, ...ordered] : ordered
}
