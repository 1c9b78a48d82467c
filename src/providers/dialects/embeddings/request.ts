import { asArray, asText } from '../../../json/index.js'
import type { DialectRequest } from '../dialect.js'

export const embeddingsRequest: DialectRequest = {
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

  outputFields: [],

  maxOutputOf: () => 0,

  extraOutputOf: () => [],

  minOutputOf: () => 0,

  tiersOf: () => [null],

  mediaOf: () => ({ audio: false, images: false }),

  mayReason: () => false,

  hostedToolsOf: () => ({ tools: [], maxUses: null }),

  countsOutputPerRound: false,

  limitToolUses: () => null,

  choicesOf: () => 1,

  withSystem: () => null,

  usageRequest: () => ({}),

  mayCacheForAnHour: () => false,
}
