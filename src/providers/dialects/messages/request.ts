import { asArray, asObject, readCount, writeJson } from '../../../json/index.js'
import { type DialectRequest, findCountFault, type InputContent, prependItem } from '../dialect.js'
import { collectContent } from './content.js'

const tokensPerMessage = 4

export const messagesRequest: DialectRequest = {
  faultIn(body) {
    if (!Array.isArray(body.messages)) return { path: 'messages', message: 'must be an array of messages' }
    if (typeof body.max_tokens !== 'number') return { path: 'max_tokens', message: 'must be a whole number' }
    return findCountFault(body, 'max_tokens')
  },

  inputOf(body) {
    const input: InputContent = { texts: [], fixedTokens: tokensPerMessage }
    collectContent(body.system, input)
    for (const message of asArray(body.messages).map(asObject)) {
      input.fixedTokens += tokensPerMessage
      collectContent(message.content, input)
    }
    if (body.tools !== undefined) input.texts.push(writeJson(body.tools))
    return input
  },

  maxOutputOf: (body) => ({ field: 'max_tokens', tokens: readCount(body.max_tokens) }),

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

  mayCacheForAnHour: (raw) => raw.includes('"1h"'),
}
