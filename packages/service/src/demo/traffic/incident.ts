import type { DemoModel } from '../company/models.js'
import type { TimeSpan } from './hours.js'
import type { PlannedCall } from './plan-calls.js'
import type { Random } from './random.js'

const minute = 60_000
const day = 86_400_000

/** A provider fails for 40 minutes in the middle of a working day. */
export interface Incident {
  provider: DemoModel['provider']
  fromMs: number
  toMs: number
  failureOf(call: PlannedCall, random: Random): { status: number; latencyMs: number } | null
  /** The factor by which answers start later, which is visible before the first error. */
  slownessOf(call: PlannedCall): number
  /** Whether the caller falls back to another provider. */
  shifts(call: PlannedCall, random: Random): boolean
}

const provider = 'openai'
const lengthMs = 40 * minute
const warningMs = 35 * minute

/** Plans an incident about three days before the end, at 14:05 UTC; null if the span is too short. */
export function planIncident(span: TimeSpan): Incident | null {
  const fromMs = chooseMoment(span, { minutes: 14 * 60 + 5, weekdaysOnly: true, daysBeforeEnd: 3 })
  if (fromMs === null) return null
  const toMs = fromMs + lengthMs
  const isOurs = ({ model }: PlannedCall) => model.provider === provider
  return {
    provider,
    fromMs,
    toMs,
    failureOf(call, random) {
      if (!isOurs(call) || call.atMs < fromMs || call.atMs >= toMs || random.chance(0.15)) return null
      const status = random.choose([
        [503, 5],
        [502, 3],
        [504, 2],
      ] as const)
      return { status, latencyMs: status === 504 ? 60_000 : random.whole(400, 9_000) }
    },
    slownessOf(call) {
      if (!isOurs(call) || call.atMs < fromMs - warningMs || call.atMs >= toMs) return 1
      return Math.min(6, 1 + (5 * (call.atMs - fromMs + warningMs)) / warningMs)
    },
    shifts: (call, random) =>
      isOurs(call) &&
      call.model.instead !== null &&
      call.atMs >= fromMs + 15 * minute &&
      call.atMs < toMs + 45 * minute &&
      random.chance(0.6),
  }
}

/** Chooses a moment within a span, close to so many days before its end. */
export function chooseMoment(
  span: TimeSpan,
  wanted: { minutes: number; weekdaysOnly: boolean; daysBeforeEnd: number },
): number | null {
  const target = span.toMs - wanted.daysBeforeEnd * day
  let best: number | null = null
  for (let start = Math.floor(span.fromMs / day) * day; start < span.toMs; start += day) {
    const atMs = start + wanted.minutes * minute
    if (atMs < span.fromMs + 60 * minute || atMs > span.toMs - 180 * minute) continue
    if (wanted.weekdaysOnly && [0, 6].includes(new Date(atMs).getUTCDay())) continue
    if (best === null || Math.abs(atMs - target) < Math.abs(best - target)) best = atMs
  }
  return best
}
