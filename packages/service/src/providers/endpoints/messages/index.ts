import { asArray, asObject, stringsIn } from '@tallystick/record/json'
import { formatEvent } from '../../transport/sse.js'
import { defineEndpoint } from '../define-endpoint.js'
import { protocolWords } from '../endpoint.js'
import { MessageAssembler } from './assemble.js'
import { readMessagesEvent } from './event-texts.js'
import { IssuedInMessage } from './issued.js'
import { messagesMock } from './mock.js'
import { isMessagesPreamble } from './preamble.js'
import { messagesRequest } from './request.js'
import { messagesShape } from './shape.js'
import { MessagesStream } from './stream.js'
import { usedContainer } from './tools.js'
import { readUsage } from './usage.js'

export const messages = defineEndpoint(messagesShape, {
  ...messagesRequest,
  name: 'messages',
  path: '/messages',
  docs: {
    operationId: 'createMessage',
    summary: 'Create a message (Anthropic)',
    description:
      'Creates a message in the format of Anthropic, optionally streamed. The key can also be sent as `x-api-key`.',
    example: {
      model: 'mock/echo',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'Hello, tally!' }],
    },
  },
  defaultHeaders: { 'anthropic-version': '2023-06-01' },
  readEvent: readMessagesEvent,
  issuedIn(answer) {
    const issued = new IssuedInMessage()
    issued.addContainer(answer)
    for (const block of asArray(answer.content)) issued.addBlock(asObject(block))
    return issued.list()
  },
  usageOf: (answer, request) => readUsage(asObject(answer.usage), request, usedContainer(answer)),

  outputOf: (answer) => stringsIn(answer.content, protocolWords),

  readStream: (body) => new MessagesStream(body),
  isPreamble: isMessagesPreamble,
  assembleStream: (maxChars) => new MessageAssembler(maxChars),
  // Anthropic's clients expect a type beside the error.
  errorBody: (body) => ({ type: 'error', ...body }),
  streamError: (body) => formatEvent(JSON.stringify({ type: 'error', ...body }), 'error'),
  mock: messagesMock,
})
