import { formatEvent } from '../../transport/sse.js'
import { defineEndpoint } from '../define-endpoint.js'
import { ResponseAssembler } from './assemble.js'
import { readResponsesEvent } from './event-texts.js'
import { IssuedInResponse } from './issued.js'
import { responsesMock } from './mock.js'
import { isResponsesPreamble } from './preamble.js'
import { responsesRequest } from './request.js'
import { responsesShape } from './shape.js'
import { ResponsesStream } from './stream.js'
import { readUsage, textsOf } from './usage.js'

export const responses = defineEndpoint(responsesShape, {
  ...responsesRequest,
  name: 'responses',
  path: '/responses',
  docs: {
    operationId: 'createResponse',
    summary: 'Create a response (OpenAI)',
    description: 'Creates a response in the format of OpenAI, optionally streamed.',
    example: { model: 'mock/echo', input: 'Hello, tally!' },
  },
  readEvent: readResponsesEvent,
  usageOf: readUsage,
  issuedIn(answer, request) {
    const issued = new IssuedInResponse(request)
    issued.addResponse(answer)
    return issued.list()
  },
  outputOf: (answer) => textsOf(answer.output),
  readStream: (body) => new ResponsesStream(body),
  isPreamble: isResponsesPreamble,
  assembleStream: (maxChars) => new ResponseAssembler(maxChars),
  // Clients recognise `error` events by their name or by an `error` member, depending on their version.
  streamError: (body) => formatEvent(JSON.stringify({ type: 'error', ...body }), 'error'),
  mock: responsesMock,
})
