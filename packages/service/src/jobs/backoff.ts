/** How long to wait after a failure: `baseMs` after the first, twice as long after each further one, `capMs` at most. */
export interface Backoff {
  baseMs: number
  capMs: number
}

const maxJitter = 0.2

/**
 * Returns the delay after the nth failed attempt, minus up to a fifth. The jitter is subtracted at the cap as well: otherwise work that has
 * failed for long would all be due at the same moment.
 */
export function backoffMs({ baseMs, capMs }: Backoff, attempts: number, random: () => number): number {
  const delayMs = Math.min(capMs, baseMs * 2 ** Math.max(0, attempts - 1))
  return Math.round(delayMs * (1 - maxJitter * random()))
}
