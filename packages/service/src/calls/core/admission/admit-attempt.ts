import { toApiError } from '../../../http/index.js'
import type {
  AdmissionRequest,
  AdmissionStore,
  Admitted,
  Decision,
  RefusedBySpend,
  RefusedByWindow,
} from '../../../limits/index.js'
import { attemptIdOf, type OpenCalls, type PriceEntries } from '../../../record/index.js'
import type { SpendLimits } from '../../../resources/budgets/index.js'
import type { Entitlements } from '../../../resources/keys/index.js'
import type { ApiError } from '../../../shared/errors.js'
import type { AdmissionSteps, CallTypes, DecidedAttempt } from '../call-kind.js'
import { admitWithRoom } from './admit-with-room.js'

export interface AdmitParts {
  admission: AdmissionStore
  openCalls: Pick<OpenCalls, 'open'>
  spendLimits: SpendLimits
  prices: PriceEntries
  /** Reads the entitlements of the key and its limits from the database again. Throws when the key was revoked in the meantime. */
  renewLimits(entitlements: Entitlements): Promise<Entitlements>
}

/** An attempt with the decision of rate limits and budgets about it. */
export interface AdmitResult<T extends CallTypes> {
  attempt: DecidedAttempt<T>
  decision: Admitted | RefusedByWindow | RefusedBySpend
  /** Why an admitted attempt cannot be forwarded after all. */
  fault: ApiError | null
}

/**
 * Claims from all rate limits and budgets, or from none, and then stores the attempt as an open call, so that it is not lost when this
 * process dies. Starts over when a new day has begun in the meantime, and when limits were changed or their state was rebuilt before the
 * attempt was stored, because that state may not include it.
 */
export async function admitAttempt<T extends CallTypes>(
  kind: AdmissionSteps<T>,
  planned: T['attempt'],
  parts: AdmitParts,
): Promise<AdmitResult<T>> {
  let { entitlements } = planned
  const { tenantId } = entitlements
  const priceHash = await parts.prices.ensure(tenantId, kind.priceOf(planned))
  const attemptId = attemptIdOf(planned.call.id, planned.number)
  let now = new Date()
  let afterGeneration: number | undefined
  let mayBeCoarse = true
  for (;;) {
    const reservation = await kind.reserve(planned, entitlements, now, mayBeCoarse)
    const { claims, spend, limitsVersion, isCoarse = false } = reservation
    const request: AdmissionRequest = { tenantId, attemptId, claims, spend, afterGeneration }
    const decision: Decision | null = isCoarse
      ? await admitWithRoom(parts.admission, request)
      : await parts.admission.admit(request)
    if (decision === null) {
      mayBeCoarse = false
      continue
    }
    if (!decision.admitted && decision.reason === 'period') {
      now = new Date(decision.atMs)
      continue
    }
    try {
      const grantedNanos = decision.admitted ? decision.grantedNanos : null
      // The planned attempt becomes the decided one: copying its 25 fields takes longer than deciding.
      const attempt: DecidedAttempt<T> = Object.assign(planned, {
        entitlements,
        reservation,
        priceHash,
        grant: kind.grant(reservation, grantedNanos),
        hold: decision.admitted ? decision.hold : null,
        admittedAtMs: 'atMs' in decision ? decision.atMs : Number.NaN,
        grantedNanos,
      })
      if (!decision.admitted) return { attempt, decision, fault: null }
      const { generation } = decision
      const receipt = kind.writeInterrupted(attempt)
      try {
        const opened = await parts.openCalls.open({ receipt, generation, limitsVersion })
        if (opened) return { attempt, decision, fault: null }
      } catch (error) {
        return { attempt, decision, fault: toApiError(error) }
      }
      entitlements = await parts.renewLimits(entitlements)
      const { version } = await parts.spendLimits.limitsFor(entitlements, planned.call, now)
      if (version === limitsVersion) afterGeneration = generation ?? undefined
      else await parts.admission.release(decision.hold)
    } catch (error) {
      // No receipt will settle the reservation. A store that cannot be reached drops it when it loads the tenant again.
      if (decision.admitted) await parts.admission.release(decision.hold).catch(() => undefined)
      throw error
    }
  }
}
