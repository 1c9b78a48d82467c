import type { AdmissionStore, Admitted, Refused, RefusedBySpend } from '../../admission/index.js'
import type { ApiError } from '../../errors.js'
import { toApiError } from '../../http/index.js'
import { attemptIdOf, type OpenCalls, type PriceEntries } from '../../ledger/index.js'
import type { Entitlements } from '../../modules/keys/index.js'
import type { Target } from '../../providers/index.js'
import type { PlannedCall } from '../plan/plan.js'
import { type Attempt, type GrantedCall, type ReservationParts, reserve } from '../plan/reservation.js'
import { writeInterrupted } from './receipt.js'

export interface AdmitParts extends ReservationParts {
  admission: AdmissionStore
  openCalls: Pick<OpenCalls, 'open'>
  prices: PriceEntries
  /** Milliseconds that only grow. */
  now(): number
  /** What the key may use and the limits on it as the database has them now. Throws when the key was revoked meanwhile. */
  renewLimits(entitlements: Entitlements): Promise<Entitlements>
}

/** The decision of limits and budgets on an attempt. */
export interface Admission {
  attempt: Attempt
  decision: Admitted | Refused | RefusedBySpend
  /** What the granted money pays for. */
  granted: GrantedCall
  /** Why an attempt that was admitted cannot be forwarded after all. */
  fault: ApiError | null
}

/**
 * Limits and budgets, all or none. Then the call is written to the database as under way, so that a death of this
 * process cannot hide it. Starts over when the day has changed meanwhile, and when limits were changed or their state was
 * rebuilt before the call was written: that state may not include it.
 */
export async function admit(
  planned: PlannedCall,
  target: Target,
  number: number,
  parts: AdmitParts,
): Promise<Admission> {
  const {
    call,
    progress: { stages },
  } = planned
  const priceHash = await parts.prices.ensure(planned.entitlements.tenantId, target.price)
  let { entitlements } = planned
  const request = { tenantId: entitlements.tenantId, callId: attemptIdOf(call.id, number) }
  let now = new Date()
  let afterGeneration: number | null = null
  for (;;) {
    const current = { ...planned, entitlements }
    const reservation = await reserve(current, target, now, parts)
    if (Number.isNaN(stages.reservedMs)) stages.reservedMs = parts.now()
    const { claims, spend, limitsVersion } = reservation
    const attempt = { ...current, number, reservation, priceHash }
    const decision = await parts.admission.admit({
      ...request,
      claims,
      spend,
      ...(afterGeneration !== null && { afterGeneration }),
    })
    if (!decision.admitted) {
      if (decision.reason !== 'period')
        return { attempt, decision, granted: reservation.within(null), fault: null }
      now = new Date(decision.atMs)
      continue
    }
    const { generation, atMs, grantedNanos } = decision
    const granted = reservation.within(grantedNanos)
    const receipt = writeInterrupted(attempt, granted.reserved, atMs)
    try {
      const opened = await parts.openCalls.open({ receipt, generation, limitsVersion })
      if (opened) return { attempt, decision, granted, fault: null }
    } catch (error) {
      return { attempt, decision, granted, fault: toApiError(error) }
    }
    entitlements = await parts.renewLimits(entitlements)
    const { version } = await parts.spendLimits.limitsFor(entitlements, call, now)
    if (version === limitsVersion) afterGeneration = generation
    else await parts.admission.release(decision.pass)
  }
}
