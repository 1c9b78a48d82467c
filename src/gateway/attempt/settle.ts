import type { FastifyBaseLogger } from 'fastify'
import type { AdmissionStore, Pass } from '../../admission/index.js'
import type { UsageSource } from '../../ledger/index.js'
import { type Counts, costNanos, unpricedKinds, usesOfUnits } from '../../pricing/index.js'
import { billsError, readsInputsApart, type TokenCounter } from '../../providers/index.js'
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
  /** The provider answered with an error that it bills all the same. */
  isBilledError: boolean
}

const nothingUsed: CallUsage = {
  ...{ counts: {}, tier: null, costNanos: 0, source: 'counted' },
  ...{ doubt: null, isBilledError: false },
}

/**
 * The provider's own count where there is one. Otherwise our own, provided that the whole answer was seen and everything in it
 * can be counted. In every other case the call costs what was reserved for it, so that hanging up or being cut off is never cheaper.
 */
export async function countUsage(
  answer: Answer,
  attempt: Attempt,
  reserved: ReservedUse,
  tokens: TokenCounter,
): Promise<CallUsage> {
  const { usage } = answer
  const { price, isCached, provider } = attempt.reservation.target
  if (isCached) return nothingUsed
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
  const { reportedError: error } = answer
  const isBilledError = error !== null && billsError(provider.billedErrors ?? [], error)
  if (answer.seen === 'nothing' && !isBilledError) return nothingUsed
  const counted = await countAnswer(answer, attempt, reserved, tokens)
  return counted ?? { ...reserved, source: 'reserved', doubt: null, isBilledError }
}

const hasSome = (uses: object): boolean => Object.keys(uses).length > 0

// What vendors count around a text: where it begins and ends, and who speaks.
const framingTokens = 8

/**
 * Our own count: the input at its bound, as it was reserved, and the output by the texts of the answer. Null where the answer was
 * not seen to its end, or may have cost something that is not text.
 */
async function countAnswer(
  answer: Answer,
  attempt: Attempt,
  reserved: ReservedUse,
  tokens: TokenCounter,
): Promise<CallUsage | null> {
  const { call, reservation } = attempt
  const produced = answer.seen === 'whole' && isAllText(attempt) ? answer.produced() : null
  if (produced === null) return null
  const { facts } = reservation.target
  const measured = await tokens.measure(produced.texts, facts.tokenizer).catch(() => null)
  if (measured === null) return null
  const beside = (framingTokens + reservation.input.extraOutputTokens) * call.dialect.choicesOf(call.body)
  // A bound in bytes may pass the maximum that the provider was given; what was certainly said may, too, if the provider ignored it.
  const most = Math.min(measured.bound + produced.moreTokens + beside, reserved.counts.output ?? 0)
  const output = Math.max(measured.estimate + produced.moreTokens, most)
  const counts = { ...reserved.counts, output, audioOut: 0, images: 0 }
  return priced(counts, reserved.tier, attempt, answer, 'counted')
}

/** Whether the answer can have cost nothing but the text in it: no speech, no pictures, no reasoning, no hosted tools, no units. */
function isAllText({ call: { dialect, body }, reservation }: Attempt): boolean {
  const { facts, price } = reservation.target
  const media = dialect.mediaOf(body)
  return !(
    media.audio ||
    media.images ||
    (dialect.mayReason(body) ?? facts.reasons ?? true) ||
    dialect.hostedToolsOf(body).tools.length > 0 ||
    dialect.maySummarize(body) ||
    hasSome(usesOfUnits(price, reservation.input.units))
  )
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
  const cost = costNanos(price, counts, tier)
  return { counts, tier, costNanos: cost, source, doubt, isBilledError: false }
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
  if (output === 0 && (answer.produced()?.chars ?? 0) > longText) return 'no output tokens for a long answer'
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
