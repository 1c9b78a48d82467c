import type { FastifyReply } from 'fastify'
import { ApiError } from '../errors.js'
import { parseObject, type TokenUsage, type UpstreamCall } from '../providers/index.js'
import type { Answer } from './answer.js'
import type { Call } from './call.js'
import { commitTo } from './commitment.js'
import { passHeaders, upstreamHeaders } from './headers.js'
import type { Plan } from './plan.js'
import { StreamRelay } from './stream-relay.js'

export interface ForwardOptions {
  call: Call
  plan: Plan
  reply: FastifyReply
  commitmentKey: Buffer
  /** Aborted when the service must stop and can wait no longer. */
  stopping: AbortSignal
  now(): number
}

const maxAnswerBytes = 128 * 1024 * 1024
const callerGoneStatus = 499

/** Sends the call to its provider. Streams flow to the caller as they come; all but their end. */
export function forward(options: ForwardOptions): Promise<Answer> {
  const { call, plan, reply, commitmentKey, stopping, now } = options
  const startedMs = now()
  let resolve: (answer: Answer) => void = () => undefined
  const promise = new Promise<Answer>((settled) => {
    resolve = settled
  })
  const chunks: Buffer[] = []
  let size = 0
  let status = 0
  let headers: Record<string, string | string[] | undefined> = {}
  let relay: StreamRelay | null = null
  let firstByteMs: number | null = null
  let over = false

  function settle(answer: Answer): void {
    if (over) return
    over = true
    reply.raw.off('close', hangUp)
    stopping.removeEventListener('abort', stop)
    resolve(answer)
  }

  function giveUp(reason: { status: number; error: ApiError | null }): void {
    upstream.abort()
    if (relay) return settle(relay.broken({ ...reason, outcome: 'aborted' }))
    settle(withoutAnswer({ reply, firstByteMs, outcome: 'aborted', produced: [], ...reason }))
  }
  const hangUp = () => giveUp({ status: callerGoneStatus, error: null })
  const stop = () => giveUp({ status: 503, error: new ApiError('unavailable', 'The service is shutting down') })

  const upstream: UpstreamCall = plan.target.provider.transport.send(
    { dialect: call.dialect.name, model: plan.target.model, stream: call.stream, body: plan.body, headers: upstreamHeaders(call.headers) },
    {
      head(upstreamStatus, upstreamHead) {
        firstByteMs = now() - startedMs
        status = upstreamStatus
        headers = upstreamHead
        const streamed = call.stream && status === 200 && String(headers['content-type']).includes('text/event-stream')
        if (streamed) relay = new StreamRelay({ call, reply, commitmentKey, firstByteMs, headers, resume: () => upstream.resume(), done: settle })
      },
      data(chunk) {
        if (over) return true
        if (relay) return relay.push(chunk)
        chunks.push(chunk)
        size += chunk.length
        if (size > maxAnswerBytes) this.fail(new ApiError('upstream_error', 'The answer of the provider is too large'))
        return true
      },
      end() {
        if (relay) return relay.end()
        settle(wholeAnswer({ call, reply, status, headers, firstByteMs, body: Buffer.concat(chunks), commitmentKey }))
      },
      fail(error) {
        if (relay) return settle(relay.broken({ status: error.status, error, outcome: 'upstream_error' }))
        settle(withoutAnswer({ reply, firstByteMs, outcome: 'upstream_error', status: error.status, error, produced: null }))
        upstream?.abort()
      },
    },
  )
  // Not before the call is on its way: from here on, hanging up must reach the provider.
  reply.raw.on('close', hangUp)
  stopping.addEventListener('abort', stop)
  if (reply.raw.destroyed) hangUp()
  else if (stopping.aborted) stop()
  return promise
}

function wholeAnswer(got: {
  call: Call
  reply: FastifyReply
  status: number
  headers: Record<string, string | string[] | undefined>
  firstByteMs: number | null
  body: Buffer
  commitmentKey: Buffer
}): Answer {
  const { call, reply, status, headers, body } = got
  const ok = status < 400
  const parsed = ok ? parseObject(body.toString()) : null
  return {
    outcome: ok ? 'ok' : 'upstream_error',
    status,
    usage: parsed ? call.dialect.usageOf(parsed) : null,
    produced: ok ? [body.toString()] : null,
    upstreamModel: typeof parsed?.model === 'string' ? parsed.model : null,
    firstByteMs: got.firstByteMs,
    commitment: commitTo(got.commitmentKey, body),
    release: (added) => void reply.code(status).headers({ ...passHeaders(headers), ...added }).send(body),
    withhold: (error) => void reply.send(error),
  }
}

function withoutAnswer(got: {
  reply: FastifyReply
  outcome: 'upstream_error' | 'aborted'
  status: number
  error: ApiError | null
  firstByteMs: number | null
  produced: readonly string[] | null
}): Answer {
  const end = (headers: Record<string, string>) => {
    // A caller that hung up is sent nothing; taking the reply over tells the framework so.
    if (got.error) got.reply.headers(headers).send(got.error)
    else got.reply.hijack()
  }
  return {
    outcome: got.outcome,
    status: got.status,
    usage: null,
    produced: got.produced,
    upstreamModel: null,
    firstByteMs: got.firstByteMs,
    commitment: null,
    release: end,
    withhold: () => end({}),
  }
}
