import type { SizeAdvice } from '../../core/index.js'
import type { Call } from '../call.js'
import type { CallBounds } from './call-bounds.js'
import type { InputSize } from './input-size.js'

/** Returns what to change about a call that may use more tokens than its limit per minute allows. */
export function adviseOnSize(
  { endpoint, body }: Call,
  { canLimitOutput, choices, declared }: CallBounds,
  { estimateTokens }: InputSize,
  limit: number,
): SizeAdvice {
  const room = Math.floor((limit - estimateTokens) / choices)
  if (room < 1)
    return {
      path: '',
      advice: `Its input has about ${estimateTokens} tokens: shorten it, or raise the limit.`,
    }
  const answers = choices === 1 ? '' : `${choices} times `
  if (!canLimitOutput)
    return {
      path: choices === 1 ? '' : 'n',
      advice: `Its output may have ${answers}${declared.outputTokens} tokens, and requests to this endpoint cannot limit it: request less at once, or raise the limit.`,
    }
  const path = endpoint.outputFields.find((field) => Number(body[field] ?? 0) > room) ?? ''
  return { path, advice: `Lower its maximum output to ${room} tokens, or raise the limit.` }
}
