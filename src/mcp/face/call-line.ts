import { asObject, asText, editTextMembers, membersOf, parseObject } from '../../json/index.js'
import type { CallerLine } from '../call/contract.js'
import type { Answer } from './answer.js'
import type { McpOptions } from './contract.js'
import type { FaceCaller } from './face-caller.js'
import type { FaceLimits } from './limits.js'
import { isLoggedAt } from './log-level.js'
import { attribute } from './names.js'
import { codes, notificationText, requestText } from './rpc.js'

/** What the caller can be asked, by the capability that it must have said. */
const askable: Readonly<Record<string, string>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
}

export interface LineParts extends Pick<McpOptions, 'messages' | 'tokens'> {
  limits: FaceLimits
}

export interface LineTerms {
  caller: FaceCaller
  answer: Answer
  /** The server that the request goes to. */
  server: string
  /** JSON; null where the caller wants to hear of no progress. */
  progressToken: string | null
  /** From which level on it wants log messages; null for all, `none` for none. */
  logLevel: string | null | 'none'
}

/** The caller of one request, while that is under way. */
export class CallLine implements CallerLine {
  readonly capabilities
  readonly ask: CallerLine['ask']
  readonly #terms: LineTerms
  readonly #parts: LineParts
  readonly #listeners = new Set<() => void>()
  #isGone = false
  #openQuestions = 0

  constructor(terms: LineTerms, parts: LineParts) {
    this.#terms = terms
    this.#parts = parts
    const { caller, answer } = terms
    this.capabilities = caller.capabilities
    const canBeAsked = !caller.isModern && caller.session !== null && answer.mayStream
    this.ask = canBeAsked ? (method, paramsJson) => this.#ask(method, paramsJson) : null
  }

  isGone(): boolean {
    return this.#isGone
  }

  isStalled(): boolean {
    return this.#terms.answer.isStalled
  }

  onGone(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** The caller hung up, or wants no answer any more. */
  leave(): void {
    if (this.#isGone) return
    this.#isGone = true
    for (const listener of [...this.#listeners]) listener()
  }

  notify(method: string, paramsJson: string): void {
    if (this.#isGone || paramsJson.length > this.#parts.limits.noticeBytes) return
    const params = this.#paramsForCaller(method, paramsJson)
    if (params !== null) this.#terms.answer.push(notificationText(method, params))
  }

  /** Null for what the caller has not asked for, and for what is no news of its request. */
  #paramsForCaller(method: string, paramsJson: string): string | null {
    const { progressToken, logLevel, server, caller } = this.#terms
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
    const { caller, answer, server } = this.#terms
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
        const stop = messages.listen(session.tenantId, addressOfReply(session.id, question), (reply) =>
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

/** Where a reply to a question is sent, on whichever replica its asker waits. */
export const addressOfReply = (sessionId: string, question: string): string => `${sessionId}/${question}`

/** Where several servers may ask, the one that does is named before its words. */
function attributeQuestion(server: string, paramsJson: string): string {
  const { message } = asObject(parseObject(paramsJson))
  if (typeof message !== 'string') return paramsJson
  return editText(paramsJson, { message: JSON.stringify(attribute(server, message)) })
}

const editText = (json: string, changes: Record<string, string>): string =>
  editTextMembers(json, membersOf(json), new Map(Object.entries(changes)))

const refusal = (code: number, message: string): string => JSON.stringify({ error: { code, message } })
const callerIsGone = refusal(codes.refused, 'The client has gone, or does not read')
