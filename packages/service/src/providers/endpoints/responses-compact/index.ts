import { defineEndpoint } from '../define-endpoint.js'
import { responses } from '../responses/index.js'
import { responsesCompactMock } from './mock.js'
import { responsesCompactShape } from './shape.js'

const { faultIn, hostedToolsOf, addSystemText, usageOf, issuedIn, outputOf } = responses

/** OpenAI's endpoint that compacts a conversation, so that it can continue from the shorter form. */
export const responsesCompact = defineEndpoint(responsesCompactShape, {
  name: 'responses_compact',
  path: '/responses/compact',
  docs: {
    operationId: 'compactResponse',
    summary: 'Compact a conversation (OpenAI)',
    description:
      'Compacts a conversation in the format of OpenAI. The answer has the messages of the user, and one encrypted item in place of everything else. The price is per token, and a request cannot limit the number of output tokens. Not streamed.',
    example: { model: 'mock/echo', input: 'Hello, tally!' },
  },
  faultIn,
  hostedToolsOf,
  addSystemText,
  usageOf,
  ...(issuedIn && { issuedIn }),
  outputOf,
  mock: responsesCompactMock,
})
