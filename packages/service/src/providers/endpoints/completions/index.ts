import { asArray, asObject, asText } from '@tallystick/record/json'
import { ChatStream } from '../chat/stream.js'
import { readUsage } from '../chat/usage.js'
import { defineEndpoint } from '../define-endpoint.js'
import { CompletionAssembler } from './assemble.js'
import { readCompletionEvent } from './event-texts.js'
import { completionsMock } from './mock.js'
import { completionsRequest, shownChoicesOf } from './request.js'
import { completionsShape } from './shape.js'

export const completions = defineEndpoint(completionsShape, {
  ...completionsRequest,
  name: 'completions',
  path: '/completions',
  docs: {
    operationId: 'createCompletion',
    summary: 'Create a completion (OpenAI, legacy)',
    description: 'Completes a text in the legacy format of OpenAI, optionally streamed.',
    example: { model: 'mock/echo', prompt: 'Hello, tally!' },
  },
  readEvent: readCompletionEvent,
  usageOf: readUsage,
  outputOf: (answer) => asArray(answer.choices).map((choice) => asText(asObject(choice).text)),
  readStream: (body) =>
    new ChatStream(body, { choices: shownChoicesOf(body), textsOf: ({ text }) => [asText(text)] }),
  assembleStream: (maxChars) => new CompletionAssembler(maxChars),
  mock: completionsMock,
})
