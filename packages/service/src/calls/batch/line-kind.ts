import type { PolicyJudge } from '../../policies/index.js'
import type { TokenCounter } from '../../providers/index.js'
import type { EntryCheck } from '../../record/index.js'
import type { ContentCapture } from '../../resources/content/index.js'
import { ApiError, unavailable } from '../../shared/errors.js'
import { type AdmissionSteps, type AnswerSteps, budgetExceeded, type EndSteps, guard } from '../core/index.js'
import { countUsage } from '../model/attempt/count-usage.js'
import { permitModel } from '../model/attempt/permit-model.js'
import { writeInterrupted } from '../model/attempt/receipt.js'
import { explainRequiredOutput, type ReservationParts, reserve } from '../model/plan/reservation.js'
import { type JudgedRequest, judgePlannedRequest } from '../model/policies/judge-request.js'
import type { AdmittedLine, LineAttempt, LineTypes, OpenedLine } from './line-attempt.js'
import { writeLineReceipt } from './line-receipt.js'

export interface LineKindParts extends ReservationParts {
  tokens: TokenCounter
  policies: PolicyJudge
  contentCapture: Pick<ContentCapture, 'settingsFor' | 'add'>
}

/** The steps for lines of batches. No caller waits for a line, so the steps of receiving and delivering are missing. */
export type LineKind = AdmissionSteps<LineTypes> & Pick<AnswerSteps<LineTypes>, 'judge'> & EndSteps<LineTypes>

/**
 * The call kind of lines of batches: model calls whose steps run at different times and possibly in different processes. All lines are
 * admitted when the batch is created, guarded when it is sent, and guarded again when the provider has answered.
 */
export const createLineKind = (parts: LineKindParts): LineKind => ({
  priceOf: ({ target }) => target.price,
  reserve: ({ call, plan, target }, entitlements, now) =>
    reserve({ call, entitlements, plan }, target, now, parts),
  grant: (reservation, nanos) => reservation.within(nanos),
  writeInterrupted,
  // Lines do not claim from rate limits.
  createRateLimitError: () => unavailable('The limits cannot be checked at the moment', undefined, 'limits'),
  createBudgetError: ({ reservation }, decision) =>
    budgetExceeded(decision, reservation, explainRequiredOutput(reservation)),
  permit: ({ target, entitlements, plan }) => permitModel(target, entitlements, plan.references),

  async judge(attempt) {
    const { grant, opened } = attempt
    const judged = await judgePlannedRequest(attempt, grant.body, parts)
    const changed = judged.body === grant.body ? grant : await grant.replaceBody(judged.body)
    if (changed !== null) attempt.grant = { ...grant, ...changed }
    const isPaid = changed !== null && changed.reserved.costNanos <= (opened?.reservedNanos ?? 0)
    return judged.refusal === null && !isPaid ? { ...judged, refusal: tooExpensive } : judged
  },

  countUsage: (attempt, answer) => countUsage(answer, attempt, attempt.grant, parts.tokens),
  writeReceipt: writeLineReceipt,
  onSettleFailed: () => undefined,
  onFinished({ attempt, answer, fault }) {
    answer.release({})
    if (fault === null) attempt.content?.keep(answer, attempt.number, parts.contentCapture)
  },
})

const tooExpensive = new ApiError(
  'budget_exceeded',
  'This line may now cost more than was reserved for it when the batch was created',
)

/** A line after judgement, or the reason why it is not sent. */
export interface JudgedLine {
  attempt: AdmittedLine
  refusal: ApiError | null
  /** Complete once the answer has been judged. */
  checks(): EntryCheck[]
  judged: JudgedRequest
}

/**
 * Checks a line against the current entitlements, allowlists and policies. A line that may now cost more than was reserved when the batch
 * was created is refused.
 */
export async function judgeLine(line: LineAttempt, opened: OpenedLine, kind: LineKind): Promise<JudgedLine> {
  const reservation = await kind.reserve(line, line.entitlements, new Date())
  const attempt: AdmittedLine = {
    ...line,
    opened,
    reservation,
    priceHash: opened.line?.draft.price ?? '',
    grant: kind.grant(reservation, null),
    hold: null,
    admittedAtMs: Date.parse(opened.line?.draft.ts ?? ''),
    grantedNanos: null,
  }
  const { checks, refusal } = guard(attempt, kind.permit(attempt), { overBudget: null })
  const judged = await kind.judge(attempt)
  return {
    attempt,
    refusal: refusal ?? judged.refusal,
    checks: () => [...checks, ...judged.checks()],
    judged,
  }
}
