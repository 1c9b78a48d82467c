import { mayCacheForHours } from '../cache.js'
import { type DialectRequest, findCountFault, maxCountIn, maySummarize } from '../dialect.js'
import { serviceTiersOf } from '../usage.js'
import { hostedToolsOf } from './tools.js'

const outputFields = ['max_output_tokens']

export const responsesRequest: DialectRequest = {
  faultIn(body) {
    const { input } = body
    if (input !== undefined && typeof input !== 'string' && !Array.isArray(input)) {
      return { path: 'input', message: 'must be a string or an array of items' }
    }
    // It would be answered before it is worked on: what it uses could be neither limited nor recorded.
    if (![undefined, null, false].some((off) => off === body.background))
      return { path: 'background', message: 'is not offered: its usage cannot be governed' }
    return findCountFault(body, 'max_output_tokens') ?? findCountFault(body, 'max_tool_calls')
  },

  outputFields,

  maxOutputOf: (body) => maxCountIn(body, outputFields),

  extraOutputOf: () => [],

  minOutputOf: () => 0,

  tiersOf: serviceTiersOf,

  mediaOf: () => ({ audio: false, images: false }),

  mayReason: () => null,

  hostedToolsOf,

  maySummarize,

  countsOutputPerRound: false,

  limitToolUses: (_, uses) => ({ max_tool_calls: String(uses) }),

  choicesOf: () => 1,

  withSystem: (text, body) => ({
    name: 'instructions',
    json: JSON.stringify(typeof body.instructions === 'string' ? `${text}\n\n${body.instructions}` : text),
  }),

  usageRequest: () => ({}),

  mayCacheForAnHour: mayCacheForHours,
}
