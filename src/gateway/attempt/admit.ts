import type { Admitted, Refused, RefusedBySpend } from '../../admission/index.js'
import type { ApiError } from '../../errors.js'
import { type AdmitParts as AdmitCallParts, admitCall } from '../../governed/index.js'
import { attemptIdOf, type PriceEntries } from '../../ledger/index.js'
import type { Target } from '../../providers/index.js'
import type { PlannedCall } from '../plan/plan.js'
import { type Attempt, type GrantedCall, type ReservationParts, reserve } from '../plan/reservation.js'
import { writeInterrupted } from './receipt.js'

export interface AdmitParts extends ReservationParts, AdmitCallParts {
  prices: PriceEntries
  /** Milliseconds that only grow. */
  now(): number
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
  let granted: GrantedCall | null = null
  const { entitlements, demanded, decision, fault } = await admitCall(
    {
      id: attemptIdOf(call.id, number),
      entitlements: planned.entitlements,
      filing: call,
      async demand(current, now) {
        const reservation = await reserve({ ...planned, entitlements: current }, target, now, parts)
        if (Number.isNaN(stages.reservedMs)) stages.reservedMs = parts.now()
        return reservation
      },
      writeInterrupted(reservation, current, { grantedNanos, atMs }) {
        const attempt = { ...planned, entitlements: current, number, reservation, priceHash }
        granted = reservation.within(grantedNanos)
        return writeInterrupted(attempt, granted.reserved, atMs)
      },
    },
    parts,
  )
  return {
    attempt: { ...planned, entitlements, number, reservation: demanded, priceHash },
    decision,
    granted: decision.admitted && granted !== null ? granted : demanded.within(null),
    fault,
  }
}
