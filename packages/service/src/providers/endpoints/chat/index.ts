import { asArray, asObject } from '@tallystick/record/json'
import { IssuedReferences } from '../../references/index.js'
import { defineEndpoint } from '../define-endpoint.js'
import { ChatAssembler } from './assemble.js'
import { readChatEvent } from './event-texts.js'
import { audioIdIn } from './issued.js'
import { chatMock } from './mock.js'
import { isChatPreamble } from './preamble.js'
import { chatRequest } from './request.js'
import { chatShape } from './shape.js'
import { ChatStream } from './stream.js'
import { readUsage, textsIn } from './usage.js'

export const chat = defineEndpoint(chatShape, {
  ...chatRequest,
  name: 'chat',
  path: '/chat/completions',
  docs: {
    operationId: 'createChatCompletion',
    summary: 'Create a chat completion (OpenAI)',
    description:
      'Creates a chat completion in the format of OpenAI, optionally streamed. Fields that the gateway does not interpret are forwarded unchanged.',
    example: { model: 'mock/echo', messages: [{ role: 'user', content: 'Hello, tally!' }] },
  },
  readEvent: readChatEvent,
  issuedIn(answer) {
    const issued = new IssuedReferences()
    for (const choice of asArray(answer.choices)) issued.add('audio', audioIdIn(asObject(choice).message))
    return issued.list()
  },
  usageOf: readUsage,
  outputOf: (answer) => textsIn(asArray(answer.choices).map((choice) => asObject(choice).message)),
  readStream: (body) => new ChatStream(body),
  isPreamble: isChatPreamble,
  assembleStream: (maxChars) => new ChatAssembler(maxChars),
  mock: chatMock,
})
