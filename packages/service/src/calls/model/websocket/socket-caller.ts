import { asArray, asText, parseObject } from '@tallystick/record/json'
import type { ApiError } from '../../../shared/errors.js'
import type { Caller, CallerStream } from '../caller.js'
import type { AnswerMessages } from './answer-messages.js'
import { errorMessage, refusalMessage } from './error-message.js'

type Headers = Record<string, string>

/** The socket as the open call uses it. */
export interface SocketChannel {
  isOpen(): boolean
  /** True when the socket was closed because its peer stopped reading. */
  isStalled(): boolean
  send(message: string): void
  /** True while the peer reads more slowly than is sent. */
  needsDrain(): boolean
  /** Calls back whenever the peer has caught up, until the next call begins. */
  onDrain(listener: () => void): void
  onClose(listener: () => void): () => void
  terminate(): void
}

/** The caller at the other end of a socket. Each event of the answer is sent as a message. */
export class SocketCaller implements Caller {
  readonly log: Caller['log']
  readonly #channel: SocketChannel
  readonly #messages: AnswerMessages
  #headers: Headers
  #hasBegun = false

  constructor(channel: SocketChannel, messages: AnswerMessages, headers: Headers, log: Caller['log']) {
    this.#channel = channel
    this.#messages = messages
    this.#headers = headers
    this.log = log
  }

  get hasBegun(): boolean {
    return this.#hasBegun
  }

  /** Stores headers for errors, the only messages that can carry them. */
  addHeaders(headers: Headers): void {
    this.#headers = { ...this.#headers, ...headers }
  }

  isGone = (): boolean => !this.#channel.isOpen()
  isStalled = (): boolean => this.#channel.isStalled()
  onGone = (listener: () => void): (() => void) => this.#channel.onClose(listener)

  send(status: number, headers: Headers, body: Buffer): void {
    const content = parseObject(body.toString())
    if (status < 200 || status > 299 || content === null) {
      const { 'retry-after': seconds } = headers
      const shown = seconds === undefined ? this.#headers : { ...this.#headers, 'retry-after': seconds }
      this.#channel.send(refusalMessage(status, content, shown))
      return
    }
    // For a provider that does not stream, the relevant events are sent in order.
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
      this.#channel.send(this.#messages.add({ ...event, sequence_number }))
  }

  sendError(error: ApiError, headers: Headers): void {
    const code = isAboutPreviousResponse(error) ? 'previous_response_not_found' : error.type
    this.#channel.send(errorMessage(error, { ...this.#headers, ...headers }, code))
  }

  abandon(): void {}

  openStream(): CallerStream {
    this.#hasBegun = true
    const channel = this.#channel
    const send = (messages: readonly string[]) => {
      for (const message of messages) channel.send(message)
    }
    return {
      write: (bytes) => {
        send(this.#messages.push(bytes))
        return !channel.needsDrain()
      },
      needsDrain: () => channel.needsDrain(),
      onDrain: (listener) => channel.onDrain(listener),
      end: (bytes) => send(this.#messages.end(Buffer.from(bytes))),
      destroy: () => channel.terminate(),
    }
  }
}

/** True for errors about `previous_response_id`. Their code tells clients to send the whole conversation. */
const isAboutPreviousResponse = ({ extras }: ApiError): boolean =>
  extras.details?.some(({ path }) => path === 'previous_response_id') === true
