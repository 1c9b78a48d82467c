import type { AdmissionStore, Admitted, Refused, RefusedBySpend } from '../../admission/index.js'
import type { ApiError } from '../../errors.js'
import { toApiError } from '../../http/index.js'
import type { OpenCalls } from '../../ledger/index.js'
import type { ArrivedCall, DecidedCall } from '../decided-call.js'
import { makePlan, type PlanParts } from '../plan/plan.js'
import { writeInterrupted } from './receipt.js'

export interface AdmitParts extends PlanParts {
  admission: AdmissionStore
  openCalls: OpenCalls
}

/** What limits and budgets said to a call. */
export interface Admission {
  decided: DecidedCall
  decision: Admitted | Refused | RefusedBySpend
  /** Why a call that was admitted cannot be forwarded all the same. */
  fault: ApiError | null
}

/**
 * Limits and budgets, all or none; then the call is noted where no death of this process can hide it. It starts anew
 * when the day has changed under it, and when the limits were built anew before it was noted: they may not know of it.
 */
export async function admit(arrived: ArrivedCall, parts: AdmitParts): Promise<Admission> {
  const { call, entitlements } = arrived
  const request = { tenantId: entitlements.tenantId, callId: call.id }
  let now = new Date()
  let afterGeneration: number | null = null
  for (;;) {
    const plan = await makePlan(call, entitlements, now, parts)
    const { claims, spend } = plan
    const decided = { ...arrived, plan }
    const decision = await parts.admission.admit({
      ...request,
      claims,
      spend,
      ...(afterGeneration !== null && { afterGeneration }),
    })
    if (!decision.admitted) {
      if (decision.reason !== 'period') return { decided, decision, fault: null }
      now = new Date(decision.atMs)
      continue
    }
    const { generation } = decision
    const receipt = writeInterrupted(decided, decision)
    const accounts = spend?.claims.map((claim) => claim.account) ?? []
    try {
      const opened = await parts.openCalls.open({ receipt, generation, accounts })
      if (opened) return { decided, decision, fault: null }
    } catch (error) {
      return { decided, decision, fault: toApiError(error) }
    }
    afterGeneration = generation
  }
}
