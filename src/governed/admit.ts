import type {
  AdmissionStore,
  Admitted,
  Claim,
  Refused,
  RefusedBySpend,
  SpendRequest,
} from '../admission/index.js'
import type { ApiError } from '../errors.js'
import { toApiError } from '../http/index.js'
import type { NewReceipt, OpenCalls } from '../ledger/index.js'
import type { SpendLimits } from '../modules/budgets/index.js'
import type { Entitlements } from '../modules/keys/index.js'
import type { Tags } from '../tags.js'

/** What must be admitted before a call is forwarded. */
export interface Demand {
  claims: readonly Claim[]
  spend: SpendRequest | null
  /** Of the limits that `spend` claims from. */
  limitsVersion: number
}

export interface AdmitParts {
  admission: AdmissionStore
  openCalls: Pick<OpenCalls, 'open'>
  spendLimits: SpendLimits
  /** What the key may use and the limits on it as the database has them now. Throws when the key was revoked meanwhile. */
  renewLimits(entitlements: Entitlements): Promise<Entitlements>
}

/** A call that wants to be admitted. */
export interface Applicant<D extends Demand> {
  /** Of the attempt. */
  id: string
  entitlements: Entitlements
  filing: { session: string | null; tags: Tags }
  /** `now` decides which period of a budget applies. */
  demand(entitlements: Entitlements, now: Date): Promise<D>
  /** What is recorded if this process dies before the call has ended. */
  writeInterrupted(demanded: D, entitlements: Entitlements, decision: Admitted): NewReceipt
}

/** The decision of limits and budgets. */
export interface Admission<D extends Demand> {
  /** As they are now. */
  entitlements: Entitlements
  demanded: D
  decision: Admitted | Refused | RefusedBySpend
  /** Why a call that was admitted cannot be forwarded after all. */
  fault: ApiError | null
}

/**
 * Limits and budgets, all or none. Then the call is written to the database as under way, so that a death of this
 * process cannot hide it. Starts over when the day has changed meanwhile, and when limits were changed or their state was
 * rebuilt before the call was written: that state may not include it.
 */
export async function admitCall<D extends Demand>(
  { id, filing, demand, writeInterrupted, ...applicant }: Applicant<D>,
  parts: AdmitParts,
): Promise<Admission<D>> {
  let { entitlements } = applicant
  const request = { tenantId: entitlements.tenantId, callId: id }
  let now = new Date()
  let afterGeneration: number | null = null
  for (;;) {
    const demanded = await demand(entitlements, now)
    const { claims, spend, limitsVersion } = demanded
    const decision = await parts.admission.admit({
      ...request,
      claims,
      spend,
      ...(afterGeneration !== null && { afterGeneration }),
    })
    if (!decision.admitted) {
      if (decision.reason !== 'period') return { entitlements, demanded, decision, fault: null }
      now = new Date(decision.atMs)
      continue
    }
    const { generation } = decision
    const receipt = writeInterrupted(demanded, entitlements, decision)
    try {
      const opened = await parts.openCalls.open({ receipt, generation, limitsVersion })
      if (opened) return { entitlements, demanded, decision, fault: null }
    } catch (error) {
      return { entitlements, demanded, decision, fault: toApiError(error) }
    }
    entitlements = await parts.renewLimits(entitlements)
    const { version } = await parts.spendLimits.limitsFor(entitlements, filing, now)
    if (version === limitsVersion) afterGeneration = generation
    else await parts.admission.release(decision.pass)
  }
}
