import { createHash } from 'node:crypto'

/** A reproducible random source: the same seed and name give the same choices. */
export interface Random {
  /** From 0 up to 1, which it never is. */
  next(): number
  between(min: number, max: number): number
  /** A whole number; both ends are included. */
  whole(min: number, max: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
  /** By weight. */
  choose<T>(items: readonly (readonly [item: T, weight: number])[]): T
  /** Log-normal: half of the values are below the median, and some are far above it. */
  spread(median: number, sigma: number): number
}

/** Creates a generator (mulberry32). Each name has its own sequence, so that one more person changes nothing for the others. */
export function createRandom(seed: number, name: string): Random {
  let state = createHash('sha256').update(`${seed}\n${name}`).digest().readInt32LE(0)

  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const between = (min: number, max: number) => min + next() * (max - min)

  return {
    next,
    between,
    whole: (min, max) => Math.floor(between(min, max + 1)),
    chance: (probability) => next() < probability,
    pick(items) {
      const item = items[Math.floor(next() * items.length)]
      if (item === undefined) throw new Error('there is nothing to pick from')
      return item
    },
    choose(items) {
      let rest = next() * items.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [item, weight] of items) {
        rest -= weight
        if (rest < 0) return item
      }
      const last = items.at(-1)
      if (last === undefined) throw new Error('there is nothing to choose from')
      return last[0]
    },
    spread(median, sigma) {
      // Box and Muller's way to a normal distribution; 1 - next() is never 0.
      const normal = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
      return median * Math.exp(sigma * normal)
    },
  }
}
