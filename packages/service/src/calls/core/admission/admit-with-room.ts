import type { AdmissionRequest, AdmissionStore, Decision, WindowClaim } from '../../../limits/index.js'

/**
 * How many more attempts of the same size must fit. A coarse reservation is up to four times what the attempt uses, so another call could
 * be refused because of it only when at least sixty of that size are in progress.
 */
const spareAttempts = 15

/**
 * Admits an attempt with a coarse reservation, if all limits on tokens and all budgets have ample room for it. Returns null when they have
 * not, or when the attempt is refused: its input must then be counted.
 *
 * The store compares with limits that are lower by the room that must stay free, so it decides about both in its one atomic step.
 */
export async function admitWithRoom(
  admission: Pick<AdmissionStore, 'admit'>,
  { claims, spend, ...request }: AdmissionRequest,
): Promise<Decision | null> {
  const lowered = claims.map((claim) => ({ ...claim, limit: claim.limit - roomOf(claim) }))
  const spareNanos = spareAttempts * (spend?.maxNanos ?? 0)
  const accountLimits = (spend?.accountLimits ?? []).map((each) => ({
    ...each,
    limitNanos: each.limitNanos - spareNanos,
  }))
  if (lowered.some(({ limit }) => limit < 0) || accountLimits.some(({ limitNanos }) => limitNanos < 0))
    return null
  const decision = await admission.admit({
    ...request,
    claims: lowered,
    spend: spend && { ...spend, accountLimits, minNanos: spend.maxNanos },
  })
  if (!decision.admitted) return decision.reason === 'period' ? decision : null
  const limitStatuses = decision.limitStatuses.map((status, index) => {
    const claim = claims[index]
    if (claim === undefined) return status
    return { ...status, limit: claim.limit, remaining: status.remaining + roomOf(claim) }
  })
  return { ...decision, limitStatuses }
}

/** At least half of a limit stays free as well, so that coarse reservations of many small calls do not refuse a large one. */
const roomOf = ({ unit, amount, limit }: WindowClaim): number =>
  unit === 'tokens' ? Math.max(spareAttempts * amount, Math.floor(limit / 2)) : 0
