import { asArray, asObject, asText } from '../../../json/index.js'
import { formatEvent } from '../../sse.js'
import { ChatStream } from '../chat/stream.js'
import { readUsage } from '../chat/usage.js'
import type { Dialect } from '../dialect.js'
import { CompletionAssembler } from './assemble.js'
import { completionsMock } from './mock.js'
import { completionsRequest, shownChoicesOf } from './request.js'
import { completionsTexts, readCompletionEvent } from './texts.js'

export const completions: Dialect = {
  ...completionsRequest,
  name: 'completions',
  path: '/completions',
  endpoint: {
    operationId: 'createCompletion',
    summary: 'Completion (OpenAI, legacy)',
    description: "OpenAI's older completions of a text, plain or streamed.",
    example: { model: 'mock/echo', prompt: 'Hello, tally!' },
  },
  modes: ['chat', 'responses', 'completion'],
  hasOwnPrompt: true,
  defaultHeaders: {},
  texts: completionsTexts,
  readEvent: readCompletionEvent,
  usageOf: readUsage,
  outputOf: (answer) => asArray(answer.choices).map((choice) => asText(asObject(choice).text)),
  readStream: (body) =>
    new ChatStream(body, { choices: shownChoicesOf(body), textsOf: ({ text }) => [asText(text)] }),
  assembleStream: (maxChars) => new CompletionAssembler(maxChars),
  errorBody: (body) => body,
  streamError: (body) => formatEvent(JSON.stringify(body)),
  mock: completionsMock,
}
