import type { LimitStatus, RefusedByWindow, WindowClaim } from './contract.js'

/** Describes a refusal. `waitMs` is Infinity when the claim will never fit. */
export function refuseByWindow(
  refusedBy: WindowClaim,
  waitMs: number,
  limitStatuses: readonly LimitStatus[],
): RefusedByWindow {
  const neverFits = waitMs === Number.POSITIVE_INFINITY
  const retryAfterSeconds = Math.ceil((neverFits ? refusedBy.windowMs : waitMs) / 1000)
  return { admitted: false, reason: 'window', refusedBy, neverFits, retryAfterSeconds, limitStatuses }
}

export function toLimitStatus({ unit, limit }: WindowClaim, used: number, resetMs: number): LimitStatus {
  return { unit, limit, remaining: Math.max(0, limit - used), resetMs: Math.ceil(resetMs) }
}
