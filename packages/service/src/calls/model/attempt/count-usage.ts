import { type Counts, costNanos, unpricedKinds, usesOfUnits } from '@tallystick/record/pricing'
import { billsError, type TokenCounter } from '../../../providers/index.js'
import type { UsageSource } from '../../../record/index.js'
import type { Answer } from '../answer.js'
import type { ReservedUsage } from '../plan/call-bounds.js'
import type { GrantedCall, ReservedAttempt } from '../plan/reservation.js'

/** The usage and cost of a call, and where the figures come from. */
export interface CallUsage {
  counts: Counts
  tier: string | null
  costNanos: number
  source: UsageSource
  /** Why the reported usage is flagged: it is implausible or not fully priced. Null when it is neither. */
  doubt: string | null
  /** Whether the provider answered with an error that it bills. */
  isBilledError: boolean
}

const nothingUsed: CallUsage = {
  counts: {},
  tier: null,
  costNanos: 0,
  source: 'counted',
  doubt: null,
  isBilledError: false,
}

/**
 * Returns the usage that the provider reported. Without a report it is counted here, if the whole answer was received and all of it can
 * be counted. Otherwise the call costs what was reserved for it, so that disconnecting never makes a call cheaper.
 */
export async function countUsage(
  answer: Answer,
  attempt: ReservedAttempt,
  grant: Pick<GrantedCall, 'reserved' | 'countReserved'>,
  tokens: TokenCounter,
): Promise<CallUsage> {
  const { usage } = answer
  const { price, isCached, provider } = attempt.reservation.target
  if (isCached) return nothingUsed
  // The request determines these counts, and policies may have changed it, so the reserved ones are used.
  if (usage?.units === 'as reserved') {
    const counts = { ...usage.counts, tools: grant.reserved.counts.tools ?? {} }
    return priced(counts, usage.tier, attempt, answer, 'counted')
  }
  const uses = usesOfUnits(price, usage?.units ?? [])
  if (usage && (usage.hasOutput || hasSome(uses))) {
    const counts = hasSome(uses)
      ? { ...usage.counts, tools: { ...usage.counts.tools, ...uses } }
      : usage.counts
    return priced(counts, usage.tier, attempt, answer, 'provider')
  }
  const { reportedError: error } = answer
  const isBilledError = error !== null && billsError(provider.billedErrors ?? [], error)
  if (answer.received === 'nothing' && !isBilledError) return nothingUsed
  const reserved = await grant.countReserved()
  const counted = await countAnswer(answer, attempt, reserved, tokens)
  return counted ?? { ...reserved, source: 'reserved', doubt: null, isBilledError }
}

const hasSome = (uses: object): boolean => Object.keys(uses).length > 0

// Tokens that vendors add around a text, for its start, its end and the role.
const framingTokens = 8

/**
 * Counts the usage here: the input at the reserved bound, and the output from the texts of the answer. Null when the answer is incomplete
 * or may have cost something other than text.
 */
async function countAnswer(
  answer: Answer,
  attempt: ReservedAttempt,
  reserved: ReservedUsage,
  tokens: TokenCounter,
): Promise<CallUsage | null> {
  const { call, reservation } = attempt
  const produced = answer.received === 'whole' && isAllText(attempt) ? answer.produced() : null
  if (produced === null) return null
  const { properties } = reservation.target
  const measured = await tokens.measure(produced.texts, properties.tokenizer).catch(() => null)
  if (measured === null) return null
  const addedByVendor =
    (framingTokens + reservation.input.extraOutputTokens) * call.endpoint.choicesOf(call.body)
  // A bound in bytes can exceed the maximum output. So can the estimate, if the provider ignored the maximum.
  const upperBound = Math.min(
    measured.bound + produced.moreTokens + addedByVendor,
    reserved.counts.output ?? 0,
  )
  const output = Math.max(measured.estimate + produced.moreTokens, upperBound)
  const counts = { ...reserved.counts, output, audioOut: 0, images: 0 }
  return priced(counts, reserved.tier, attempt, answer, 'counted')
}

/** True when the answer can have cost only its text: no audio, images, reasoning, hosted tools or units. */
function isAllText({ call: { endpoint, body }, reservation }: ReservedAttempt): boolean {
  const { properties, price } = reservation.target
  const media = endpoint.mediaOf(body)
  return !(
    media.audio ||
    media.images ||
    (endpoint.mayReason(body) ?? properties.reasons ?? true) ||
    endpoint.hostedToolsOf(body).tools.length > 0 ||
    endpoint.maySummarize(body) ||
    hasSome(usesOfUnits(price, reservation.input.units))
  )
}

function priced(
  counted: Counts,
  tier: string | null,
  attempt: ReservedAttempt,
  answer: Answer,
  source: UsageSource,
): CallUsage {
  const { price, properties } = attempt.reservation.target
  const mayHaveUses = answer.received !== 'nothing' && hasSome(properties.usesPerCall)
  const counts = mayHaveUses
    ? { ...counted, tools: { ...properties.usesPerCall, ...counted.tools } }
    : counted
  const doubt = source === 'provider' ? findDoubt(counts, tier, attempt, answer) : null
  const cost = costNanos(price, counts, tier)
  return { counts, tier, costNanos: cost, source, doubt, isBilledError: false }
}

// The number of characters from which a count of zero tokens is implausible.
const longText = 200

function findDoubt(
  counts: Counts,
  tier: string | null,
  attempt: ReservedAttempt,
  answer: Answer,
): string | null {
  const { call, reservation } = attempt
  const { price, properties } = reservation.target
  const { input = 0, output = 0 } = counts
  const window = properties.contextWindow
  const mayReadMoreThanWindow =
    call.endpoint.hostedToolsOf(call.body).tools.length > 0 ||
    call.endpoint.maySummarize(call.body) ||
    call.endpoint.shape.separateInputs !== null
  if (window !== null && input > window && !mayReadMoreThanWindow)
    return `${input} input tokens are more than its context window of ${window}`
  const isPaidByTokens = price.rates.input > 0
  if (isPaidByTokens && input === 0 && reservation.input.estimateTokens > longText)
    return 'no input tokens for a long request'
  if (output === 0 && (answer.produced()?.chars ?? 0) > longText) return 'no output tokens for a long answer'
  const unpriced = unpricedKinds(price, counts, tier)
  return unpriced.length === 0
    ? null
    : `its price does not name ${unpriced.join(', ')}; the most expensive rate was used`
}
