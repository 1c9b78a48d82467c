import { decodeInSlices } from '@tallystick/record/json'
import type { AnswerJudge, JudgedCall, PolicyJudge } from '../../../policies/index.js'
import { findToolsOffered } from '../../../providers/index.js'
import type { EntryCheck } from '../../../record/index.js'
import type { ApiError } from '../../../shared/errors.js'
import type { YieldToEventLoop } from '../../../shared/slice-queue.js'
import { type LocatedFinding, NumberedTexts } from '../../core/index.js'
import type { ReservedAttempt } from '../plan/reservation.js'
import { readFileTexts } from './file-texts.js'
import { readRequestHead } from './header-texts.js'
import { createRequestTextLookup } from './request-text-lookup.js'

/** A request after policies have judged and changed it. */
export interface JudgedRequest {
  refusal: ApiError | null
  /** The body to forward: the given bytes, except for redactions. */
  body: Buffer
  /** The headers of the caller to forward. */
  headers: Record<string, string>
  /** Judges the answer. Null when no policy applies to it. */
  judge: AnswerJudge | null
  /** Returns one check for each policy. Complete once the answer has been judged. */
  checks(): EntryCheck[]
  redacted(): boolean
  /** The findings and their positions in the given bytes. Only in a policy trial. */
  findings: readonly LocatedFinding[]
}

export interface JudgeRequestParts {
  policies: PolicyJudge
  yieldToEventLoop: YieldToEventLoop
  isTrial?: boolean
}

/** Judges the body to forward with the policies that apply to the caller. */
export async function judgePlannedRequest(
  {
    call,
    entitlements,
    plan,
    reservation,
    progress,
  }: Pick<ReservedAttempt, 'call' | 'entitlements' | 'plan' | 'reservation'> &
    Partial<Pick<ReservedAttempt, 'progress'>>,
  body: Buffer,
  { policies, yieldToEventLoop, isTrial = false }: JudgeRequestParts,
): Promise<JudgedRequest> {
  const { selection } = plan
  const { endpoint } = call
  const { target } = reservation
  const { contextWindow } = target.properties
  const headers = target.provider.pickHeaders(call.headers, { contextWindow })
  // The caller chooses the content of this header, so policies judge it like the others.
  const tracestate = progress?.trace?.tracestate ?? null
  if (tracestate !== null) headers.tracestate = tracestate
  if (selection.all.length === 0)
    return {
      refusal: null,
      body,
      headers,
      judge: null,
      checks: () => [],
      redacted: () => false,
      findings: [],
    }

  const judged: JudgedCall = {
    id: call.id,
    caller: entitlements,
    modelNames: target.names,
    model: target.model,
    provider: target.provider.name,
    dialect: endpoint.name,
    stream: call.stream,
    messages: endpoint.texts.messageCount(call.body),
    inputTokens: reservation.input.estimateTokens,
    declaredMaxOutputTokens: endpoint.maxOutputOf(call.body),
    maxOutputTokens: reservation.maxOutputTokens,
    tools: await findToolsOffered(call.body),
    tool: null,
    tags: call.tags,
    session: call.session,
    isReadable: endpoint.texts.isReadable(call.body),
    isAnswerReadable: endpoint.answerCodec?.(call.body)?.isReadable !== false,
    isTrial,
    now: new Date(),
  }
  const json = await decodeInSlices(body, yieldToEventLoop)
  const texts = new NumberedTexts(endpoint.texts.inRequest(json), [
    ...readRequestHead(headers, call.query),
    ...(await readFileTexts(call.files, yieldToEventLoop)),
  ])
  const ruling = await policies.judgeRequest(selection, judged, texts)
  const { results, changes, refusal } = ruling
  const forwarded = texts.apply(json, changes)
  const isAsked = createRequestTextLookup(() => endpoint.texts.inRequest(forwarded), forwarded.length)
  return {
    refusal,
    headers,
    body: changes.size === 0 ? body : Buffer.from(forwarded),
    judge: refusal === null ? policies.createAnswerJudge(selection, judged, ruling, isAsked) : null,
    checks: () => results.checks(),
    redacted: () => results.redacted,
    findings: ruling.findings?.map((finding) => texts.locate(finding)) ?? [],
  }
}
