import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import { newId } from '../../db/index.js'
import { type ApiError, invalidField, unauthorized } from '../../errors.js'
import { maxBodyBytes, tooLarge } from '../../governed/index.js'
import { type BodiesInFlight, type BodyAccount, type Principal, toApiError } from '../../http/index.js'
import { dialects } from '../../providers/index.js'
import type { CallProgress } from '../call.js'
import { type GatewayParts, govern } from '../pipeline.js'
import { AnswerMessages } from './answer-messages.js'
import { Conversation, PreviousResponseLost } from './conversation.js'
import { joinItems } from './items.js'
import { type CreateMessage, readCreateMessage, toCallBody } from './message.js'
import { SocketCaller, type SocketLine } from './socket-caller.js'
import { answerWarmUp } from './warm-up.js'

export interface SocketCallParts {
  gateway: GatewayParts
  bodies: BodiesInFlight
  startProgress(headers: IncomingHttpHeaders): CallProgress
  tellRefusal(refused: { id: string; error: ApiError; principal: Principal; progress: CallProgress }): void
}

/** Who opened a socket, and with what. */
export interface Opener {
  principal: Principal
  /** Of the handshake, with its query; for every call, as are the headers. */
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
  progress: CallProgress
}

export interface StartedCall {
  /** The message turned out to be none. Never rejects: whatever happens is told to the caller. */
  done: Promise<{ isFault: boolean }>
  /** Its answer has begun to reach the caller. */
  hasBegun(): boolean
}

/** What a later call can go on from. */
interface Said {
  id: string
  /** With what was put before it. */
  input: Buffer
  /** Null where there was no room for it. */
  output: Buffer | null
}

/** The calls of one socket, and what they go on from. */
export class SocketCalls {
  readonly #opener: Opener
  readonly #line: SocketLine
  readonly #parts: SocketCallParts
  readonly #conversation: Conversation

  constructor(opener: Opener, line: SocketLine, parts: SocketCallParts) {
    this.#opener = opener
    this.#line = line
    this.#parts = parts
    this.#conversation = new Conversation(() => parts.bodies.open(opener.principal))
  }

  start(raw: Buffer, account: BodyAccount): StartedCall {
    const { headers, log } = this.#opener
    const id = newId('req')
    const messages = new AnswerMessages(account)
    const told = { 'x-tallystick-request-id': id }
    const caller = new SocketCaller(this.#line, messages, told, log.child({ requestId: id }))
    const progress = this.#parts.startProgress(headers)
    const done = this.#run({ id, raw, account, caller, messages, progress })
    return { done, hasBegun: () => caller.hasBegun }
  }

  forget(): void {
    this.#conversation.forget()
  }

  async #run(call: CallUnderWay): Promise<{ isFault: boolean }> {
    let message: CreateMessage | null = null
    let said: Said | null = null
    try {
      message = await this.#read(call.raw)
      said = message.generate ? await this.#govern(message, call) : await this.#warmUp(message)
    } catch (error) {
      const known = toApiError(error)
      const { id, progress, caller } = call
      this.#parts.tellRefusal({ id, error: known, principal: this.#opener.principal, progress })
      caller.sendError(known, {})
    } finally {
      call.account.release()
    }
    if (said !== null) this.#conversation.keep(said.id, said.input, said.output)
    return { isFault: message === null }
  }

  /** The call is read once more when it is put together: by then nothing is held of this. */
  async #read(raw: Buffer): Promise<CreateMessage> {
    const { bodies, gateway } = this.#parts
    const reading = bodies.open(this.#opener.principal)
    try {
      return await readCreateMessage(raw, {
        waitForTurn: gateway.waitForTurn,
        charge: (bytes) => reading.take(bytes),
      })
    } finally {
      reading.release()
    }
  }

  async #govern(message: CreateMessage, call: CallUnderWay): Promise<Said | null> {
    const { id, raw, account, caller, messages, progress } = call
    const { earlier, input } = this.#inputOf(message)
    const body = toCallBody(message, earlier)
    if (body.length > maxBodyBytes) throw tooLarge
    account.giveBack(raw.length)
    account.take(body.length)
    const { principal, url, headers } = this.#opener
    const incoming = { id, principal, url, headers, body }
    await govern(incoming, dialects.responses, caller, account, progress, this.#parts.gateway)
    const answer = messages.answer(message.isStored)
    // What came before its input is not known here.
    const isPart = message.hasConversation || (message.previousId !== null && earlier === null)
    return isPart ? null : answer && input && { id: answer.id, input, output: answer.items }
  }

  async #warmUp(message: CreateMessage): Promise<Said> {
    if ((await this.#parts.gateway.entitlementsOf(this.#opener.principal)) === null) throw unauthorized()
    const { earlier, input } = this.#inputOf(message)
    if (input === null) throw invalidField('input', 'must be a string or an array of items')
    if (message.previousId !== null && earlier === null) throw new PreviousResponseLost()
    if (input.length > maxBodyBytes) throw tooLarge
    const { id, messages } = answerWarmUp(message.model)
    for (const each of messages) this.#line.send(each)
    return { id, input, output: nothing }
  }

  #inputOf({ previousId, items }: CreateMessage): { earlier: Buffer | null; input: Buffer | null } {
    const earlier = this.#conversation.upTo(previousId)
    return { earlier, input: items && joinItems(earlier ?? nothing, items) }
  }
}

const nothing = Buffer.alloc(0)
