import { asObject, editMembers, isObject, parseObject } from '@tallystick/record/json'
import { readJson } from '../../../shared/read-json.js'
import type { WaitForTurn } from '../../../shared/turns.js'
import type { UpstreamChannel, UpstreamEnd } from '../contract.js'
import type { Deadline } from '../deadline.js'
import { badAnswer, UpstreamFault } from '../fault.js'
import { type Message, type MessageId, messageBounds } from './messages.js'
import { writeReply } from './params.js'

export interface ConversationOptions {
  /** Of our request. */
  id: number
  /** The caller's progress token as JSON, which stands for ours. */
  tokenJson: string | null
  /** Older servers ask by requests of their own; newer ones never do. */
  canAsk: boolean
  channel: UpstreamChannel
  deadline: Deadline
  waitForTurn: WaitForTurn
  /** Sends a message to the server, as well as it can. */
  send(message: Buffer): void
  /** The server says that what it offers has changed. */
  onListChanged(): void
}

const maxQuestions = 64
const maxQuestionsAtOnce = 8

const capabilityOf: Readonly<Record<string, string>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
}

/** What a server says while one request is under way, up to the answer. */
export class Conversation {
  readonly #options: ConversationOptions
  #questions = 0
  #open = 0
  #isOver = false

  constructor(options: ConversationOptions) {
    this.#options = options
  }

  /** The answer, if the message is it. Throws an `UpstreamFault` for what makes no sense here. */
  async take(message: Message): Promise<UpstreamEnd | null> {
    switch (message.type) {
      case 'notification':
        await this.#notify(message.method, message.paramsJson)
        return null
      case 'request':
        this.#ask(message.id, message.method, message.paramsJson)
        return null
      case 'error':
        // A server that could not read the id says null.
        if (message.id !== null) this.#requireOwn(message.id)
        return { type: 'error', json: message.json, code: message.code }
      default:
        this.#requireOwn(message.id)
        return { type: 'result', json: message.json }
    }
  }

  /** Takes what the server says elsewhere in the session. */
  overhear(message: Message): void {
    const take = async () => {
      if (!this.#isOver && (message.type === 'request' || message.type === 'notification'))
        await this.take(message)
    }
    take().catch((error: unknown) => {
      if (error instanceof UpstreamFault) this.#options.deadline.fail(error)
    })
  }

  /** Replies that come later are not sent. */
  end(): void {
    this.#isOver = true
  }

  #requireOwn(id: MessageId | null): void {
    if (id !== this.#options.id)
      throw badAnswer('The server answered another request than the one it was sent')
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

  /** Null for progress of another request. */
  async #withCallersToken(paramsJson: string): Promise<string | null> {
    const { id, tokenJson, waitForTurn } = this.#options
    if (tokenJson === null || parseObject(paramsJson)?.progressToken !== id) return null
    const json = Buffer.from(paramsJson)
    const { members } = await readJson(json, messageBounds, waitForTurn)
    return editMembers(json, members, new Map([['progressToken', tokenJson]])).toString()
  }

  #ask(id: MessageId, method: string, paramsJson: string): void {
    const { channel, deadline, canAsk } = this.#options
    // It has no way of answering.
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
    const countOn = deadline.hold()
    channel
      .ask(method, paramsJson)
      .catch(() => '{"error":{"code":-32603,"message":"The question was not answered"}}')
      .then((replyJson) => this.#reply(id, replyJson))
      .finally(() => {
        this.#open -= 1
        countOn()
      })
  }

  #reply(id: MessageId, replyJson: string): void {
    if (!this.#isOver) this.#options.send(writeReply(id, replyJson))
  }
}
