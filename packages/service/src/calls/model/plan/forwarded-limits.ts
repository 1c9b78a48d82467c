import type { Target } from '../../../providers/index.js'
import type { Call } from '../call.js'
import type { Allowance, CallBounds } from './call-bounds.js'

export interface ForwardRules {
  /** Whether a limit applies, so that the reserved maximum output must be forwarded. */
  isLimited: boolean
  /** Whether a hard budget applies, so that a limit on tool uses must be forwarded. */
  isHard: boolean
}

/**
 * Returns the members to set so that the provider enforces the reservation, as JSON text by name: the maximum output, in the field that
 * this vendor honours, and the number of tool uses.
 */
export function limitsToForward(
  call: Call,
  target: Target,
  bounds: CallBounds,
  allowance: Allowance,
  rules: ForwardRules,
): [string, string][] {
  const { usesTools, hasUnboundedTools, declared } = bounds
  const edits = outputLimits(call, target, allowance, rules)
  const mustLimitTools =
    usesTools && rules.isHard && (hasUnboundedTools || allowance.toolUses < declared.toolUses)
  if (mustLimitTools) edits.push(...Object.entries(bounds.limitToolUses(allowance.toolUses) ?? {}))
  return edits
}

function outputLimits(
  { endpoint, body }: Call,
  { maxOutputTokens, outputField }: Target,
  { outputTokens }: Allowance,
  { isLimited }: ForwardRules,
): [string, string][] {
  const [first] = endpoint.outputFields
  const honoured = endpoint.outputFields.includes(outputField) ? outputField : first
  if (honoured === undefined) return []
  const limit = String(outputTokens)
  const declared = endpoint.outputFields.filter((field) => Number(body[field] ?? 0) > 0)
  if (declared.length === 0) {
    const isOwnMaximum = maxOutputTokens !== null && outputTokens >= maxOutputTokens
    return isLimited || !isOwnMaximum ? [[honoured, limit]] : []
  }
  const edits: [string, string][] = declared
    .filter((field) => Number(body[field]) > outputTokens)
    .map((field) => [field, limit])
  // Vendors that prefer max_completion_tokens honour or refuse max_tokens. OpenAI refuses requests with both.
  const isHonoured =
    declared.includes(honoured) || (honoured === 'max_completion_tokens' && declared.includes('max_tokens'))
  return isHonoured ? edits : [...edits, [honoured, limit]]
}
