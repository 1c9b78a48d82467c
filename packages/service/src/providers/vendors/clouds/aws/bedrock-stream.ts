import { asText, type JsonObject, parseObject } from '@tallystick/record/json'
import type { Endpoint } from '../../../endpoints/index.js'
import { formatEvent } from '../../../transport/sse.js'
import type { StreamDecoder } from '../../vendor.js'
import { type EventStreamMessage, EventStreamSplitter } from './event-stream.js'

/** Maps Bedrock's error types to those of the messages dialect. */
const errorTypes: Readonly<Record<string, string>> = {
  throttlingException: 'rate_limit_error',
  validationException: 'invalid_request_error',
  serviceUnavailableException: 'overloaded_error',
  modelTimeoutException: 'timeout_error',
}

/** Decodes `invoke-with-response-stream`: each chunk contains one event of the model's own stream. */
export class BedrockStreamDecoder implements StreamDecoder {
  readonly contentType = 'text/event-stream; charset=utf-8'
  readonly #splitter = new EventStreamSplitter()
  readonly #dialect: Endpoint

  constructor(dialect: Endpoint) {
    this.#dialect = dialect
  }

  push(chunk: Buffer): Buffer {
    const events = this.#splitter.push(chunk).map((message) => this.#decode(message))
    return Buffer.from(events.join(''))
  }

  end(): Buffer {
    this.#splitter.end()
    return Buffer.alloc(0)
  }

  #decode({ headers, payload }: EventStreamMessage): string {
    const type = headers[':message-type']
    if (type === 'exception') {
      const name = headers[':exception-type'] ?? ''
      return this.#fail(name, asText(parsePayload(payload).message) || name)
    }
    if (type === 'error') return this.#fail('', headers[':error-message'] ?? headers[':error-code'] ?? '')
    // Event types that are added later are not output of the model.
    if (type !== 'event' || headers[':event-type'] !== 'chunk') return ''
    const json = Buffer.from(asText(parsePayload(payload).bytes), 'base64').toString()
    const { type: name } = parseJson(json)
    // Written on one line: valid JSON has line breaks only between its tokens.
    return formatEvent(
      json.replace(/[\r\n]+/g, ' '),
      typeof name === 'string' && /^\w+$/.test(name) ? name : undefined,
    )
  }

  #fail(name: string, message: string): string {
    const type = errorTypes[name] ?? 'api_error'
    return this.#dialect.streamError({
      error: { type, message: message || 'Bedrock ended the stream with an error' },
    })
  }
}

const parsePayload = (payload: Buffer): JsonObject => parseJson(payload.toString())

function parseJson(text: string): JsonObject {
  const object = parseObject(text)
  if (object === null) throw new Error('a message of the stream is not a JSON object')
  return object
}
