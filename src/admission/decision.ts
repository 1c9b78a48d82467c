import type { Claim, Refused, Standing } from './contract.js'

/** `waitMs` is Infinity when waiting will never help. */
export function refuse(refusedBy: Claim, waitMs: number, standings: readonly Standing[]): Refused {
  const never = waitMs === Number.POSITIVE_INFINITY
  const retryAfterSeconds = Math.ceil((never ? refusedBy.windowMs : waitMs) / 1000)
  return { admitted: false, reason: 'window', refusedBy, never, retryAfterSeconds, standings }
}

export function stand({ unit, limit }: Claim, usedNow: number, resetMs: number): Standing {
  return { unit, limit, remaining: Math.max(0, limit - usedNow), resetMs: Math.ceil(resetMs) }
}
