const baseMs = 5_000
const capMs = 3_600_000
const maxJitter = 0.2

/**
 * The delay after the nth failed attempt: 5 s, doubled each time up to an hour, minus up to a fifth. Jitter applies at the
 * cap as well, or deliveries that fail for long would all be due at the same moment.
 */
export function delayAfterMs(attempts: number, random: () => number): number {
  const delayMs = Math.min(capMs, baseMs * 2 ** (attempts - 1))
  return Math.round(delayMs * (1 - maxJitter * random()))
}
