import { asObject, asText, editTextMembers, membersOf, parseObject } from '@tallystick/record/json'
import type { CallerChannel } from '../../../calls/tool/index.js'
import type { Answer } from '../answer/answer.js'
import type { McpCaller } from '../caller.js'
import type { McpOptions } from '../contract.js'
import type { McpServerLimits } from '../limits.js'
import { attribute } from '../protocol/names.js'
import { codes, notificationText, requestText } from '../protocol/rpc.js'
import { isLoggedAt } from './log-level.js'

/** The requests that can be sent to the caller, with the capability that each requires. */
const askable: Readonly<Record<string, string>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
}

export interface ChannelParts extends Pick<McpOptions, 'messages' | 'tokens'> {
  limits: McpServerLimits
}

export interface ChannelOptions {
  caller: McpCaller
  answer: Answer
  /** The name of the server that receives the request. */
  server: string
  /** The caller's progress token as JSON. Null when the caller did not ask for progress. */
  progressToken: string | null
  /** The lowest level of log messages that the caller receives. Null for all, `none` for none. */
  logLevel: string | null | 'none'
}

/** The connection to the caller of one open request. */
export class CallChannel implements CallerChannel {
  readonly capabilities
  readonly ask: CallerChannel['ask']
  readonly #options: ChannelOptions
  readonly #parts: ChannelParts
  // Bounded: one call.
  readonly #listeners = new Set<() => void>()
  #isGone = false
  #openQuestions = 0

  constructor(options: ChannelOptions, parts: ChannelParts) {
    this.#options = options
    this.#parts = parts
    const { caller, answer } = options
    this.capabilities = caller.capabilities
    const canBeAsked = !caller.isModern && caller.session !== null && answer.mayStream
    this.ask = canBeAsked ? (method, paramsJson) => this.#ask(method, paramsJson) : null
  }

  isGone(): boolean {
    return this.#isGone
  }

  isStalled(): boolean {
    return this.#options.answer.isStalled
  }

  onGone(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Called when the caller disconnects or cancels. */
  leave(): void {
    if (this.#isGone) return
    this.#isGone = true
    for (const listener of [...this.#listeners]) listener()
  }

  notify(method: string, paramsJson: string): void {
    if (this.#isGone || paramsJson.length > this.#parts.limits.noticeBytes) return
    const params = this.#paramsForCaller(method, paramsJson)
    if (params !== null) this.#options.answer.push(notificationText(method, params))
  }

  /** Returns the params for the caller. Null for notifications that it did not ask for or that do not concern its request. */
  #paramsForCaller(method: string, paramsJson: string): string | null {
    const { progressToken, logLevel, server, caller } = this.#options
    switch (method) {
      case 'notifications/progress':
        if (progressToken === null) return null
        return editText(paramsJson, { progressToken })
      case 'notifications/message': {
        const { level, logger } = asObject(parseObject(paramsJson))
        if (logLevel === 'none' || !isLoggedAt(level, logLevel)) return null
        const name = asText(logger) === '' ? server : `${server}/${asText(logger)}`
        return editText(paramsJson, { logger: JSON.stringify(name) })
      }
      case 'notifications/elicitation/complete':
        return caller.isModern ? null : paramsJson
      default:
        return null
    }
  }

  async #ask(method: string, paramsJson: string): Promise<string> {
    const { caller, answer, server } = this.#options
    const { limits, tokens, messages } = this.#parts
    const capability = Object.hasOwn(askable, method) ? askable[method] : undefined
    const { session } = caller
    if (session === null || capability === undefined || this.capabilities[capability] === undefined)
      return refusal(codes.methodNotFound, 'The client cannot be asked this')
    if (this.#openQuestions >= limits.openQuestions)
      return refusal(codes.refused, 'Too many questions to the client are open')
    if (paramsJson.length > limits.noticeBytes) return refusal(codes.refused, 'The question is too long')
    const question = tokens.newQuestion(session)
    const params = caller.server === null ? attributeQuestion(server, paramsJson) : paramsJson
    this.#openQuestions += 1
    try {
      return await new Promise<string>((resolve) => {
        const stop = messages.listen(session.tenantId, replyAddressOf(session.id, question), (reply) =>
          done(reply),
        )
        const stopWatching = this.onGone(() => done(callerIsGone))
        const done = (reply: string) => {
          stop()
          stopWatching()
          resolve(reply)
        }
        if (this.#isGone || !answer.push(requestText(question, method, params))) done(callerIsGone)
      })
    } finally {
      this.#openQuestions -= 1
    }
  }
}

/** Returns the address to which a reply to a question is sent. The waiting call may be on another replica. */
export const replyAddressOf = (sessionId: string, question: string): string => `${sessionId}/${question}`

/** Adds the name of the server to a question, for callers that see several servers. */
function attributeQuestion(server: string, paramsJson: string): string {
  const { message } = asObject(parseObject(paramsJson))
  if (typeof message !== 'string') return paramsJson
  return editText(paramsJson, { message: JSON.stringify(attribute(server, message)) })
}

const editText = (json: string, changes: Record<string, string>): string =>
  editTextMembers(json, membersOf(json), new Map(Object.entries(changes)))

const refusal = (code: number, message: string): string => JSON.stringify({ error: { code, message } })
const callerIsGone = refusal(codes.refused, 'The client has disconnected or does not read')
