import { asText, type JsonObject, parseObject } from '../../json/index.js'
import type { Dialect } from '../dialects/index.js'
import { formatEvent } from '../sse.js'
import type { StreamDecoder } from '../vendors/vendor.js'
import { type EventStreamMessage, EventStreamSplitter } from './event-stream.js'

/** What Bedrock calls a failure, in the words of the messages dialect. */
const errorTypes: Readonly<Record<string, string>> = {
  throttlingException: 'rate_limit_error',
  validationException: 'invalid_request_error',
  serviceUnavailableException: 'overloaded_error',
  modelTimeoutException: 'timeout_error',
}

/** `invoke-with-response-stream`: each chunk has one event of the model's own stream in it. */
export class BedrockStreamDecoder implements StreamDecoder {
  readonly contentType = 'text/event-stream; charset=utf-8'
  readonly #splitter = new EventStreamSplitter()
  readonly #dialect: Dialect

  constructor(dialect: Dialect) {
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
    // Whatever kinds of events are added later are not the model's words.
    if (type !== 'event' || headers[':event-type'] !== 'chunk') return ''
    const json = Buffer.from(asText(parsePayload(payload).bytes), 'base64').toString()
    const { type: name } = parseJson(json)
    // In one line: valid JSON has line ends between its tokens alone.
    return formatEvent(
      json.replace(/[\r\n]+/g, ' '),
      typeof name === 'string' && /^\w+$/.test(name) ? name : undefined,
    )
  }

  #fail(name: string, message: string): string {
    const type = errorTypes[name] ?? 'api_error'
    return this.#dialect.streamError({ error: { type, message: message || 'Bedrock broke off the stream' } })
  }
}

const parsePayload = (payload: Buffer): JsonObject => parseJson(payload.toString())

function parseJson(text: string): JsonObject {
  const object = parseObject(text)
  if (object === null) throw new Error('a message of the stream is not a JSON object')
  return object
}
