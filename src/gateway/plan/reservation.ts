import type { SpendRequest } from '../../admission/index.js'
import type { SpendLimit } from '../../modules/budgets/index.js'
import { costMicros, type Target } from '../../providers/index.js'
import type { Call } from '../call.js'

/** How long an answer may become, per choice. */
export interface OutputRange {
  /** The dialect's own field for the maximum. */
  field: string
  choices: number
  most: number
  /** A maximum that must be set because the caller declared none; null where nothing needs to be set. */
  forwarded: number | null
}

// For a model whose maximum is not known: enough for an ordinary answer, and corrected when it ends.
const unknownMaxOutput = 4_096

// Less than a sentence is no answer: rather than that, the call is refused.
const usefulOutput = 16

/**
 * The most that the answer can take. A call that declares no maximum may take the model's own; where the key's whole
 * minute is smaller than that, the forwarded maximum is set to what a minute holds, or the call could never run.
 */
export function reserveOutput(call: Call, target: Target, roomTokens: number | null): OutputRange {
  const choices = call.dialect.choicesOf(call.body)
  const { field, tokens: declared } = call.dialect.maxOutputOf(call.body)
  if (declared !== null) return { field, choices, most: declared, forwarded: null }
  const most = target.maxOutputTokens ?? unknownMaxOutput
  const fits = roomTokens === null ? most : Math.floor(roomTokens / choices)
  if (fits < 1 || fits >= most) return { field, choices, most, forwarded: null }
  return { field, choices, most: fits, forwarded: fits }
}

/** Input as we count it, and the longest answer, at the price of both. */
export interface WorstCase {
  inputTokens: number
  outputTokens: number
  costMicros: number
}

export function worstCaseOf(pricing: Pricing, inputTokens: number, output: OutputRange): WorstCase {
  const outputTokens = output.most * output.choices
  return { inputTokens, outputTokens, costMicros: worstCost(pricing, inputTokens, outputTokens) }
}

/** The worst case is reserved; what is the least that is of use decides whether less than that will do. */
export function spendRequest(
  limits: readonly SpendLimit[],
  pricing: Pricing,
  worstCase: WorstCase,
  output: OutputRange,
): SpendRequest | null {
  if (limits.length === 0) return null
  const claims = limits.map(({ scopeType, scopeId, start, end, limitMicros }) => ({
    account: { scopeType, scopeId, startMs: start.getTime(), endMs: end?.getTime() ?? null },
    limitMicros,
  }))
  const least = Math.min(output.most, usefulOutput)
  return {
    claims,
    mostMicros: worstCase.costMicros,
    leastMicros: worstCost(pricing, worstCase.inputTokens, least * output.choices),
  }
}

/** The longest answer that the granted money pays for, by halving: the cost only grows with the length. */
export function lowerToFit(
  grantedMicros: number,
  pricing: Pricing,
  inputTokens: number,
  { most, choices }: OutputRange,
): number {
  let fits = 0
  let tooMuch = most + 1
  while (tooMuch - fits > 1) {
    const middle = Math.floor((fits + tooMuch) / 2)
    if (worstCost(pricing, inputTokens, middle * choices) <= grantedMicros) fits = middle
    else tooMuch = middle
  }
  return fits
}

// Texts are counted with OpenAI's encoding. Anthropic's gives more tokens for the same text, its newer models most of
// all; a third more is reserved for that.
const inputMargins = new Map([['anthropic', 1.35]])

/** How a call is priced before it has run. */
export interface Pricing {
  price: Target['price']
  inputMargin: number
  /** Input may be written to the provider's cache for an hour, which costs most of all. */
  hourCache: boolean
}

export const pricingOf = ({ price, provider }: Target, { raw, dialect }: Call): Pricing => ({
  price,
  inputMargin: inputMargins.get(provider.pricesOf) ?? 1,
  hourCache: dialect.name === 'messages' && raw.includes('"1h"'),
})

/** Whether the input is written to the provider's cache, at a higher price, is not ours to know. */
function worstCost(
  { price, inputMargin, hourCache }: Pricing,
  counted: number,
  outputTokens: number,
): number {
  const inputTokens = Math.ceil(counted * inputMargin)
  const plain = { inputTokens, cachedTokens: 0, cacheWriteTokens: 0, outputTokens }
  const written = { ...plain, cacheWriteTokens: inputTokens }
  return Math.max(
    costMicros(price, plain),
    costMicros(price, written),
    hourCache ? costMicros(price, { ...written, hourCacheWriteTokens: inputTokens }) : 0,
  )
}
