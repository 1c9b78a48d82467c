import type { Claim, LimitStatus, Refused } from './contract.js'

/** `waitMs` is Infinity when waiting will never help. */
export function refuse(refusedBy: Claim, waitMs: number, limitStatuses: readonly LimitStatus[]): Refused {
  const never = waitMs === Number.POSITIVE_INFINITY
  const retryAfterSeconds = Math.ceil((never ? refusedBy.windowMs : waitMs) / 1000)
  return { admitted: false, reason: 'window', refusedBy, never, retryAfterSeconds, limitStatuses }
}

export function stand({ unit, limit }: Claim, usedNow: number, resetMs: number): LimitStatus {
  return { unit, limit, remaining: Math.max(0, limit - usedNow), resetMs: Math.ceil(resetMs) }
}
