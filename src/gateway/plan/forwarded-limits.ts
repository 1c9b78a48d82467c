import type { Target } from '../../providers/index.js'
import type { Call } from '../call.js'
import type { CallBounds, Extent } from './bounds.js'

export interface ForwardTerms {
  /** A limit applies to the call, so the provider must be told the maximum that was reserved. */
  isLimited: boolean
  /** A hard budget applies to the call, so the provider must be told how often it may use its tools. */
  isHard: boolean
}

/**
 * The members to change so that the provider enforces what was reserved, as JSON text by name: the maximum output, in the field that
 * this vendor honours, and the number of tool uses.
 */
export function limitsToForward(
  call: Call,
  target: Target,
  bounds: CallBounds,
  extent: Extent,
  terms: ForwardTerms,
): [string, string][] {
  const { usesTools, hasUnboundedTools, declared } = bounds
  const edits = outputLimits(call, target, extent, terms)
  const mustLimitTools =
    usesTools && terms.isHard && (hasUnboundedTools || extent.toolUses < declared.toolUses)
  if (mustLimitTools) edits.push(...Object.entries(bounds.limitToolUses(extent.toolUses) ?? {}))
  return edits
}

function outputLimits(
  { dialect, body }: Call,
  { maxOutputTokens, outputField }: Target,
  { outputTokens }: Extent,
  { isLimited }: ForwardTerms,
): [string, string][] {
  const [first] = dialect.outputFields
  const honoured = dialect.outputFields.includes(outputField) ? outputField : first
  if (honoured === undefined) return []
  const limit = String(outputTokens)
  const declared = dialect.outputFields.filter((field) => Number(body[field] ?? 0) > 0)
  if (declared.length === 0) {
    const isOwnMaximum = maxOutputTokens !== null && outputTokens >= maxOutputTokens
    return isLimited || !isOwnMaximum ? [[honoured, limit]] : []
  }
  const edits: [string, string][] = declared
    .filter((field) => Number(body[field]) > outputTokens)
    .map((field) => [field, limit])
  // Vendors that prefer max_completion_tokens honour max_tokens too, or refuse it; both at once OpenAI refuses.
  const isHonoured =
    declared.includes(honoured) || (honoured === 'max_completion_tokens' && declared.includes('max_tokens'))
  return isHonoured ? edits : [...edits, [honoured, limit]]
}
