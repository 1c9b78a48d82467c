import { defineEndpoint } from '../define-endpoint.js'
import { messages } from '../messages/index.js'
import { findToolWithOwnModel } from '../messages/tools.js'
import { writeTokenCount } from './answer.js'
import { countTokensShape } from './shape.js'

/** Anthropic's endpoint that counts the input tokens of a message. No model runs. */
export const countTokens = defineEndpoint(countTokensShape, {
  faultIn(body) {
    if (!Array.isArray(body.messages)) return { path: 'messages', message: 'must be an array of messages' }
    return findToolWithOwnModel(body)
  },
  addSystemText: messages.addSystemText,
  name: 'count_tokens',
  path: '/messages/count_tokens',
  docs: {
    operationId: 'countMessageTokens',
    summary: 'Count the tokens of a message (Anthropic)',
    description:
      'Counts the input tokens of a message in the format of Anthropic. The call is free, but counts towards the limit on requests. If the provider has no such endpoint, this service counts the tokens.',
    example: { model: 'mock/echo', messages: [{ role: 'user', content: 'Hello, tally!' }] },
  },
  countsTokensOf: messages.name,
  defaultHeaders: messages.defaultHeaders,
  usageOf: (answer) => ('input_tokens' in answer ? { counts: {}, hasOutput: true, tier: null } : null),
  outputOf: () => [],
  errorBody: messages.errorBody,
  mock: { answer: ({ inputTokens }) => countAnswer(inputTokens), failure: messages.mock.failure },
})

const countAnswer = (tokens: number) => ({ whole: writeTokenCount(tokens), events: [] })
