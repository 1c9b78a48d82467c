import { ApiError, serviceStopping } from '../../errors.js'
import { commitInTurns, outcomeOf, type Revocations, type ShutdownSignal } from '../../governed/index.js'
import { toApiError } from '../../http/index.js'
import type { JsonObject } from '../../json/index.js'
import type { EntryOutcome } from '../../ledger/index.js'
import type { WaitForTurn } from '../../turns.js'
import type { UpstreamEnd, UpstreamOwner, Upstreams } from '../upstream/contract.js'
import type { CallerLine } from './contract.js'
import type { ToolRuling } from './judge.js'
import { type ReceivedTool, readObject } from './received.js'
import { toRpcError } from './rpc-error.js'

export interface ExchangeParts {
  upstreams: Pick<Upstreams, 'request'>
  revocations: Pick<Revocations, 'watch'>
  shutdown: ShutdownSignal
  waitForTurn: WaitForTurn
}

/** How a call of a tool ended. */
export interface Ended {
  outcome: EntryOutcome
  status: number
  /** What the caller gets, once its receipt is durable; null when it is gone. */
  given: { resultJson: string } | { errorJson: string } | null
  /** What may be kept of that: without what policies put back for the caller. */
  kept: string | null
  /** The request may have reached the server. */
  isSent: boolean
  /** Why there is no result. */
  error: ApiError | null
  toolError: boolean
  rpcCode: number | null
  /** The server wants to know something before it goes on. */
  inputRequired: JsonObject | null
  /** Which bound ended it. */
  exceeded: 'answer_size' | 'reader' | null
}

const nothing = {
  ...{ isSent: false, error: null, toolError: false, rpcCode: null },
  ...{ inputRequired: null, exceeded: null },
}

/** A call that ends with an error in our own words. `outcome` applies unless the error is the fault of this service. */
export const endWith = (error: ApiError, outcome: EntryOutcome): Ended => ({
  ...nothing,
  outcome: outcomeOf(error, outcome),
  status: error.status,
  given: { errorJson: toRpcError(error) },
  kept: null,
  error,
})

const callerGone: Ended = { ...nothing, outcome: 'aborted', status: 499, given: null, kept: null }

/** Sends a call to its server, and reads what comes back. Everything that passes between the two is judged. Never rejects. */
export async function exchange(
  received: ReceivedTool,
  owner: UpstreamOwner,
  ruling: ToolRuling,
  parts: ExchangeParts,
): Promise<Ended> {
  const { request, entitlements } = received
  const { server, line } = request
  const abort = new AbortController()
  let isSent = false
  let early: Ended | null = null
  const end = (ended: Ended) => {
    early ??= ended
    abort.abort()
  }
  const stop = () => end(endWith(serviceStopping(), 'aborted'))
  if (line.isGone()) return callerGone
  if (parts.shutdown.fired()) return endWith(serviceStopping(), 'aborted')
  const stopHearing = line.onGone(() => end({ ...callerGone, exceeded: line.isStalled() ? 'reader' : null }))
  const stopWatching = parts.revocations.watch(entitlements, (why) => end(endWith(why, 'aborted')))
  parts.shutdown.add(stop)
  try {
    const messages = new JudgedMessages(received, ruling)
    const upstreamEnd = await parts.upstreams.request({
      server,
      owner,
      method: request.method,
      name: request.name,
      paramsJson: ruling.json,
      line: {
        capabilities: request.isModern || line.ask !== null ? line.capabilities : {},
        canAsk: line.ask !== null,
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
    const ended = early ?? (await read(upstreamEnd, received, ruling, parts))
    // A caller that hung up while its result was judged gets none of it.
    return { ...(early ?? ended), isSent }
  } catch (cause) {
    const error = toApiError(cause)
    return { ...endWith(error.serviceFault === null ? unreadable : error, 'upstream_error'), isSent }
  } finally {
    stopHearing()
    stopWatching()
    parts.shutdown.remove(stop)
  }
}

const unreadable = new ApiError('upstream_error', 'The server answered with something that cannot be read')

async function read(
  end: UpstreamEnd,
  { request }: ReceivedTool,
  { judge, isRedacted }: ToolRuling,
  { waitForTurn }: ExchangeParts,
): Promise<Ended> {
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
  const given = judged.json
  if (end.type === 'error')
    return {
      ...nothing,
      outcome: 'upstream_error',
      status: 502,
      given: { errorJson: given },
      kept: judged.redacted,
      error: new ApiError('upstream_error', 'The server answered with a protocol error'),
      rpcCode: end.code,
    }
  const result = await readObject(given, waitForTurn)
  const asks = result.resultType === 'input_required'
  return {
    ...nothing,
    outcome: isRedacted() ? 'redacted' : 'ok',
    status: 200,
    given: { resultJson: given },
    kept: judged.redacted,
    toolError: request.method === 'tools/call' && result.isError === true,
    inputRequired: asks ? result : null,
  }
}

/** What a caller is told while its call is under way. The rest is about the connection to the server, and stays here. */
const passedOn = new Set([
  'notifications/progress',
  'notifications/message',
  'notifications/elicitation/complete',
])

/** Questions that a caller can be asked. */
const questions = new Set(['elicitation/create', 'sampling/createMessage', 'roots/list'])

/** Passes messages between the server and the caller, as policies leave them. */
class JudgedMessages {
  readonly #line: CallerLine
  readonly #ruling: ToolRuling

  constructor({ request }: ReceivedTool, ruling: ToolRuling) {
    this.#line = request.line
    this.#ruling = ruling
  }

  notify(method: string, paramsJson: string): void {
    const { judge } = this.#ruling
    if (!passedOn.has(method)) return
    if (judge === null) this.#line.notify(method, paramsJson)
    else
      judge.judgeText(paramsJson).then(
        // One that is refused is dropped, and with it the result: what one call says is judged as a whole.
        ({ refusal, json }) => refusal === null && this.#line.notify(method, json),
        () => undefined,
      )
  }

  async ask(method: string, paramsJson: string): Promise<string> {
    const { ask } = this.#line
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

/** Commitment to what the caller is given. */
export async function commitToResult(
  key: Buffer,
  { given }: Pick<Ended, 'given'>,
  waitForTurn: WaitForTurn,
): Promise<string | null> {
  if (given === null) return null
  const json = 'resultJson' in given ? given.resultJson : given.errorJson
  return await commitInTurns(key, Buffer.from(json), waitForTurn)
}
