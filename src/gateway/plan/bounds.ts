import { costNanos, type Target } from '../../providers/index.js'
import type { Call } from '../call.js'

/** How long an answer may become, per choice. */
export interface OutputBound {
  /** The dialect's own field for the maximum. */
  field: string
  choices: number
  maxTokens: number
  /** A maximum that must be set because the caller declared none; null where nothing needs to be set. */
  forwarded: number | null
}

// For a model whose maximum is not known: enough for an ordinary answer, and corrected when it ends.
const unknownMaxOutput = 4_096

/**
 * The most that the answer can take. A call that declares no maximum may take the model's own. Where the key's limit
 * per minute is smaller than that, the forwarded maximum is lowered to it; otherwise the call could never run.
 */
export function boundOutput(call: Call, target: Target, roomTokens: number | null): OutputBound {
  const choices = call.dialect.choicesOf(call.body)
  const { field, tokens: declared } = call.dialect.maxOutputOf(call.body)
  if (declared !== null) return { field, choices, maxTokens: declared, forwarded: null }
  const maxTokens = target.maxOutputTokens ?? unknownMaxOutput
  const fits = roomTokens === null ? maxTokens : Math.floor(roomTokens / choices)
  if (fits < 1 || fits >= maxTokens) return { field, choices, maxTokens, forwarded: null }
  return { field, choices, maxTokens: fits, forwarded: fits }
}

/** How a call is priced before it has run. */
export interface Pricing {
  price: Target['price']
  inputMargin: number
  mayCacheForAnHour: boolean
}

export const pricingOf = ({ price, provider }: Target, { raw, dialect }: Call): Pricing => ({
  price,
  inputMargin: provider.inputMargin,
  mayCacheForAnHour: dialect.mayCacheForAnHour(raw),
})

/** The most expensive case: only the provider decides whether the input is written to its cache, at a higher price. */
export function maxCostNanos(
  { price, inputMargin, mayCacheForAnHour }: Pricing,
  countedTokens: number,
  outputTokens: number,
): number {
  const inputTokens = Math.ceil(countedTokens * inputMargin)
  const plain = { inputTokens, cachedTokens: 0, cacheWriteTokens: 0, outputTokens }
  const written = { ...plain, cacheWriteTokens: inputTokens }
  return Math.max(
    costNanos(price, plain),
    costNanos(price, written),
    mayCacheForAnHour ? costNanos(price, { ...written, hourCacheWriteTokens: inputTokens }) : 0,
  )
}

/** The longest answer that the granted money pays for, by bisection: the cost only grows with the length. */
export function lowerToFit(
  grantedNanos: number,
  pricing: Pricing,
  inputTokens: number,
  { maxTokens, choices }: OutputBound,
): number {
  let fits = 0
  let tooMuch = maxTokens + 1
  while (tooMuch - fits > 1) {
    const middle = Math.floor((fits + tooMuch) / 2)
    if (maxCostNanos(pricing, inputTokens, middle * choices) <= grantedNanos) fits = middle
    else tooMuch = middle
  }
  return fits
}
