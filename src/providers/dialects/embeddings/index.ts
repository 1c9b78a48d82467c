import { asObject, readCount } from '../../../json/index.js'
import type { Dialect } from '../dialect.js'
import { notStreamed } from '../without-output.js'
import { embeddingsMock } from './mock.js'
import { embeddingsRequest } from './request.js'
import { summarizeVectors } from './summary.js'
import { embeddingsTexts } from './texts.js'

export const embeddings: Dialect = {
  ...embeddingsRequest,
  ...notStreamed,
  name: 'embeddings',
  path: '/embeddings',
  endpoint: {
    operationId: 'createEmbeddings',
    summary: 'Embeddings (OpenAI)',
    description: "OpenAI's embeddings.",
    example: { model: 'mock/echo', input: 'Hello, tally!' },
  },
  modes: ['embedding', 'chat', 'responses'],
  defaultHeaders: {},
  texts: embeddingsTexts,

  usageOf(answer) {
    const inputTokens = readCount(asObject(answer.usage).prompt_tokens)
    return inputTokens === null ? null : { counts: { input: inputTokens }, hasOutput: true, tier: null }
  },

  outputOf: () => [],
  summarizeAnswer: summarizeVectors,
  errorBody: (body) => body,
  mock: embeddingsMock,
}
