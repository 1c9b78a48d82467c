// All chance in the tests comes from one number: the run prints it, and SEED=… repeats the same choices. What concurrent callers
// do in which order is not chosen here, and not repeated.

/** Chosen by vitest.config.ts where nobody did. */
export const seed: number = Number(process.env.SEED ?? 1) | 0

let state = seed

/** Begins again: each file has the same choices, whichever ran before it in its worker. */
export function restartRandom(): void {
  state = seed
}

/** From 0 up to 1, which it never is, as `Math.random`. The generator is mulberry32. */
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
