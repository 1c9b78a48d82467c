import { toApiError } from '../../http/index.js'
import { scopeIdsOf } from '../../resources/keys/index.js'
import { ApiError, serviceStopping } from '../../shared/errors.js'
import type { YieldToEventLoop } from '../../shared/slice-queue.js'
import { commitYielding, type Revocations, type ShutdownSignal } from '../core/index.js'
import { callerGone, emptyAnswer, endWith, responseBytesOf, type ToolAnswer } from './answer.js'
import type { DecidedToolAttempt } from './call.js'
import type { CallerChannel, ToolRequest } from './contract.js'
import type { ToolRuling } from './policies/judge-arguments.js'
import { readObject } from './read-call.js'
import type { ToolUpstream, UpstreamEnd, UpstreamOwner } from './upstream.js'

export interface ExchangeParts {
  upstreams: ToolUpstream
  revocations: Pick<Revocations, 'watch'>
  shutdown: ShutdownSignal
  yieldToEventLoop: YieldToEventLoop
  /** The monotonic clock, in milliseconds. */
  now(): number
}

/** Sends a call to its server and reads the answer. Policies judge every message in both directions. Never rejects. */
export async function forwardTool(
  attempt: DecidedToolAttempt,
  ruling: ToolRuling,
  parts: ExchangeParts,
): Promise<ToolAnswer> {
  const { stages } = attempt.progress
  const answer = await exchange(attempt, ruling, parts)
  stages.forwardedMs = parts.now()
  stages.answeredMs = stages.forwardedMs
  answer.forwarded = ruling.json
  if (answer.response !== null) {
    const bytes = responseBytesOf(answer)
    answer.commitment = await commitYielding(attempt.commitmentKey, bytes, parts.yieldToEventLoop)
  }
  return answer
}

const ownerOf = ({ call: { request }, entitlements }: DecidedToolAttempt): UpstreamOwner => {
  const { tenantId, keyId, userId } = scopeIdsOf(entitlements)
  return { tenantId, keyId, userId, session: request.session, authorization: request.authorization }
}

async function exchange(
  attempt: DecidedToolAttempt,
  ruling: ToolRuling,
  parts: ExchangeParts,
): Promise<ToolAnswer> {
  const { entitlements } = attempt
  const { request } = attempt.call
  const { server, channel } = request
  const abort = new AbortController()
  let isSent = false
  let early: ToolAnswer | null = null
  const end = (ended: ToolAnswer) => {
    early ??= ended
    abort.abort()
  }
  const stop = () => end(endWith(serviceStopping(), 'aborted'))
  const stopListening = channel.onGone(() =>
    end({ ...callerGone, exceeded: channel.isStalled() ? 'reader' : null }),
  )
  const stopWatching = parts.revocations.watch(entitlements, (why) => end(endWith(why, 'aborted')))
  parts.shutdown.add(stop)
  try {
    const messages = new JudgedMessages(channel, ruling)
    const upstreamEnd = await parts.upstreams.request({
      server,
      owner: ownerOf(attempt),
      method: request.method,
      name: request.name,
      paramsJson: ruling.json,
      channel: {
        capabilities: request.isModern || channel.ask !== null ? channel.capabilities : {},
        canAsk: channel.ask !== null,
        onSent() {
          isSent = true
        },
        onNotification: (method, paramsJson) => messages.notify(method, paramsJson),
        ask: (method, paramsJson) => messages.ask(method, paramsJson),
      },
      timeoutMs: server.timeoutMs,
      maxBytes: server.maxResultBytes,
      signal: abort.signal,
    })
    const ended = early ?? (await read(upstreamEnd, request, ruling, parts))
    // A caller that disconnected while its result was being judged receives nothing.
    return { ...(early ?? ended), isSent }
  } catch (cause) {
    const error = toApiError(cause)
    return { ...endWith(error.serviceFault === null ? unreadable : error, 'upstream_error'), isSent }
  } finally {
    stopListening()
    stopWatching()
    parts.shutdown.remove(stop)
  }
}

const unreadable = new ApiError('upstream_error', 'The server answered with something that cannot be read')

async function read(
  end: UpstreamEnd,
  request: ToolRequest,
  { judge, isRedacted }: ToolRuling,
  { yieldToEventLoop }: ExchangeParts,
): Promise<ToolAnswer> {
  if (end.type === 'fault') return endWith(toApiError(end.cause), 'upstream_error')
  if (end.type === 'failure') {
    const isLate = end.failure === 'timeout'
    const error = new ApiError(isLate ? 'upstream_timeout' : 'upstream_error', end.message)
    const exceeded = end.failure === 'too_large' ? 'answer_size' : null
    return { ...endWith(error, 'upstream_error'), exceeded }
  }
  const judged =
    judge === null ? { refusal: null, json: end.json, redacted: end.json } : await judge.judgeText(end.json)
  if (judged.refusal !== null) return endWith(judged.refusal, 'blocked')
  const { json, redacted } = judged
  if (end.type === 'error')
    return {
      ...emptyAnswer,
      outcome: 'upstream_error',
      status: 502,
      response: { errorJson: json },
      redactedJson: redacted,
      error: new ApiError('upstream_error', 'The server answered with a protocol error'),
      rpcCode: end.code,
    }
  const result = await readObject(json, yieldToEventLoop)
  const asks = result.resultType === 'input_required'
  return {
    ...emptyAnswer,
    outcome: isRedacted() ? 'redacted' : 'ok',
    status: 200,
    response: { resultJson: json },
    redactedJson: redacted,
    toolError: request.method === 'tools/call' && result.isError === true,
    inputRequired: asks ? result : null,
  }
}

/** The notifications that are forwarded to the caller. The others concern only the connection to the server. */
const forwardedNotifications = new Set([
  'notifications/progress',
  'notifications/message',
  'notifications/elicitation/complete',
])

/** The requests of servers that are forwarded to the caller. */
const questions = new Set(['elicitation/create', 'sampling/createMessage', 'roots/list'])

/** Forwards messages between the server and the caller after policies have judged and changed them. */
class JudgedMessages {
  readonly #channel: CallerChannel
  readonly #ruling: ToolRuling

  constructor(channel: CallerChannel, ruling: ToolRuling) {
    this.#channel = channel
    this.#ruling = ruling
  }

  notify(method: string, paramsJson: string): void {
    const { judge } = this.#ruling
    if (!forwardedNotifications.has(method)) return
    if (judge === null) this.#channel.notify(method, paramsJson)
    else
      judge.judgeText(paramsJson).then(
        // A refused notification is dropped. The result is refused as well, because policies judge a call as a whole.
        ({ refusal, json }) => refusal === null && this.#channel.notify(method, json),
        () => undefined,
      )
  }

  async ask(method: string, paramsJson: string): Promise<string> {
    const { ask } = this.#channel
    if (ask === null || !questions.has(method)) return cannotAsk
    const { judge, judgeReply } = this.#ruling
    const question = judge === null ? { refusal: null, json: paramsJson } : await judge.judgeText(paramsJson)
    if (question.refusal !== null) return refusedQuestion
    const reply = await judgeReply(await ask(method, question.json))
    return reply.refusal === null ? reply.json : refusedReply
  }
}

const refusalOf = (code: number, message: string) => JSON.stringify({ error: { code, message } })
const refusedQuestion = refusalOf(-32_000, 'A policy refuses the question')
const refusedReply = refusalOf(-32_000, 'A policy refuses the answer')
const cannotAsk = refusalOf(-32_601, 'The caller cannot be asked')
