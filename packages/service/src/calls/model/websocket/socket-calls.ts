import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import { newId } from '../../../db/index.js'
import { type BodiesInFlight, type BodyAccount, type Principal, toApiError } from '../../../http/index.js'
import { endpoints } from '../../../providers/index.js'
import { type ApiError, invalidField, unauthorized } from '../../../shared/errors.js'
import { type CallKind, maxBodyBytes, runCall, tooLarge } from '../../core/index.js'
import type { ModelTypes } from '../attempt/attempt.js'
import type { ModelCallProgress } from '../call.js'
import type { ModelParts } from '../kind.js'
import { AnswerMessages } from './answer-messages.js'
import { Conversation, PreviousResponseLost } from './conversation.js'
import { joinItems } from './input-items.js'
import { type CreateMessage, readCreateMessage, toCallBody } from './message.js'
import { SocketCaller, type SocketChannel } from './socket-caller.js'
import { answerWarmUp } from './warm-up.js'

export interface SocketCallParts {
  gateway: ModelParts
  models: CallKind<ModelTypes>
  bodies: BodiesInFlight
  startProgress(headers: IncomingHttpHeaders): ModelCallProgress
  reportRefusal(refused: {
    id: string
    error: ApiError
    principal: Principal
    progress: ModelCallProgress
  }): void
}

/** The principal and the request that opened a socket. */
export interface SocketOrigin {
  principal: Principal
  /** The URL of the handshake, including the query. It applies to every call, as do the headers. */
  url: string
  headers: IncomingHttpHeaders
  log: FastifyBaseLogger
}

/** A message that becomes a call. */
interface CallUnderWay {
  id: string
  raw: Buffer
  account: BodyAccount
  caller: SocketCaller
  messages: AnswerMessages
  progress: ModelCallProgress
}

export interface StartedCall {
  /**
   * Resolves when the call has ended. `isFault` is true when the message was invalid. Never rejects, because errors are sent to the caller.
   */
  done: Promise<{ isFault: boolean }>
  /** Reports whether the answer has begun to reach the caller. */
  hasBegun(): boolean
}

/** The conversation that a later call can continue. */
interface ConversationState {
  id: string
  /** The input, including what was put before it. */
  input: Buffer
  /** Null when there was no room for it. */
  output: Buffer | null
}

/** The calls of one socket, and the conversation that they continue. */
export class SocketCalls {
  readonly #origin: SocketOrigin
  readonly #channel: SocketChannel
  readonly #parts: SocketCallParts
  readonly #conversation: Conversation

  constructor(origin: SocketOrigin, channel: SocketChannel, parts: SocketCallParts) {
    this.#origin = origin
    this.#channel = channel
    this.#parts = parts
    this.#conversation = new Conversation(() => parts.bodies.open(origin.principal))
  }

  start(raw: Buffer, account: BodyAccount): StartedCall {
    const { headers, log } = this.#origin
    const id = newId('req')
    const messages = new AnswerMessages(account)
    const callHeaders = { 'x-tallystick-request-id': id }
    const caller = new SocketCaller(this.#channel, messages, callHeaders, log.child({ requestId: id }))
    const progress = this.#parts.startProgress(headers)
    const done = this.#run({ id, raw, account, caller, messages, progress })
    return { done, hasBegun: () => caller.hasBegun }
  }

  forget(): void {
    this.#conversation.forget()
  }

  async #run(call: CallUnderWay): Promise<{ isFault: boolean }> {
    let message: CreateMessage | null = null
    let conversation: ConversationState | null = null
    try {
      message = await this.#read(call.raw)
      conversation = message.generate ? await this.#call(message, call) : await this.#warmUp(message)
    } catch (error) {
      const apiError = toApiError(error)
      const { id, progress, caller } = call
      this.#parts.reportRefusal({ id, error: apiError, principal: this.#origin.principal, progress })
      caller.sendError(apiError, {})
    } finally {
      call.account.release()
    }
    if (conversation !== null)
      this.#conversation.keep(conversation.id, conversation.input, conversation.output)
    return { isFault: message === null }
  }

  /** Parses the message. The account is released at once, because the composed call is parsed again. */
  async #read(raw: Buffer): Promise<CreateMessage> {
    const { bodies, gateway } = this.#parts
    const reading = bodies.open(this.#origin.principal)
    try {
      return await readCreateMessage(raw, {
        yieldToEventLoop: gateway.yieldToEventLoop,
        charge: (bytes) => reading.take(bytes),
      })
    } finally {
      reading.release()
    }
  }

  async #call(message: CreateMessage, call: CallUnderWay): Promise<ConversationState | null> {
    const { id, raw, account, caller, messages, progress } = call
    const { earlier, input } = this.#inputOf(message)
    const body = toCallBody(message, earlier)
    if (body.length > maxBodyBytes) throw tooLarge
    account.free(raw.length)
    account.take(body.length)
    const { principal, url, headers } = this.#origin
    const endpoint = endpoints.responses
    const { models, gateway } = this.#parts
    await runCall(models, { id, principal, url, headers, body, endpoint, caller, account, progress }, gateway)
    const answer = messages.answer(message.isStored)
    // The conversation before this input is not known here.
    const isPart = message.hasConversation || (message.previousId !== null && earlier === null)
    return isPart ? null : answer && input && { id: answer.id, input, output: answer.items }
  }

  async #warmUp(message: CreateMessage): Promise<ConversationState> {
    if ((await this.#parts.gateway.entitlementsOf(this.#origin.principal)) === null) throw unauthorized()
    const { earlier, input } = this.#inputOf(message)
    if (input === null) throw invalidField('input', 'must be a string or an array of items')
    if (message.previousId !== null && earlier === null) throw new PreviousResponseLost()
    if (input.length > maxBodyBytes) throw tooLarge
    const { id, messages } = answerWarmUp(message.model)
    for (const each of messages) this.#channel.send(each)
    return { id, input, output: nothing }
  }

  #inputOf({ previousId, items }: CreateMessage): { earlier: Buffer | null; input: Buffer | null } {
    const earlier = this.#conversation.upTo(previousId)
    return { earlier, input: items && joinItems(earlier ?? nothing, items) }
  }
}

const nothing = Buffer.alloc(0)
