import { asArray, asObject, asText, readCount } from '../../../json/index.js'
import type { Dialect } from '../dialect.js'
import { embeddingsTexts } from './texts.js'

export const embeddings: Dialect = {
  name: 'embeddings',
  texts: embeddingsTexts,

  faultIn(body) {
    if (typeof body.input !== 'string' && !Array.isArray(body.input)) {
      return { path: 'input', message: 'must be a string, an array of strings, or token numbers' }
    }
    return body.stream === true ? { path: 'stream', message: 'embeddings are not streamed' } : null
  },

  inputOf(body) {
    const texts = [asText(body.input)]
    let fixedTokens = 0
    for (const item of asArray(body.input)) {
      if (typeof item === 'number') fixedTokens++
      else if (Array.isArray(item)) fixedTokens += item.length
      else texts.push(asText(item))
    }
    return { texts, fixedTokens }
  },

  maxOutputOf: () => ({ field: '', tokens: 0 }),
  choicesOf: () => 1,

  usageOf(answer) {
    const inputTokens = readCount(asObject(answer.usage).prompt_tokens)
    return inputTokens === null
      ? null
      : { inputTokens, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 0 }
  },

  outputOf: () => [],
  withSystem: () => null,
  usageRequest: () => ({}),
  readStream: () => {
    throw new Error('embeddings are not streamed')
  },
  streamError: () => '',
}
