import type { AdmissionStore } from '../../limits/index.js'
import { cleanErrorBody } from '../../providers/index.js'
import type { Ledger } from '../../record/index.js'
import { endAttempt } from '../core/index.js'
import { type Answer, hideAnswer, readWholeAnswer } from '../model/answer.js'
import { CallContent } from '../model/content.js'
import { judgeWholeAnswer } from '../model/policies/judge-answer.js'
import type { LineAnswer } from './line-answers.js'
import type { LineAttempt, LineCaller, OpenedLine } from './line-attempt.js'
import { type JudgedLine, judgeLine, type LineKind, type LineKindParts } from './line-kind.js'

export interface SettleLineParts extends LineKindParts {
  admission: AdmissionStore
  ledger: Pick<Ledger, 'append'>
  now(): number
}

/** Replaces the ledger for a line that already has its receipt. */
const alreadyRecorded: Pick<Ledger, 'append'> = { append: async () => ({ seq: null }) }

/**
 * Judges the answer to a line by the current policies, counts its usage and records it. Returns the answer or error for the caller. Throws
 * when the receipt could not be made durable; the whole step is then repeated.
 */
export async function settleLine(
  line: LineAttempt,
  answered: LineAnswer,
  opened: OpenedLine,
  kind: LineKind,
  parts: SettleLineParts,
): Promise<LineCaller['answer']> {
  const { call, entitlements } = line
  const { draft, commitmentKey } = opened.line ?? {}
  const capture = await parts.contentCapture.settingsFor(entitlements.tenantId)
  const content = capture && new CallContent(capture, call, entitlements)
  const resumed = {
    ...line,
    content,
    ...(commitmentKey && { commitmentKey }),
    ...(draft?.request !== undefined && { commitment: draft.request }),
  }
  const judged = await judgeLine(resumed, opened, kind)
  const { attempt, checks } = judged
  content?.forward(attempt.grant.body, entitlements)
  const answer = await readAnswer(judged, answered)
  const ledger = opened.line === null ? alreadyRecorded : parts.ledger
  const { fault } = await endAttempt(kind, attempt, { checks: checks(), answer }, { ...parts, ledger })
  if (fault !== null) throw fault
  return attempt.caller.answer
}

/** Reads the answer. A line that is refused by now is still paid for, but its answer is hidden. */
async function readAnswer({ attempt, judged, refusal }: JudgedLine, answered: LineAnswer): Promise<Answer> {
  const { status } = answered
  const { call, target } = attempt
  const cleaned =
    status < 400
      ? null
      : cleanErrorBody(answered.body, status, target.provider.name, call.endpoint, undefined)
  const body = cleaned ?? answered.body
  const head = { status, headers: { 'content-type': 'application/json' } }
  if (refusal !== null) return hideAnswer(attempt, readWholeAnswer(attempt, head, body), refusal, 'blocked')
  const answer =
    judged.judge === null
      ? readWholeAnswer(attempt, head, body)
      : await judgeWholeAnswer(attempt, head, body, judged.judge)
  if (answer.outcome === 'ok' && judged.redacted()) answer.outcome = 'redacted'
  return answer
}
