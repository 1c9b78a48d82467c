// All random choices of the tests depend on one seed: the run prints it, and SEED=… repeats the same choices. The order in which
// concurrent callers act does not depend on it and is not repeated.

/** Chosen by vitest.config.ts if the variable is not set. */
export const seed: number = Number(process.env.SEED ?? 1) | 0

let state = seed

/** Restarts the generator, so that each file makes the same choices whichever file ran before it in its worker. */
export function restartRandom(): void {
  state = seed
}

/** Returns a number from 0 up to but not including 1, like `Math.random`. The generator is mulberry32. */
export function random(): number {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
}

export function pick<T>(items: readonly T[]): T {
  const one = items[Math.floor(random() * items.length)]
  if (one === undefined) throw new Error('there is nothing to pick from')
  return one
}

export function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item)
}
