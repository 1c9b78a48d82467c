import type { Paint } from '../types'

const slots = 8

/** The nth colour; after the last one, all share the colour of the rest. */
export const paintOf = (n: number): Paint =>
  n >= 0 && n < slots ? { color: `var(--series-${n + 1})`, pattern: n } : otherPaint

export const otherPaint: Paint = { color: 'var(--series-rest)', pattern: slots }

/** Outcomes have the colour of their meaning. */
const outcomes: Record<string, Paint> = {
  ok: { color: 'var(--series-1)', pattern: 0 },
  redacted: { color: 'var(--series-3)', pattern: 2 },
  blocked: { color: 'var(--warn)', pattern: 1 },
  upstream_error: { color: 'var(--bad)', pattern: 3 },
  interrupted: { color: 'var(--series-7)', pattern: 4 },
  aborted: { color: 'var(--series-4)', pattern: 5 },
  failed: { color: 'var(--series-8)', pattern: 6 },
}
export const paintOfOutcome = (outcome: string | null): Paint => outcomes[outcome ?? ''] ?? otherPaint
