import { newId } from '../../db/index.js'
import {
  noPolicies,
  type PolicyDraft,
  type PolicyJudge,
  type PolicyTrial,
  type PolicyTrialResult,
  selectDraft,
} from '../../policies/index.js'
import { endpoints, type TextWalk } from '../../providers/index.js'
import type { EntryCheck } from '../../record/index.js'
import type { Entitlements } from '../../resources/keys/index.js'
import type { ApiError } from '../../shared/errors.js'
import type { Tags } from '../../shared/tags.js'
import { guard, type LocatedFinding } from '../core/index.js'
import { permitModel } from './attempt/permit-model.js'
import { type Call, readBodyObject } from './call.js'
import { makePlan, type Plan, type PlanParts } from './plan/plan.js'
import { type Reservation, type ReservationParts, reserve } from './plan/reservation.js'
import { judgeAnswerText } from './policies/judge-answer.js'
import { judgePlannedRequest } from './policies/judge-request.js'

export interface PolicyTrialParts extends PlanParts, ReservationParts {
  policies: PolicyJudge
}

/** Creates the function that tries policies: it runs every step of a call up to forwarding, without asking limits and budgets. */
export function createPolicyTrialRunner(parts: PolicyTrialParts) {
  return async (
    entitlements: Entitlements,
    trial: PolicyTrial,
    draft?: PolicyDraft,
  ): Promise<PolicyTrialResult> => {
    const call = await composeCall(trial, entitlements.key.tags, parts)
    const made = await makePlan({ call, entitlements }, parts)
    const plan = draft ? { ...made, selection: selectDraft(made.selection, draft) } : made
    const [target] = plan.attemptOptions.targets
    const reservation = await reserve({ call, entitlements, plan }, target, new Date(), parts)
    const tried = { call, entitlements, plan, reservation }
    const permission = permitModel(target, entitlements, plan.references)
    const { checks, refusal } = guard({ reservation, entitlements }, permission, 'not checked')
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
  { policies, yieldToEventLoop }: PolicyTrialParts,
): Promise<PolicyTrialResult> {
  const { body } = tried.reservation.within(null)
  const judged = await judgePlannedRequest(tried, body, {
    policies,
    yieldToEventLoop,
    isTrial: true,
  })
  const { messages }: { messages: object[] } = JSON.parse(judged.body.toString())
  return present({
    checks: [...checks, ...judged.checks()],
    refusal: judged.refusal,
    redacted: judged.redacted(),
    findings: presentFindings(judged.findings, tried.call.endpoint.texts.inRequest(body.toString())),
    messages,
  })
}

/** Judges the messages as an answer, with the output policies only. */
async function tryAnswer(
  { plan, ...rest }: TriedCall,
  trial: PolicyTrial,
  checks: EntryCheck[],
  { policies, yieldToEventLoop }: PolicyTrialParts,
): Promise<PolicyTrialResult> {
  const { call } = rest
  const onlyOutput = { ...plan, selection: { ...plan.selection, input: noPolicies } }
  const judged = await judgePlannedRequest({ ...rest, plan: onlyOutput }, call.raw, {
    policies,
    yieldToEventLoop,
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
    findings: presentFindings(answered?.findings ?? [], call.endpoint.texts.inAnswer(json, false)),
    messages: choices.map(({ message }) => message),
  })
}

async function composeCall(
  trial: PolicyTrial,
  defaultTags: Tags,
  { yieldToEventLoop }: PolicyTrialParts,
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
  const read = await readBodyObject(raw, { yieldToEventLoop })
  const labels = { session: trial.session ?? null, agent: null, tags: { ...defaultTags, ...trial.tags } }
  return {
    id: newId('req'),
    endpoint: endpoints.chat,
    raw,
    ...read,
    form: null,
    files: [],
    model,
    stream,
    headers: {},
    query: '',
    batch: null,
    ...labels,
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

/**
 * Adds paths to the findings by walking through the body a second time. The walk that judges does not keep paths, since every call would
 * pay for that.
 */
function presentFindings(findings: readonly LocatedFinding[], walk: TextWalk): PolicyTrialResult['findings'] {
  if (findings.length === 0) return []
  const wanted = new Set(findings.map(({ location }) => location?.start))
  const paths = new Map<number, string>()
  for (let text = walk.next(); text !== undefined; text = walk.next())
    if (text && wanted.has(text.start)) paths.set(text.start, pathInTrial(walk.path))
  return findings.map(({ policy, entity, start, end, replacement, location }) => ({
    policy: policy.reference,
    entity,
    path: paths.get(location?.start ?? -1) ?? null,
    start,
    end,
    replacement,
  }))
}

/** Maps a path in the composed answer back to the messages of the trial. */
function pathInTrial(path: readonly (string | number)[]): string {
  const [first, index, , ...rest] = path
  return (first === 'choices' ? ['messages', index, ...rest] : path).join('.')
}
