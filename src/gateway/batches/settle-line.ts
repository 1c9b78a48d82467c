import type { ApiError } from '../../errors.js'
import { parseObject } from '../../json/index.js'
import type { EntryCheck, EntryOutcome, IssuedIds, ReceiptDraft } from '../../ledger/index.js'
import type { ContentCapture } from '../../modules/content/index.js'
import { costNanos, type Price } from '../../pricing/index.js'
import { cleanErrorBody, type Dialect, errorUsageOf } from '../../providers/index.js'
import { type Answer, readWholeAnswer } from '../answer.js'
import { describeIssued } from '../attempt/issued.js'
import { usageChecks } from '../attempt/receipt.js'
import { type CallUsage, countUsage } from '../attempt/settle.js'
import { CallContent } from '../content.js'
import { judgeWholeAnswer } from '../judged/answer.js'
import type { LineAnswer } from './answers.js'
import { batchTierOf } from './batch-dialect.js'
import { type JudgedLine, type JudgeLineParts, judgeLine } from './judge-line.js'
import type { LineCall } from './line-call.js'

export interface SettleLineParts extends JudgeLineParts {
  contentCapture: Pick<ContentCapture, 'termsFor' | 'add'>
}

/** What came of a line. */
export interface SettledLine {
  /** What the caller sees: an answer, or why there is none. */
  shown: { status: number; body: Buffer } | { error: ApiError } | null
  /** Changes the receipt that was prepared when the batch was made. */
  facts: Partial<ReceiptDraft>
  /** What later calls may name of the answer. */
  issued: IssuedIds | null
  /** Called once the receipt is durable. */
  keepContent(): void
}

/**
 * Judges the answer to a line by the policies of today, counts what it used, and tells what its receipt says. `draft` is the receipt
 * that was prepared for it; a line that has its receipt already is judged again for what its caller sees.
 */
export async function settleLine(
  line: LineCall,
  answered: LineAnswer,
  draft: ReceiptDraft,
  commitmentKey: Buffer | null,
  parts: SettleLineParts,
): Promise<SettledLine> {
  const { planned, shown } = line
  const terms = await parts.contentCapture.termsFor(planned.entitlements.tenantId)
  const content = terms && new CallContent(terms, planned.call, planned.entitlements)
  const received = {
    ...planned,
    content,
    ...(commitmentKey && { commitmentKey }),
    ...(draft.request !== undefined && { commitment: draft.request }),
  }
  const judged = await judgeLine(
    { ...line, planned: received },
    { reservedNanos: Number.MAX_SAFE_INTEGER, priceHash: draft.price ?? '' },
    parts,
  )
  content?.forward(judged.body, planned.entitlements)
  const answer = await judgeAnswer(judged, clean(answered, line))
  const usage = await countUsage(answer, judged.attempt, judged.reserved, parts.tokens)
  answer.release({})
  return {
    shown: shown.answer,
    facts: {
      // What was reserved then, not what would be today.
      ...(usage.source !== 'reserved' && usageFacts(usage)),
      ...outcomeFacts(outcomeOf(answer, judged), answer.status, [...judged.checks(), ...usageChecks(usage)]),
      policies: judged.attempt.plan.policies,
      ...(answer.upstreamModel !== null && { upstream: answer.upstreamModel }),
      ...(answer.commitment !== null && { response: answer.commitment }),
      ...(content !== null && { content: content.mode }),
    },
    issued: describeIssued(answer, judged.attempt),
    keepContent: () => content?.keep(answer, 1, parts.contentCapture),
  }
}

/** What was refused meanwhile is paid for all the same, and not shown. */
async function judgeAnswer({ attempt, judged, refusal }: JudgedLine, answered: LineAnswer): Promise<Answer> {
  const head = { status: answered.status, headers: { 'content-type': 'application/json' } }
  if (refusal !== null) {
    const answer = readWholeAnswer(attempt, head, answered.body)
    return {
      ...answer,
      ...{ outcome: 'blocked', status: refusal.status, error: refusal, commitment: null, sent: null },
      release: () => attempt.caller.sendError(refusal, {}),
    }
  }
  return judged.judge === null
    ? readWholeAnswer(attempt, head, answered.body)
    : await judgeWholeAnswer(attempt, head, answered.body, judged.judge)
}

const outcomeOf = ({ outcome }: Answer, { judged }: JudgedLine): EntryOutcome =>
  outcome === 'ok' && judged.redacted() ? 'redacted' : outcome

function clean({ status, body }: LineAnswer, { planned, target }: LineCall): LineAnswer {
  if (status < 400) return { status, body }
  const cleaned = cleanErrorBody(body, status, target.provider.name, planned.call.dialect, undefined)
  return { status, body: cleaned ?? body }
}

/** Of a line whose key or model is gone, so that nobody may see its answer: what the provider billed. */
export function settleUnseen(
  answered: LineAnswer,
  dialect: Dialect,
  price: Price,
  body: Buffer,
): Partial<ReceiptDraft> {
  const content = parseObject(answered.body.toString())
  const request = parseObject(body.toString()) ?? {}
  const isError = answered.status >= 300
  const usage = isError
    ? errorUsageOf(dialect, content, request)
    : content && dialect.usageOf(content, request)
  const ended = { outcome: 'aborted' as const, status: 499 }
  if (isError && usage === null) return { ...usageFacts(nothing), ...ended }
  // Without a count, what was reserved stands.
  if (!usage?.hasOutput) return ended
  const tier = batchTierOf(price)
  const { counts } = usage
  return {
    ...usageFacts({
      counts,
      tier,
      costNanos: costNanos(price, counts, tier),
      source: 'provider',
    }),
    ...ended,
  }
}

type UsedByLine = Pick<CallUsage, 'counts' | 'tier' | 'costNanos' | 'source'>

const nothing: UsedByLine = { counts: {}, tier: null, costNanos: 0, source: 'counted' }

const usageFacts = ({ counts, tier, costNanos: cost, source }: UsedByLine): Partial<ReceiptDraft> => ({
  inputTokens: counts.input ?? 0,
  outputTokens: counts.output ?? 0,
  cachedTokens: counts.cached ?? 0,
  costNanos: cost,
  counts,
  usage: source,
  ...(tier !== null && { tier }),
})

const outcomeFacts = (
  outcome: EntryOutcome,
  status: number,
  checks: EntryCheck[],
): Partial<ReceiptDraft> => ({
  outcome,
  status,
  checks,
})
