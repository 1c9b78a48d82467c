import type { DialectRequest } from '../dialect.js'

export const embeddingsRequest: DialectRequest = {
  faultIn(body) {
    if (typeof body.input !== 'string' && !Array.isArray(body.input)) {
      return { path: 'input', message: 'must be a string, an array of strings, or token numbers' }
    }
    return body.stream === true ? { path: 'stream', message: 'embeddings are not streamed' } : null
  },

  outputFields: [],

  maxOutputOf: () => 0,

  extraOutputOf: () => [],

  minOutputOf: () => 0,

  tiersOf: () => [null],

  mediaOf: () => ({ audio: false, images: false }),

  mayReason: () => false,

  hostedToolsOf: () => ({ tools: [], maxUses: null }),

  maySummarize: () => false,

  countsOutputPerRound: false,

  limitToolUses: () => null,

  choicesOf: () => 1,

  withSystem: () => null,

  usageRequest: () => ({}),

  mayCacheForAnHour: () => false,
}
