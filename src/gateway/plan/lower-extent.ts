import { type CallBounds, type Extent, largestThat } from './bounds.js'
import type { InputSize } from './input.js'

/** The shortest answer that is worth paying for, about a sentence. A call that has no money for it is refused. */
const minUsefulTokens = 16

/** What a call that declares no maximum must fit into. */
export interface OutputRoom {
  /** The key's tokens per minute; null when they are not limited. */
  tpmLimit: number | null
  /** The reserved maximum is forwarded, so the provider must be able to accept it. */
  isForwarded: boolean
}

/**
 * The extent of a call before money is considered. A declared maximum is kept: it fits, or the call is refused. So is an output
 * that no field of the request can limit: a lower number would not be enforced by anybody. An undeclared maximum is the model's own,
 * lowered to what the key may use in a minute and, where it is forwarded, to what the provider accepts beside the input.
 */
export function initialExtent(
  bounds: CallBounds,
  { estimateTokens, windowRoom }: InputSize,
  { tpmLimit, isForwarded }: OutputRoom,
): Extent {
  const { declared, choices } = bounds
  if (bounds.declaresOutput || !bounds.canLimitOutput) return declared
  const ofMinute =
    tpmLimit === null ? declared.outputTokens : Math.floor((tpmLimit - estimateTokens) / choices)
  const accepted = isForwarded
    ? Math.min(Math.max(minUsefulTokens, windowRoom), bounds.vendorDefault)
    : declared.outputTokens
  return { ...declared, outputTokens: Math.min(declared.outputTokens, accepted, Math.max(1, ofMinute)) }
}

/** The least that is of use: a short answer, after the thinking that the request demands, and one use of a hosted tool. */
export function leastUseful(bounds: CallBounds, wanted: Extent): Extent {
  const shortest = Math.min(wanted.outputTokens, Math.max(minUsefulTokens, bounds.demandedOutput))
  const canLimitTools = bounds.usesTools && bounds.limitToolUses(1) !== null
  return {
    outputTokens: bounds.canLimitOutput ? shortest : wanted.outputTokens,
    toolUses: canLimitTools ? Math.min(wanted.toolUses, 1) : wanted.toolUses,
  }
}

/** Lowers an extent until the money pays for it: the uses of tools first, then the answer, both as little as is needed. */
export function lowerToMoney(
  bounds: CallBounds,
  wanted: Extent,
  least: Extent,
  grantedNanos: number,
): Extent {
  if (bounds.costOf(wanted) <= grantedNanos) return wanted
  const { outputTokens } = least
  const toolUses = largestThat(least.toolUses, wanted.toolUses, (uses) => {
    return bounds.costOf({ outputTokens, toolUses: uses }) <= grantedNanos
  })
  const fits = (tokens: number) => bounds.costOf({ outputTokens: tokens, toolUses }) <= grantedNanos
  return { outputTokens: largestThat(outputTokens, wanted.outputTokens, fits), toolUses }
}
