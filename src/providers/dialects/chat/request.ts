import { asArray, asCount, asObject, asText, isObject, readCount, writeJson } from '../../../json/index.js'
import {
  type DialectRequest,
  findCountFault,
  prependItem,
  tokensPerFile,
  tokensPerImage,
} from '../dialect.js'

// What OpenAI documents for its chat format: each message is framed by about three tokens, the answer primed by three.
const tokensPerMessage = 4
const tokensPerAnswer = 3

// OpenAI's own limit; each choice may use the whole maximum output.
const maxChoices = 128

export const chatRequest: DialectRequest = {
  faultIn(body) {
    if (!Array.isArray(body.messages)) return { path: 'messages', message: 'must be an array of messages' }
    return (
      findCountFault(body, 'max_tokens') ??
      findCountFault(body, 'max_completion_tokens') ??
      findCountFault(body, 'n', maxChoices)
    )
  },

  inputOf(body) {
    const texts: string[] = []
    let fixedTokens = tokensPerAnswer
    for (const message of asArray(body.messages).map(asObject)) {
      fixedTokens += tokensPerMessage
      texts.push(asText(message.content))
      for (const part of asArray(message.content).map(asObject)) {
        if (part.type === 'image_url') fixedTokens += tokensPerImage
        else if (part.type === 'file' || part.type === 'input_audio') fixedTokens += tokensPerFile
        else texts.push(asText(part.text))
      }
      if (message.tool_calls !== undefined) texts.push(writeJson(message.tool_calls))
    }
    for (const extra of [body.tools, body.functions, body.response_format]) {
      if (extra !== undefined) texts.push(writeJson(extra))
    }
    return { texts, fixedTokens }
  },

  maxOutputOf(body) {
    const field =
      typeof body.max_tokens === 'number' && typeof body.max_completion_tokens !== 'number'
        ? 'max_tokens'
        : 'max_completion_tokens'
    return { field, tokens: readCount(body[field]) }
  },

  choicesOf: (body) => Math.max(1, asCount(body.n)),

  withSystem: (text, _, jsonOf) => ({
    name: 'messages',
    json: prependItem({ role: 'system', content: text }, jsonOf('messages')),
  }),

  usageRequest(body) {
    const options = body.stream_options ?? {}
    // Anything but an object is for the provider to refuse.
    if (!isObject(options) || options.include_usage === true) return {}
    return { stream_options: JSON.stringify({ ...options, include_usage: true }) }
  },

  mayCacheForAnHour: () => false,
}
