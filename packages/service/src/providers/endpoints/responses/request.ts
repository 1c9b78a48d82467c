import { type EndpointRequest, findCountFault } from '../endpoint-request.js'
import { hostedToolsOf } from './tools.js'

export const responsesRequest = {
  faultIn(body) {
    const { input } = body
    if (input !== undefined && typeof input !== 'string' && !Array.isArray(input)) {
      return { path: 'input', message: 'must be a string or an array of items' }
    }
    // A background response would be answered before any work is done: its usage could be neither limited nor
    // recorded.
    if (![undefined, null, false].some((off) => off === body.background))
      return {
        path: 'background',
        message: 'is not supported: the usage of a background response could be neither limited nor recorded',
      }
    return findCountFault(body, 'max_tool_calls')
  },

  hostedToolsOf,

  limitToolUses: (_, uses) => ({ max_tool_calls: String(uses) }),

  addSystemText: (text, body) => ({
    name: 'instructions',
    json: JSON.stringify(typeof body.instructions === 'string' ? `${text}\n\n${body.instructions}` : text),
  }),
} satisfies Partial<EndpointRequest>
