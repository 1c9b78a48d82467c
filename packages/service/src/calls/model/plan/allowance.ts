import { type Allowance, type CallBounds, largestWithin } from './call-bounds.js'
import type { InputSize } from './input-size.js'

/** The shortest useful answer, about a sentence. A call whose budget does not pay for it is refused. */
const minUsefulTokens = 16

/** What bounds the output of a call that declares no maximum. */
export interface OutputConstraints {
  /** The tokens per minute of the key. Null when they are not limited. */
  tpmLimit: number | null
  /** Whether the reserved maximum is forwarded, so that the provider must accept it. */
  isForwarded: boolean
}

/**
 * Returns the allowance of a call before budgets are considered. A declared maximum is kept, and the call is refused when it does not fit.
 * The same holds for an output that the request cannot limit, because nobody would enforce a lower number. An undeclared maximum is the
 * model's own, lowered to what the key may use in a minute and, if it is forwarded, to what the provider accepts beside the input.
 */
export function initialAllowance(
  bounds: CallBounds,
  { estimateTokens, windowRoom }: Pick<InputSize, 'estimateTokens' | 'windowRoom'>,
  { tpmLimit, isForwarded }: OutputConstraints,
): Allowance {
  const { declared, choices } = bounds
  if (bounds.declaresOutput || !bounds.canLimitOutput) return declared
  const perMinute =
    tpmLimit === null ? declared.outputTokens : Math.floor((tpmLimit - estimateTokens) / choices)
  const accepted = isForwarded
    ? Math.min(Math.max(minUsefulTokens, windowRoom), bounds.vendorDefault)
    : declared.outputTokens
  return { ...declared, outputTokens: Math.min(declared.outputTokens, accepted, Math.max(1, perMinute)) }
}

/** Returns the minimum useful allowance: a short answer, after the thinking that the request requires, and one use of a hosted tool. */
export function minimumAllowance(bounds: CallBounds, wanted: Allowance): Allowance {
  const shortest = Math.min(wanted.outputTokens, Math.max(minUsefulTokens, bounds.requiredOutput))
  const canLimitTools = bounds.usesTools && bounds.limitToolUses(1) !== null
  return {
    outputTokens: bounds.canLimitOutput ? shortest : wanted.outputTokens,
    toolUses: canLimitTools ? Math.min(wanted.toolUses, 1) : wanted.toolUses,
  }
}

/** Lowers an allowance until the granted money pays for it: first the tool uses, then the output, each as little as necessary. */
export function fitToGrant(
  bounds: CallBounds,
  wanted: Allowance,
  least: Allowance,
  grantedNanos: number,
): Allowance {
  if (bounds.costOf(wanted) <= grantedNanos) return wanted
  const { outputTokens } = least
  const toolUses = largestWithin(least.toolUses, wanted.toolUses, (uses) => {
    return bounds.costOf({ outputTokens, toolUses: uses }) <= grantedNanos
  })
  const fits = (tokens: number) => bounds.costOf({ outputTokens: tokens, toolUses }) <= grantedNanos
  return { outputTokens: largestWithin(outputTokens, wanted.outputTokens, fits), toolUses }
}
