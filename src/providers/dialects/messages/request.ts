import { asCount, asObject, isObject, readCount } from '../../../json/index.js'
import { mayCacheForHours } from '../cache.js'
import { type DialectRequest, findCountFault, maySummarize, prependItem } from '../dialect.js'
import { findForeignTool, hostedToolsOf, limitToolUses } from './tools.js'
import { possibleTiersOf } from './usage.js'

const outputFields = ['max_tokens']

export const messagesRequest: DialectRequest = {
  faultIn(body) {
    if (!Array.isArray(body.messages)) return { path: 'messages', message: 'must be an array of messages' }
    if (typeof body.max_tokens !== 'number') return { path: 'max_tokens', message: 'must be a whole number' }
    return findCountFault(body, 'max_tokens') ?? findForeignTool(body)
  },

  outputFields,

  // Here 0 is an answer of no length: the input is read into the cache.
  maxOutputOf: (body) => readCount(body.max_tokens),

  extraOutputOf: () => [],

  // The vendor refuses a thinking budget that is not below the maximum output.
  minOutputOf(body) {
    const { type, budget_tokens } = asObject(body.thinking)
    return type === 'enabled' ? asCount(budget_tokens) + 1 : 0
  },

  tiersOf: possibleTiersOf,

  mediaOf: () => ({ audio: false, images: false }),

  // What is shown of its thinking may be a summary of what is billed.
  mayReason: (body) => (isObject(body.thinking) && body.thinking.type !== 'disabled' ? true : null),

  hostedToolsOf,

  maySummarize,

  countsOutputPerRound: true,

  limitToolUses,

  choicesOf: () => 1,

  withSystem(text, body, jsonOf) {
    if (Array.isArray(body.system))
      return { name: 'system', json: prependItem({ type: 'text', text }, jsonOf('system')) }
    return {
      name: 'system',
      json: JSON.stringify(typeof body.system === 'string' ? `${text}\n\n${body.system}` : text),
    }
  },

  usageRequest: () => ({}),

  mayCacheForAnHour: mayCacheForHours,
}
