import { asArray, asObject, asText, isObject, readCount } from '@tallystick/record/json'
import { defineEndpoint } from '../define-endpoint.js'
import { moderationsShape } from './shape.js'

const categories = ['harassment', 'hate', 'self-harm', 'sexual', 'violence']

/** OpenAI's moderation endpoint for texts and images. */
export const moderations = defineEndpoint(moderationsShape, {
  faultIn({ input }) {
    if (typeof input !== 'string' && !(Array.isArray(input) && input.every(isInput)))
      return { path: 'input', message: 'must be a string, a list of strings, or a list of parts' }
    return null
  },
  name: 'moderations',
  path: '/moderations',
  docs: {
    operationId: 'createModeration',
    summary: 'Classify content (OpenAI)',
    description:
      'Classifies content in the format of OpenAI. The model defaults to `omni-moderation-latest`.',
    example: { model: 'mock/echo', input: 'Hello, tally!' },
  },
  defaultModel: 'omni-moderation-latest',
  usageOf(answer) {
    const input = readCount(asObject(answer.usage).prompt_tokens)
    return input === null ? null : { counts: { input }, hasOutput: true, tier: null }
  },
  outputOf: () => [],
  mock: {
    answer({ id, model }, { input }) {
      // A list of parts is one input.
      const inputs = asArray(input).filter((item) => typeof item === 'string').length || 1
      const of = (value: unknown) => Object.fromEntries(categories.map((category) => [category, value]))
      const results = Array.from({ length: inputs }, () => ({
        flagged: false,
        categories: of(false),
        category_scores: of(0),
      }))
      return { whole: { id: `modr-${id}`, model, results }, events: [] }
    },
  },
})

const isInput = (item: unknown): boolean =>
  typeof item === 'string' || (isObject(item) && asText(item.type) !== '')
