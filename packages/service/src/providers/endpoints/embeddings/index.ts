import { asObject, readCount } from '@tallystick/record/json'
import { defineEndpoint } from '../define-endpoint.js'
import { embeddingsMock } from './mock.js'
import { embeddingsShape } from './shape.js'
import { summarizeVectors } from './summary.js'

export const embeddings = defineEndpoint(embeddingsShape, {
  name: 'embeddings',
  path: '/embeddings',
  docs: {
    operationId: 'createEmbeddings',
    summary: 'Create embeddings (OpenAI)',
    description: 'Creates embeddings in the format of OpenAI.',
    example: { model: 'mock/echo', input: 'Hello, tally!' },
  },
  faultIn: ({ input }) =>
    typeof input === 'string' || Array.isArray(input)
      ? null
      : { path: 'input', message: 'must be a string, a list of strings, or a list of token numbers' },

  usageOf(answer) {
    const inputTokens = readCount(asObject(answer.usage).prompt_tokens)
    return inputTokens === null ? null : { counts: { input: inputTokens }, hasOutput: true, tier: null }
  },

  outputOf: () => [],
  summarizeAnswer: summarizeVectors,
  mock: embeddingsMock,
})
