const baseMs = 5_000
const capMs = 3_600_000
const mostJitter = 0.2

/**
 * How long to wait after the nth attempt failed: 5 s, doubled each time up to an hour, minus up to a fifth. The jitter is
 * taken off below the cap too, or all that fail for long would come back at the same full hour.
 */
export function delayAfterMs(attempts: number, random: () => number): number {
  const delayMs = Math.min(capMs, baseMs * 2 ** (attempts - 1))
  return Math.round(delayMs * (1 - mostJitter * random()))
}
