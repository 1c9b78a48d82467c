import { asObject, editMembers, isObject, parseObject } from '@tallystick/record/json'
import { readJson } from '../../../shared/read-json.js'
import type { YieldToEventLoop } from '../../../shared/slice-queue.js'
import type { UpstreamChannel, UpstreamEnd } from '../contract.js'
import type { Deadline } from '../deadline.js'
import { badAnswer, UpstreamFault } from '../fault.js'
import { type Message, type MessageId, messageBounds } from './messages.js'
import { writeReply } from './params.js'

export interface MessageHandlerOptions {
  /** The id of our request. */
  id: number
  /** The caller's progress token as JSON. It replaces ours in messages to the caller. */
  tokenJson: string | null
  /** Whether the server may send requests of its own. Servers of the newer protocol must not. */
  canAsk: boolean
  channel: UpstreamChannel
  deadline: Deadline
  yieldToEventLoop: YieldToEventLoop
  /** Sends a message to the server. Failures are ignored. */
  send(message: Buffer): void
  /** Called when the server notifies that its tools have changed. */
  onListChanged(): void
}

const maxQuestions = 64
const maxQuestionsAtOnce = 8

const capabilityOf: Readonly<Record<string, string>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
}

/** Handles the messages that a server sends during one request, up to the answer. */
export class ServerMessageHandler {
  readonly #options: MessageHandlerOptions
  #questions = 0
  #open = 0
  #isOver = false

  constructor(options: MessageHandlerOptions) {
    this.#options = options
  }

  /** Handles a message. Returns the answer if the message is one. Throws an `UpstreamFault` for a message that is not expected. */
  async handle(message: Message): Promise<UpstreamEnd | null> {
    switch (message.type) {
      case 'notification':
        await this.#notify(message.method, message.paramsJson)
        return null
      case 'request':
        this.#ask(message.id, message.method, message.paramsJson)
        return null
      case 'error':
        // The id is null when the server could not read it.
        if (message.id !== null) this.#requireOwn(message.id)
        return { type: 'error', json: message.json, code: message.code }
      default:
        this.#requireOwn(message.id)
        return { type: 'result', json: message.json }
    }
  }

  /** Handles a message from the stream of the session. It is never the answer. */
  handleSessionMessage(message: Message): void {
    const handle = async () => {
      if (!this.#isOver && (message.type === 'request' || message.type === 'notification'))
        await this.handle(message)
    }
    handle().catch((error: unknown) => {
      if (error instanceof UpstreamFault) this.#options.deadline.fail(error)
    })
  }

  /** Stops sending replies, because the request has ended. */
  end(): void {
    this.#isOver = true
  }

  #requireOwn(id: MessageId | null): void {
    if (id !== this.#options.id) throw badAnswer('The server answered with the id of another request')
  }

  async #notify(method: string, paramsJson: string): Promise<void> {
    const { channel, deadline, onListChanged } = this.#options
    if (method === 'notifications/cancelled') return
    if (method === 'notifications/tools/list_changed') onListChanged()
    if (method !== 'notifications/progress') {
      channel.onNotification(method, paramsJson)
      return
    }
    deadline.extend()
    const named = await this.#withCallersToken(paramsJson)
    if (named !== null) channel.onNotification(method, named)
  }

  /** Returns a progress notification with the caller's token. Null for progress of another request. */
  async #withCallersToken(paramsJson: string): Promise<string | null> {
    const { id, tokenJson, yieldToEventLoop } = this.#options
    if (tokenJson === null || parseObject(paramsJson)?.progressToken !== id) return null
    const json = Buffer.from(paramsJson)
    const { members } = await readJson(json, messageBounds, yieldToEventLoop)
    return editMembers(json, members, new Map([['progressToken', tokenJson]])).toString()
  }

  #ask(id: MessageId, method: string, paramsJson: string): void {
    const { channel, deadline, canAsk } = this.#options
    // There is no way to reply to a server of the newer protocol.
    if (!canAsk) return
    this.#questions += 1
    if (this.#questions > maxQuestions || this.#open >= maxQuestionsAtOnce)
      throw badAnswer('The server asked too many questions')
    if (method === 'ping') {
      this.#reply(id, '{"result":{}}')
      return
    }
    const capability = Object.hasOwn(capabilityOf, method) ? capabilityOf[method] : undefined
    if (
      capability === undefined ||
      !channel.canAsk ||
      !isObject(asObject(channel.capabilities)[capability])
    ) {
      this.#reply(id, '{"error":{"code":-32601,"message":"Method not found"}}')
      return
    }
    this.#open += 1
    const resumeDeadline = deadline.pause()
    channel
      .ask(method, paramsJson)
      .catch(() => '{"error":{"code":-32603,"message":"The question was not answered"}}')
      .then((replyJson) => this.#reply(id, replyJson))
      .finally(() => {
        this.#open -= 1
        resumeDeadline()
      })
  }

  #reply(id: MessageId, replyJson: string): void {
    if (!this.#isOver) this.#options.send(writeReply(id, replyJson))
  }
}
