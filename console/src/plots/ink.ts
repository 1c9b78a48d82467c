import type { Ink } from './types'

const slots = 8

/** The nth colour of a plot; what comes after the last one shares the colour of the rest. */
export const inkOf = (n: number): Ink =>
  n >= 0 && n < slots ? { color: `var(--series-${n + 1})`, pattern: n } : restInk

export const restInk: Ink = { color: 'var(--series-rest)', pattern: slots }

/** How a call ended has the colour of its meaning. */
const outcomes: Record<string, Ink> = {
  ok: { color: 'var(--series-1)', pattern: 0 },
  redacted: { color: 'var(--series-3)', pattern: 2 },
  blocked: { color: 'var(--warn)', pattern: 1 },
  upstream_error: { color: 'var(--bad)', pattern: 3 },
  interrupted: { color: 'var(--series-7)', pattern: 4 },
  aborted: { color: 'var(--series-4)', pattern: 5 },
  failed: { color: 'var(--series-8)', pattern: 6 },
}
export const inkOfOutcome = (outcome: string | null): Ink => outcomes[outcome ?? ''] ?? restInk
