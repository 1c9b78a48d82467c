import { newId } from '../db/index.js'
import type { ApiError } from '../errors.js'
import type { EntryCheck } from '../ledger/index.js'
import type { Entitlements } from '../modules/keys/index.js'
import {
  noPolicies,
  type PolicyJudge,
  type PolicyTrial,
  type PolicyTrialResult,
} from '../modules/policies/index.js'
import { dialects } from '../providers/index.js'
import type { Tags } from '../tags.js'
import { guard } from './attempt/guard.js'
import { type Call, readBodyObject } from './call.js'
import { judgeAnswerText } from './judged/answer.js'
import { judgePlannedRequest } from './judged/request.js'
import { makePlan, type Plan, type PlanParts } from './plan/plan.js'
import { type Reservation, type ReservationParts, reserve } from './plan/reservation.js'

export interface EvaluateParts extends PlanParts, ReservationParts {
  policies: PolicyJudge
}

/** A dry run: what the gateway does with a call up to the point where it would be sent, without asking limits and budgets. */
export function createEvaluator(parts: EvaluateParts) {
  return async (entitlements: Entitlements, trial: PolicyTrial): Promise<PolicyTrialResult> => {
    const call = await composeCall(trial, entitlements.key.tags, parts)
    const plan = await makePlan({ call, entitlements }, parts)
    const [target] = plan.targets
    const reservation = await reserve({ call, entitlements, plan }, target, new Date(), parts)
    const tried = { call, entitlements, plan, reservation }
    const { checks, refusal } = guard(reservation, entitlements, 'not asked')
    if (refusal) return present({ checks, refusal, redacted: false, messages: trial.messages })
    return trial.phase === 'output'
      ? await tryAnswer(tried, trial, checks, parts)
      : await tryRequest(tried, checks, parts)
  }
}

interface TriedCall {
  call: Call
  entitlements: Entitlements
  plan: Plan
  reservation: Reservation
}

async function tryRequest(
  tried: TriedCall,
  checks: EntryCheck[],
  { policies, waitForTurn }: EvaluateParts,
): Promise<PolicyTrialResult> {
  const judged = await judgePlannedRequest(tried, tried.reservation.within(null).body, {
    policies,
    waitForTurn,
    isTrial: true,
  })
  const { messages }: { messages: object[] } = JSON.parse(judged.body.toString())
  return present({
    checks: [...checks, ...judged.checks()],
    refusal: judged.refusal,
    redacted: judged.redacted(),
    messages,
  })
}

/** Only the policies for answers are asked. */
async function tryAnswer(
  { plan, ...rest }: TriedCall,
  trial: PolicyTrial,
  checks: EntryCheck[],
  { policies, waitForTurn }: EvaluateParts,
): Promise<PolicyTrialResult> {
  const { call } = rest
  const onlyOutput = { ...plan, selection: { ...plan.selection, input: noPolicies } }
  const judged = await judgePlannedRequest({ ...rest, plan: onlyOutput }, call.raw, {
    policies,
    waitForTurn,
    isTrial: true,
  })
  const answer = { choices: trial.messages.map((message, index) => ({ index, message })) }
  const json = JSON.stringify(answer)
  const answered = judged.judge && (await judgeAnswerText(call, json, answer, judged.judge))
  const { choices }: typeof answer = JSON.parse(answered?.json ?? json)
  return present({
    checks: [...checks, ...judged.checks()],
    refusal: judged.refusal ?? answered?.refusal ?? null,
    redacted: judged.redacted(),
    messages: choices.map(({ message }) => message),
  })
}

async function composeCall(
  trial: PolicyTrial,
  defaultTags: Tags,
  { waitForTurn }: EvaluateParts,
): Promise<Call> {
  const { model, messages, tools, maxOutputTokens, stream = false } = trial
  const body = {
    model,
    messages: trial.phase === 'output' ? [] : messages,
    ...(tools && { tools }),
    ...(maxOutputTokens !== undefined && { max_completion_tokens: maxOutputTokens }),
    ...(stream && { stream }),
  }
  const raw = Buffer.from(JSON.stringify(body))
  const read = await readBodyObject(raw, { waitForTurn })
  const filing = { session: trial.session ?? null, tags: { ...defaultTags, ...trial.tags } }
  return { id: newId('req'), dialect: dialects.chat, raw, ...read, model, stream, headers: {}, ...filing }
}

function present(result: {
  checks: EntryCheck[]
  refusal: ApiError | null
  redacted: boolean
  messages: object[]
}): PolicyTrialResult {
  const { checks, refusal, redacted, messages } = result
  const outcome = refusal ? 'blocked' : redacted ? 'redacted' : 'ok'
  return { outcome, error: refusal?.toBody().error ?? null, checks, messages }
}
