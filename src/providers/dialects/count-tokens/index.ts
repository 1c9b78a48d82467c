import { asCount, type JsonObject } from '../../../json/index.js'
import type { Dialect } from '../dialect.js'
import { messages } from '../messages/index.js'
import { findForeignTool } from '../messages/tools.js'
import { notStreamed, withoutOutput } from '../without-output.js'

/** Anthropic's count of what a message would have the model read. No model runs. */
export const countTokens: Dialect = {
  ...withoutOutput,
  ...notStreamed,
  faultIn(body) {
    if (!Array.isArray(body.messages)) return { path: 'messages', message: 'must be an array of messages' }
    if (body.stream === true) return { path: 'stream', message: 'a count is not streamed' }
    return findForeignTool(body)
  },
  withSystem: messages.withSystem,
  name: 'count_tokens',
  path: '/messages/count_tokens',
  endpoint: {
    operationId: 'countMessageTokens',
    summary: 'Count the tokens of a message (Anthropic)',
    description:
      "Anthropic's count of a message's input. It is free, and counts as a request; where the provider has no such endpoint, the tokens are counted here.",
    example: { model: 'mock/echo', messages: [{ role: 'user', content: 'Hello, tally!' }] },
  },
  modes: messages.modes,
  isFree: true,
  inputOf: 'messages',
  defaultHeaders: messages.defaultHeaders,
  texts: messages.texts,
  usageOf: (answer) => ('input_tokens' in answer ? { counts: {}, hasOutput: true, tier: null } : null),
  outputOf: () => [],
  errorBody: messages.errorBody,
  mock: { answer: ({ inputTokens }) => countAnswer(inputTokens), failure: messages.mock.failure },
}

const countAnswer = (tokens: number) => ({ whole: writeTokenCount(tokens), events: [] })

/** The answer of a provider that counts. */
export const writeTokenCount = (tokens: number): JsonObject => ({ input_tokens: asCount(tokens) })
