import type { ApiError } from '../../errors.js'
import { NumberedTexts, type PlacedFinding } from '../../governed/index.js'
import { decodeInTurns } from '../../json/index.js'
import type { EntryCheck } from '../../ledger/index.js'
import type { AnswerJudge, JudgedCall, PolicyJudge } from '../../modules/policies/index.js'
import { findToolsOffered } from '../../providers/index.js'
import type { WaitForTurn } from '../../turns.js'
import type { Attempt } from '../plan/reservation.js'
import { createAskedTexts } from './asked-texts.js'
import { readFileTexts } from './file-texts.js'
import { readRequestHead } from './header-texts.js'

/** A request after its policies. */
export interface JudgedRequest {
  refusal: ApiError | null
  /** What to forward: the given bytes, except for what was redacted. */
  body: Buffer
  /** Those of the caller's that go with it. */
  headers: Record<string, string>
  /** Judges the answer. Null when no policy does. */
  judge: AnswerJudge | null
  /** One for each policy; complete once the answer is judged. */
  checks(): EntryCheck[]
  redacted(): boolean
  /** Of a dry run: what was found in it, and where it stands in the given bytes. */
  findings: readonly PlacedFinding[]
}

export interface JudgeRequestParts {
  policies: PolicyJudge
  waitForTurn: WaitForTurn
  isTrial?: boolean
}

/** Judges what would be forwarded by the policies that apply to the caller. */
export async function judgePlannedRequest(
  {
    call,
    entitlements,
    plan,
    reservation,
    progress,
  }: Pick<Attempt, 'call' | 'entitlements' | 'plan' | 'reservation'> & Partial<Pick<Attempt, 'progress'>>,
  body: Buffer,
  { policies, waitForTurn, isTrial = false }: JudgeRequestParts,
): Promise<JudgedRequest> {
  const { selection } = plan
  const { dialect } = call
  const { target } = reservation
  const { contextWindow } = target.facts
  const headers = target.provider.pickHeaders(call.headers, { contextWindow })
  // The caller's own words, in a header that is passed on: judged like the others.
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
    dialect: dialect.name,
    stream: call.stream,
    messages: dialect.texts.messageCount(call.body),
    inputTokens: reservation.input.estimateTokens,
    declaredMaxOutputTokens: dialect.maxOutputOf(call.body),
    maxOutputTokens: reservation.maxOutputTokens,
    tools: await findToolsOffered(call.body),
    tool: null,
    tags: call.tags,
    session: call.session,
    isReadable: dialect.texts.isReadable(call.body),
    isAnswerReadable: dialect.answerForm?.(call.body)?.isReadable !== false,
    isTrial,
    now: new Date(),
  }
  const json = await decodeInTurns(body, waitForTurn)
  const texts = new NumberedTexts(dialect.texts.inRequest(json), [
    ...readRequestHead(headers, call.query),
    ...(await readFileTexts(call.files, waitForTurn)),
  ])
  const ruling = await policies.judgeRequest(selection, judged, texts)
  const { results, changes, refusal } = ruling
  const forwarded = texts.apply(json, changes)
  const isAsked = createAskedTexts(() => dialect.texts.inRequest(forwarded), forwarded.length)
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
