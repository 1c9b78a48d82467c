import { asArray, asObject, asText, isObject, readCount } from '../../../json/index.js'
import { TextWalk } from '../../texts/text-walk.js'
import { chatMock } from '../chat/mock.js'
import type { Dialect } from '../dialect.js'
import { notStreamed, withoutOutput } from '../without-output.js'

const categories = ['harassment', 'hate', 'self-harm', 'sexual', 'violence']

/** OpenAI's verdicts on texts and images. Free there; a model that has a price is paid by its input. */
export const moderations: Dialect = {
  ...withoutOutput,
  ...notStreamed,
  faultIn(body) {
    const { input, stream } = body
    if (typeof input !== 'string' && !(Array.isArray(input) && input.every(isInput)))
      return { path: 'input', message: 'must be a text, a list of texts, or a list of parts' }
    return stream === true ? { path: 'stream', message: 'moderations are not streamed' } : null
  },
  name: 'moderations',
  path: '/moderations',
  endpoint: {
    operationId: 'createModeration',
    summary: 'Moderation (OpenAI)',
    description: "OpenAI's moderations. Without a model, `omni-moderation-latest` is asked.",
    example: { model: 'mock/echo', input: 'Hello, tally!' },
  },
  modes: ['moderation', 'chat', 'responses'],
  defaultModel: 'omni-moderation-latest',
  defaultHeaders: {},
  texts: {
    inRequest: (json) => new TextWalk(json),
    inAnswer: (json) => new TextWalk(json),
    asksForJson: () => false,
    isReadable: () => true,
    messageCount: ({ input }) => (typeof input === 'string' ? 1 : asArray(input).length),
  },
  usageOf(answer) {
    const input = readCount(asObject(answer.usage).prompt_tokens)
    return input === null ? null : { counts: { input }, hasOutput: true, tier: null }
  },
  outputOf: () => [],
  errorBody: (body) => body,
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
    failure: chatMock.failure,
  },
}

const isInput = (item: unknown): boolean =>
  typeof item === 'string' || (isObject(item) && asText(item.type) !== '')
