import { ApiError } from '../../errors.js'
import type { AnswerJudge } from '../../modules/policies/index.js'
import type { UpstreamCall, UpstreamSink } from '../../providers/index.js'
import type { DecidedCall } from '../decided-call.js'
import { upstreamHeaders } from '../headers.js'
import { judgeWholeAnswer } from '../judged/answer.js'
import type { StopBell } from '../shutdown-signal.js'
import { GuardedRelay } from '../stream/guarded-relay.js'
import { isEventStream, type Relay, type RelayOptions } from '../stream/output.js'
import { StreamRelay } from '../stream/relay.js'
import { type Answer, type Ending, readWholeAnswer, type UpstreamHead, withoutAnswer } from './answer.js'

export interface ForwardParts {
  stopBell: StopBell
  /** Milliseconds that only grow. */
  now(): number
}

// A batch of 2,048 embeddings of 3,072 numbers each is about 75 MB.
const maxAnswerBytes = 128 * 1024 * 1024

const shuttingDown = new ApiError('unavailable', 'The service is shutting down')
const callerGone: Ending = { outcome: 'aborted', status: 499, error: null }
const serviceStops: Ending = { outcome: 'aborted', status: shuttingDown.status, error: shuttingDown }

/** Sends the call to its provider. Streams flow to the caller as they come; all but their end. Never rejects. */
export function forward(
  decided: DecidedCall,
  body: Buffer,
  parts: ForwardParts,
  judge: AnswerJudge | null,
): Promise<Answer> {
  return new Promise((resolve) => new Exchange(decided, parts, judge, resolve).start(body))
}

/** One call on its way to a provider and back. It ends exactly once, whatever the provider, the caller or we do. */
class Exchange implements UpstreamSink {
  readonly #decided: DecidedCall
  readonly #parts: ForwardParts
  /** Policies that look at the answer. */
  readonly #judge: AnswerJudge | null
  readonly #resolve: (answer: Answer) => void
  readonly #chunks: Buffer[] = []
  #size = 0
  #head: UpstreamHead = { status: 0, headers: {} }
  #relay: Relay | null = null
  #firstByteMs: number | null = null
  #upstream: UpstreamCall | null = null
  #over = false
  readonly #hangUp = () => this.#breakOff(callerGone)
  readonly #stop = () => this.#breakOff(serviceStops)

  constructor(
    decided: DecidedCall,
    parts: ForwardParts,
    judge: AnswerJudge | null,
    resolve: (answer: Answer) => void,
  ) {
    this.#decided = decided
    this.#parts = parts
    this.#judge = judge
    this.#resolve = resolve
  }

  start(body: Buffer): void {
    const { call, plan, reply } = this.#decided
    const { stopBell } = this.#parts
    if (reply.raw.destroyed) this.#hangUp()
    else if (stopBell.rung()) this.#stop()
    if (this.#over) return
    reply.raw.on('close', this.#hangUp)
    stopBell.add(this.#stop)
    const { provider, model } = plan.target
    const headers = upstreamHeaders(call.headers)
    const request = { dialect: call.dialect.name, model, stream: call.stream, body, headers }
    this.#step(() => {
      this.#upstream = provider.transport.send(request, this)
    })
  }

  head(status: number, headers: UpstreamHead['headers']): void {
    if (this.#over) return
    this.#head = { status, headers }
    const { call, reply, commitmentKey } = this.#decided
    if (!call.stream || !isEventStream(this.#head)) return
    this.#step(() => {
      const options: RelayOptions = {
        ...{ call, reply, commitmentKey, headers },
        resume: () => this.#upstream?.resume(),
        done: (answer) => this.#finish(answer),
        breakOff: (ending) => this.#breakOff(ending),
      }
      this.#relay = this.#judge ? new GuardedRelay(options, this.#judge) : new StreamRelay(options)
    })
  }

  data(chunk: Buffer): boolean {
    let wantsMore = true
    // Behind the end of an answer there is nothing to wait for.
    if (this.#over) this.#upstream?.abort()
    else
      this.#step(() => {
        wantsMore = this.#take(chunk)
      })
    return wantsMore
  }

  #take(chunk: Buffer): boolean {
    this.#firstByteMs ??= this.#parts.now() - this.#decided.startedMs
    if (this.#relay) return this.#relay.push(chunk)
    this.#chunks.push(chunk)
    this.#size += chunk.length
    if (this.#size > maxAnswerBytes) throw new Error('the answer is too large')
    return true
  }

  end(): void {
    if (this.#over) return
    this.#step(() => {
      const body = Buffer.concat(this.#chunks, this.#size)
      if (this.#relay) this.#relay.end()
      else if (this.#judge) this.#judgeWhole(body, this.#judge)
      else this.#finish(readWholeAnswer(this.#decided, this.#head, body))
    })
  }

  /** The answer is here and paid for: whether its caller hangs up meanwhile makes no difference to what it was. */
  #judgeWhole(body: Buffer, judge: AnswerJudge): void {
    this.#stopListening()
    judgeWholeAnswer(this.#decided, this.#head, body, judge).then(
      (answer) => this.#finish(answer),
      (cause) => this.fail(new ApiError('internal_error', 'The answer could not be judged', {}, { cause })),
    )
  }

  fail(error: ApiError): void {
    this.#breakOff({ outcome: 'upstream_error', status: error.status, error })
  }

  /** A provider may send anything. Whatever reading it throws, the call must not stay open. */
  #step(read: () => void): void {
    try {
      read()
    } catch (cause) {
      this.fail(new ApiError('upstream_error', 'The answer of the provider cannot be read', {}, { cause }))
    }
  }

  #breakOff(ending: Ending): void {
    if (this.#over) return
    this.#upstream?.abort()
    const wasSent = this.#upstream !== null
    this.#finish(
      this.#relay ? this.#relay.breakOff(ending) : withoutAnswer(this.#decided.reply, ending, wasSent),
    )
  }

  #finish(answer: Answer): void {
    if (this.#over) return
    this.#over = true
    this.#stopListening()
    answer.firstByteMs = this.#firstByteMs
    this.#resolve(answer)
  }

  #stopListening(): void {
    this.#decided.reply.raw.off('close', this.#hangUp)
    this.#parts.stopBell.remove(this.#stop)
  }
}
