import { ApiError } from '../../errors.js'
import type { EntryCheck } from '../../ledger/index.js'
import type { PolicyJudge } from '../../modules/policies/index.js'
import { guard } from '../attempt/guard.js'
import { type JudgedRequest, judgePlannedRequest } from '../judged/request.js'
import type { ReservedUse } from '../plan/bounds.js'
import { type Attempt, reserve } from '../plan/reservation.js'
import type { LineCall, LineParts } from './line-call.js'

export interface JudgeLineParts extends LineParts {
  policies: PolicyJudge
}

/** A line as it goes out, or why it does not. */
export interface JudgedLine {
  attempt: Attempt
  refusal: ApiError | null
  body: Buffer
  reserved: ReservedUse
  /** Complete once the answer is judged. */
  checks(): EntryCheck[]
  judged: JudgedRequest
}

/**
 * Judges a line by what holds now: the caller, its models, its policies. What goes out is never dearer than what was reserved for it when
 * the batch was made, `reservedNanos`.
 */
export async function judgeLine(
  { planned, target }: LineCall,
  { reservedNanos, priceHash }: { reservedNanos: number; priceHash: string },
  parts: JudgeLineParts,
): Promise<JudgedLine> {
  const reservation = await reserve(planned, target, new Date(), parts)
  const attempt: Attempt = { ...planned, number: 1, reservation, priceHash }
  const { entitlements, plan } = planned
  const { checks, refusal } = guard(reservation, entitlements, plan.references, { overBudget: null })
  const granted = reservation.within(null)
  const judged = await judgePlannedRequest(attempt, granted.body, parts)
  const changed = judged.body === granted.body ? granted : await granted.replaceBody(judged.body)
  const isPaid = changed !== null && changed.reserved.costNanos <= reservedNanos
  return {
    attempt,
    refusal: refusal ?? judged.refusal ?? (isPaid ? null : unpaid),
    body: (changed ?? granted).body,
    reserved: (changed ?? granted).reserved,
    checks: () => [...checks, ...judged.checks()],
    judged,
  }
}

const unpaid = new ApiError(
  'budget_exceeded',
  'This line may now cost more than what was reserved for it when the batch was made',
)
