import { newId } from '../db/index.js'
import type { ApiError } from '../errors.js'
import type { PlacedFinding } from '../governed/index.js'
import type { EntryCheck } from '../ledger/index.js'
import type { Entitlements } from '../modules/keys/index.js'
import {
  noPolicies,
  type PolicyDraft,
  type PolicyJudge,
  type PolicyTrial,
  type PolicyTrialResult,
  selectDraft,
} from '../modules/policies/index.js'
import { dialects, type TextWalk } from '../providers/index.js'
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
  return async (
    entitlements: Entitlements,
    trial: PolicyTrial,
    draft?: PolicyDraft,
  ): Promise<PolicyTrialResult> => {
    const call = await composeCall(trial, entitlements.key.tags, parts)
    const made = await makePlan({ call, entitlements }, parts)
    const plan = draft ? { ...made, selection: selectDraft(made.selection, draft) } : made
    const [target] = plan.course.targets
    const reservation = await reserve({ call, entitlements, plan }, target, new Date(), parts)
    const tried = { call, entitlements, plan, reservation }
    const { checks, refusal } = guard(reservation, entitlements, plan.references, 'not asked')
    if (refusal) return present({ checks, refusal, redacted: false, findings: [], messages: trial.messages })
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
  const { body } = tried.reservation.within(null)
  const judged = await judgePlannedRequest(tried, body, {
    policies,
    waitForTurn,
    isTrial: true,
  })
  const { messages }: { messages: object[] } = JSON.parse(judged.body.toString())
  return present({
    checks: [...checks, ...judged.checks()],
    refusal: judged.refusal,
    redacted: judged.redacted(),
    findings: presentFindings(judged.findings, tried.call.dialect.texts.inRequest(body.toString())),
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
    findings: presentFindings(answered?.findings ?? [], call.dialect.texts.inAnswer(json, false)),
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
  const filing = { session: trial.session ?? null, agent: null, tags: { ...defaultTags, ...trial.tags } }
  return {
    id: newId('req'),
    dialect: dialects.chat,
    raw,
    ...read,
    form: null,
    files: [],
    model,
    stream,
    headers: {},
    query: '',
    batch: null,
    ...filing,
  }
}

function present(result: {
  checks: EntryCheck[]
  refusal: ApiError | null
  redacted: boolean
  findings: PolicyTrialResult['findings']
  messages: object[]
}): PolicyTrialResult {
  const { checks, refusal, redacted, findings, messages } = result
  const outcome = refusal ? 'blocked' : redacted ? 'redacted' : 'ok'
  return { outcome, error: refusal?.toBody().error ?? null, checks, findings, messages }
}

/** By a second walk through the body: the one that judges, which every call pays for, keeps no paths. */
function presentFindings(findings: readonly PlacedFinding[], walk: TextWalk): PolicyTrialResult['findings'] {
  if (findings.length === 0) return []
  const wanted = new Set(findings.map(({ place }) => place?.start))
  const paths = new Map<number, string>()
  for (let place = walk.next(); place !== undefined; place = walk.next())
    if (place && wanted.has(place.start)) paths.set(place.start, pathInTrial(walk.path))
  return findings.map(({ policy, entity, start, end, replacement, place }) => ({
    policy: policy.reference,
    entity,
    path: paths.get(place?.start ?? -1) ?? null,
    start,
    end,
    replacement,
  }))
}

/** A message of the trial is a choice of the answer that is made of it. */
function pathInTrial(path: readonly (string | number)[]): string {
  const [first, index, , ...rest] = path
  return (first === 'choices' ? ['messages', index, ...rest] : path).join('.')
}
