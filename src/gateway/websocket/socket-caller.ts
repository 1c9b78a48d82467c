import type { ApiError } from '../../errors.js'
import { asArray, asText, parseObject } from '../../json/index.js'
import type { Caller, CallerStream } from '../caller.js'
import type { AnswerMessages } from './answer-messages.js'
import { errorMessage, refusalMessage } from './error-message.js'

type Headers = Record<string, string>

/** A socket, for the call that has it at the moment. */
export interface SocketLine {
  isOpen(): boolean
  /** It was ended because its peer took nothing for too long. */
  isStalled(): boolean
  send(message: string): void
  /** What was sent is not read as fast. */
  needsDrain(): boolean
  /** Calls back whenever that is over, until the next call. */
  onDrain(listener: () => void): void
  onClose(listener: () => void): () => void
  terminate(): void
}

/** Whoever waits for the answer to a call at the other end of a socket: each event of the answer is a message. */
export class SocketCaller implements Caller {
  readonly log: Caller['log']
  readonly #line: SocketLine
  readonly #messages: AnswerMessages
  #headers: Headers
  #hasBegun = false

  constructor(line: SocketLine, messages: AnswerMessages, headers: Headers, log: Caller['log']) {
    this.#line = line
    this.#messages = messages
    this.#headers = headers
    this.log = log
  }

  get hasBegun(): boolean {
    return this.#hasBegun
  }

  /** There is no place for them but in errors. */
  addHeaders(headers: Headers): void {
    this.#headers = { ...this.#headers, ...headers }
  }

  isGone = (): boolean => !this.#line.isOpen()
  isStalled = (): boolean => this.#line.isStalled()
  onGone = (listener: () => void): (() => void) => this.#line.onClose(listener)

  send(status: number, headers: Headers, body: Buffer): void {
    const content = parseObject(body.toString())
    if (status < 200 || status > 299 || content === null) {
      const { 'retry-after': seconds } = headers
      const told = seconds === undefined ? this.#headers : { ...this.#headers, 'retry-after': seconds }
      this.#line.send(refusalMessage(status, content, told))
      return
    }
    // A provider that does not stream: the events that matter, in their order.
    const events = [
      { type: 'response.created', response: { ...content, status: 'in_progress', output: [] } },
      ...asArray(content.output).map((item, output_index) => ({
        type: 'response.output_item.done',
        output_index,
        item,
      })),
      { type: `response.${asText(content.status) || 'completed'}`, response: content },
    ]
    for (const [sequence_number, event] of events.entries())
      this.#line.send(this.#messages.add({ ...event, sequence_number }))
  }

  sendError(error: ApiError, headers: Headers): void {
    const code = isAboutPreviousResponse(error) ? 'previous_response_not_found' : error.type
    this.#line.send(errorMessage(error, { ...this.#headers, ...headers }, code))
  }

  abandon(): void {}

  openStream(): CallerStream {
    this.#hasBegun = true
    const line = this.#line
    const send = (messages: readonly string[]) => {
      for (const message of messages) line.send(message)
    }
    return {
      write: (bytes) => {
        send(this.#messages.push(bytes))
        return !line.needsDrain()
      },
      needsDrain: () => line.needsDrain(),
      onDrain: (listener) => line.onDrain(listener),
      end: (bytes) => send(this.#messages.end(Buffer.from(bytes))),
      destroy: () => line.terminate(),
    }
  }
}

/** By the code that they get then, clients know that they have to send the whole conversation. */
const isAboutPreviousResponse = ({ extras }: ApiError): boolean =>
  extras.details?.some(({ path }) => path === 'previous_response_id') === true
