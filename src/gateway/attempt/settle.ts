import type { FastifyBaseLogger } from 'fastify'
import type { AdmissionStore, Pass } from '../../admission/index.js'
import type { UsageSource } from '../../ledger/index.js'
import { type Counts, costNanos, unpricedKinds, usesOfUnits } from '../../pricing/index.js'
import { readsInputsApart, type TokenCounter } from '../../providers/index.js'
import type { Answer } from '../answer.js'
import type { ReservedUse } from '../plan/bounds.js'
import type { Attempt } from '../plan/reservation.js'

/** What a call used, what that costs, and how that is known. */
export interface CallUsage {
  counts: Counts
  tier: string | null
  costNanos: number
  source: UsageSource
  /** Why the provider's count cannot be right, or is not priced as it is; null when nothing speaks against it. */
  doubt: string | null
}

const nothingUsed: CallUsage = { counts: {}, tier: null, costNanos: 0, source: 'counted', doubt: null }

/**
 * The provider's own count where there is one. Else our own, of what went in and what came out, where all of it was seen. What
 * the provider may have produced unseen is taken for all that was reserved: to hang up, or to be cut off, is never cheaper.
 */
export async function countUsage(
  answer: Answer,
  attempt: Attempt,
  reserved: ReservedUse,
  tokens: TokenCounter,
): Promise<CallUsage> {
  const { usage, seen } = answer
  if (attempt.reservation.target.isCached) return nothingUsed
  const { price } = attempt.reservation.target
  // The request decided it, and policies may have changed that before it was reserved for.
  if (usage?.units === 'asked') {
    const counts = { ...usage.counts, tools: reserved.counts.tools ?? {} }
    return priced(counts, usage.tier, attempt, answer, 'counted')
  }
  const uses = usesOfUnits(price, usage?.units ?? [])
  if (usage && (usage.hasOutput || hasSome(uses)))
    return priced(
      { ...usage.counts, tools: { ...usage.counts.tools, ...uses } },
      usage.tier,
      attempt,
      answer,
      'provider',
    )
  if (seen === 'nothing') return nothingUsed
  const all: CallUsage = { ...reserved, source: 'reserved', doubt: null }
  const isPaidByUnits = hasSome(usesOfUnits(price, attempt.reservation.input.units))
  if (seen === 'unseen' || isPaidByUnits || mayHaveMore(answer, attempt)) return all
  const { call, reservation } = attempt
  const { tokenizer } = reservation.target.facts
  const { texts, moreTokens } = answer.produced()
  const produced = await tokens.measure(texts, tokenizer).catch(() => null)
  if (produced === null) return all
  const { estimateTokens, boundTokens } = reservation.input
  const isWhole = seen === 'whole'
  const counts = {
    input: isWhole ? estimateTokens : boundTokens,
    ...usage?.counts,
    output: (isWhole ? produced.estimate : produced.bound) + moreTokens,
  }
  const [, asked = null] = call.dialect.tiersOf(call.body)
  const tier = usage ? usage.tier : asked
  return priced(counts, tier, attempt, answer, 'counted')
}

const hasSome = (uses: object): boolean => Object.keys(uses).length > 0

/** Of an answer that was cut short nobody knows what else there was; of a whole one only whether the model thought unseen. */
function mayHaveMore({ seen }: Answer, { call, reservation }: Attempt): boolean {
  const { dialect, body } = call
  const { reasons } = reservation.target.facts
  const usesTools = dialect.hostedToolsOf(body).tools.length > 0 || dialect.maySummarize(body)
  if (seen === 'whole') return usesTools || (dialect.mayReason(body) ?? reasons ?? false)
  return usesTools || (dialect.mayReason(body) ?? reasons ?? true)
}

function priced(
  counted: Counts,
  tier: string | null,
  attempt: Attempt,
  answer: Answer,
  source: UsageSource,
): CallUsage {
  const { price, facts } = attempt.reservation.target
  const isAnswered = answer.seen !== 'nothing'
  const tools = { ...(isAnswered && facts.usesPerCall), ...counted.tools }
  const counts = { ...counted, tools }
  const doubt = source === 'provider' ? doubtOf(counts, tier, attempt, answer) : null
  return { counts, tier, costNanos: costNanos(price, counts, tier), source, doubt }
}

// A text as long as this has tokens, by any count.
const longText = 200

function doubtOf(counts: Counts, tier: string | null, attempt: Attempt, answer: Answer): string | null {
  const { call, reservation } = attempt
  const { price, facts } = reservation.target
  const { input = 0, output = 0 } = counts
  const window = facts.contextWindow
  const goesRound =
    call.dialect.hostedToolsOf(call.body).tools.length > 0 ||
    call.dialect.maySummarize(call.body) ||
    readsInputsApart(call.dialect.name)
  if (window !== null && input > window && !goesRound)
    return `${input} input tokens are more than its context window of ${window}`
  const isPaidByTokens = price.rates.input > 0
  if (isPaidByTokens && input === 0 && reservation.input.estimateTokens > longText)
    return 'no input tokens for a long request'
  if (output === 0 && answer.produced().chars > longText) return 'no output tokens for a long answer'
  const unpriced = unpricedKinds(price, counts, tier)
  return unpriced.length === 0
    ? null
    : `its price does not name ${unpriced.join(', ')}; the dearest was taken`
}

/** A store that cannot be reached must not cost the call its receipt: what was reserved lapses with its window. */
export async function settle(
  pass: Pass,
  { input = 0, output = 0 }: Counts,
  admission: AdmissionStore,
  log: FastifyBaseLogger,
): Promise<void> {
  try {
    await admission.settle(pass, { tokens: input + output })
  } catch (error) {
    log.error(
      { err: error },
      'a call could not be settled: what was reserved for it counts until its minute is over',
    )
  }
}
