import { asCount, asObject, isObject, readCount } from '@tallystick/record/json'
import { type EndpointRequest, prependItem } from '../endpoint-request.js'
import { findToolWithOwnModel, hostedToolsOf, limitToolUses } from './tools.js'
import { possibleTiersOf } from './usage.js'

export const messagesRequest = {
  faultIn(body) {
    if (!Array.isArray(body.messages)) return { path: 'messages', message: 'must be an array of messages' }
    if (typeof body.max_tokens !== 'number') return { path: 'max_tokens', message: 'must be a whole number' }
    return findToolWithOwnModel(body)
  },

  // In this dialect, 0 means that no answer is generated and the input is only written to the cache.
  maxOutputOf: (body) => readCount(body.max_tokens),

  // The vendor refuses a thinking budget that is not below the maximum output.
  minOutputOf(body) {
    const { type, budget_tokens } = asObject(body.thinking)
    return type === 'enabled' ? asCount(budget_tokens) + 1 : 0
  },

  tiersOf: possibleTiersOf,

  // The thinking that is returned may be a summary of the thinking that is billed.
  mayReason: (body) => (isObject(body.thinking) && body.thinking.type !== 'disabled' ? true : null),

  hostedToolsOf,

  countsOutputPerRound: true,

  limitToolUses,

  addSystemText(text, body, jsonOf) {
    if (Array.isArray(body.system))
      return { name: 'system', json: prependItem({ type: 'text', text }, jsonOf('system')) }
    return {
      name: 'system',
      json: JSON.stringify(typeof body.system === 'string' ? `${text}\n\n${body.system}` : text),
    }
  },
} satisfies Partial<EndpointRequest>
