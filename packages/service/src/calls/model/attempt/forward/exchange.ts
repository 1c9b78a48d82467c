import type { AnswerJudge } from '../../../../policies/index.js'
import type { AnswerLimit, FailureKind, UpstreamCall, UpstreamSink } from '../../../../providers/index.js'
import { ApiError, serviceStopping } from '../../../../shared/errors.js'
import {
  type Answer,
  callerGone,
  createEmptyAnswer,
  type Ending,
  hideAnswer,
  hideFromGoneCaller,
  readWholeAnswer,
  toEnding,
  type UpstreamHead,
} from '../../answer.js'
import { judgeWholeAnswer } from '../../policies/judge-answer.js'
import { GuardedRelay } from '../../stream/guarded-relay.js'
import { isEventStream, type Relay, type RelayOptions } from '../../stream/relay-contract.js'
import { StreamRelay } from '../../stream/stream-relay.js'
import type { DecidedModelAttempt } from '../attempt.js'
import { AnswerBuffer } from './answer-buffer.js'
import { findSizeError } from './answer-size.js'
import { AnswerTimes } from './answer-times.js'
import type { CallSignals, SignalHandlers } from './call-signals.js'
import { describeFailure } from './failure.js'
import type { ForwardParts } from './forward-parts.js'
import { type JudgedBody, toUpstreamRequest } from './upstream-request.js'

/** One request to a provider and its answer. It ends exactly once, whatever the provider, the caller or this service does. */
export class Exchange implements UpstreamSink, SignalHandlers {
  readonly #attempt: DecidedModelAttempt
  /** Null when no policy judges the answer. */
  readonly #judge: AnswerJudge | null
  readonly #resolve: (answer: Answer) => void
  /** An answer that is not a stream. */
  readonly #buffer: AnswerBuffer
  readonly #times: AnswerTimes
  /** Relays a stream. Null before a stream has begun, and for an answer that is not a stream. */
  #relay: Relay | null = null
  #head: UpstreamHead = { status: 0, headers: {} }
  #size = 0
  #upstream: UpstreamCall | null = null
  #signals: CallSignals | null = null
  #isOver = false
  /** Whether the provider may have received the request. Null before it is sent. */
  #mayHaveArrived: boolean | null = null
  #isCallerGone = false
  #grace: NodeJS.Timeout | undefined
  #retryAfterMs: number | null = null
  #transportFailure: FailureKind | null = null
  /** The limit that cut the answer short. */
  #exceeded: AnswerLimit | null = null
  /** Why the caller may no longer see the answer. */
  #revoked: ApiError | null = null

  constructor(
    attempt: DecidedModelAttempt,
    judge: AnswerJudge | null,
    { answers, now }: Pick<ForwardParts, 'answers' | 'now'>,
    resolve: (answer: Answer) => void,
  ) {
    this.#attempt = attempt
    this.#judge = judge
    this.#resolve = resolve
    this.#buffer = new AnswerBuffer(attempt, answers)
    this.#times = new AnswerTimes(attempt.progress.stages, now)
  }

  /** Sends the request. `signals` are those that call the handlers of this exchange. */
  start(judged: JudgedBody, signals: CallSignals): void {
    const { content, entitlements, reservation } = this.#attempt
    this.#signals = signals
    content?.forward(judged.body, entitlements)
    try {
      const request = toUpstreamRequest(this.#attempt, judged)
      this.#upstream = reservation.target.provider.transport.send(request, this)
      this.#mayHaveArrived ??= true
    } catch (cause) {
      const message = 'The call could not be sent to the provider'
      this.fail(new ApiError('upstream_error', message, {}, { cause }), 'refused')
    }
  }

  /**
   * The provider continues after the caller has disconnected, and bills for it, so the answer is still read for its usage: a plain one to
   * the end, a stream for a grace period. Once the model has finished, its usage report is waited for.
   */
  onCallerGone(): void {
    if (this.#isOver || this.#isCallerGone) return
    if (this.#upstream === null) {
      this.#abort(callerGone)
      return
    }
    this.#isCallerGone = true
    if (this.#relay === null) return
    const relay = this.#relay
    relay.detach()
    if (this.#isOver) return
    this.#upstream.resume()
    this.#grace = setTimeout(() => {
      if (!relay.isFinished()) this.#abort(callerGone)
    }, this.#attempt.reservation.target.provider.hangUpGraceMs)
  }

  /** The timeout does not apply once a stream has begun. */
  onContentTimeout(): void {
    if (this.#isOver || this.#isCallerGone || this.#relay?.hasBegun()) return
    const { name } = this.#attempt.reservation.target.provider
    const message = `Provider ${name} did not answer within the timeout of its route`
    this.fail(new ApiError('upstream_timeout', message))
  }

  onShutdown(): void {
    this.#abort(this.#isCallerGone ? callerGone : toEnding(serviceStopping()))
  }

  /** A stream ends at once. A plain answer is read to the end for its usage and then hidden. */
  onRevoked(why: ApiError): void {
    this.#revoked = why
    if (this.#relay !== null && !this.#isCallerGone) this.#abort(toEnding(why))
  }

  head(status: number, headers: UpstreamHead['headers'], retryAfterMs: number | null = null): void {
    if (this.#isOver) return
    this.#retryAfterMs = retryAfterMs
    this.#head = { status, headers }
    if (!this.#attempt.call.stream || !isEventStream(this.#head)) return
    if (this.#revoked !== null && !this.#isCallerGone) {
      this.#abort(toEnding(this.#revoked))
      return
    }
    this.#step(() => this.#beginStream(headers))
  }

  #beginStream(headers: UpstreamHead['headers']): void {
    const { call, caller, commitmentKey, content, mayRetry } = this.#attempt
    const options: RelayOptions = {
      ...{ call, caller, commitmentKey, content, headers, isHeld: mayRetry },
      resume: () => this.#upstream?.resume(),
      done: (answer) => this.#finish(answer),
      abort: (ending) => this.#abort(ending),
    }
    if (!this.#isCallerGone) {
      this.#relay = this.#judge ? new GuardedRelay(options, this.#judge) : new StreamRelay(options)
      return
    }
    // The caller disconnected before the stream began, so nothing is judged and only the grace period applies.
    this.#relay = new StreamRelay(options)
    this.#isCallerGone = false
    this.onCallerGone()
  }

  data(chunk: Buffer): boolean {
    let wantsMore = true
    // Nothing is read after the end of the answer.
    if (this.#isOver) this.#upstream?.abort()
    else
      this.#step(() => {
        wantsMore = this.#receive(chunk)
      })
    return wantsMore
  }

  #receive(chunk: Buffer): boolean {
    this.#times.onData()
    this.#size += chunk.length
    const { provider } = this.#attempt.reservation.target
    const sizeError = findSizeError(provider, this.#size, this.#relay !== null)
    if (sizeError !== null) {
      this.fail(sizeError, 'broken', 'answer_size')
      return true
    }
    if (this.#relay) return this.#relay.push(chunk)
    try {
      this.#buffer.add(chunk)
    } catch (cause) {
      const message = 'There is not enough memory for this answer at the moment'
      this.fail(new ApiError('unavailable', message, {}, { cause, fault: 'capacity' }))
    }
    return true
  }

  end(): void {
    if (this.#isOver) return
    this.#step(() => {
      if (this.#relay) this.#relay.end()
      else this.#endWhole()
    })
  }

  #endWhole(): void {
    const { head, body } = this.#buffer.read(this.#head)
    this.#head = head
    if (this.#judge && !this.#isCallerGone) {
      this.#judgeWhole(body, this.#judge)
      return
    }
    const answer = readWholeAnswer(this.#attempt, this.#head, body)
    this.#finish(this.#isCallerGone ? hideFromGoneCaller(this.#attempt, answer) : answer)
  }

  /** Judges a complete answer. It is paid for, so a caller that disconnects now changes nothing. */
  #judgeWhole(body: Buffer, judge: AnswerJudge): void {
    this.#signals?.ignoreCaller()
    this.#times.onComplete()
    judgeWholeAnswer(this.#attempt, this.#head, body, judge).then(
      (answer) => {
        this.#times.onJudged()
        this.#finish(answer)
      },
      (cause) => this.fail(new ApiError('internal_error', 'The answer could not be judged', {}, { cause })),
    )
  }

  fail(error: ApiError, kind: FailureKind = 'broken', limit: AnswerLimit | null = null): void {
    this.#transportFailure ??= kind
    this.#exceeded ??= limit
    const mayHaveArrived = kind === 'timeout' || kind === 'broken'
    this.#mayHaveArrived ??= mayHaveArrived
    if (!mayHaveArrived) this.#mayHaveArrived = false
    this.#abort(this.#isCallerGone ? callerGone : toEnding(error, 'upstream_error'))
  }

  /** Runs `read` and fails the call when it throws, because a provider may send anything and the call must end. */
  #step(read: () => void): void {
    try {
      read()
    } catch (cause) {
      this.fail(new ApiError('upstream_error', 'The answer of the provider cannot be read', {}, { cause }))
    }
  }

  #abort(ending: Ending): void {
    if (this.#isOver) return
    this.#upstream?.abort()
    this.#finish(this.#relay ? this.#relay.abort(ending) : this.#createEmptyAnswer(ending))
  }

  /** Ends without an answer. A call that the provider refused costs nothing, unless the provider bills the error. */
  #createEmptyAnswer(ending: Ending): Answer {
    const { status } = this.#head
    const reported = status >= 400 ? { status, text: null } : null
    const received = this.#mayHaveArrived && reported === null ? 'part' : 'nothing'
    return createEmptyAnswer(this.#attempt.caller, ending, received, reported)
  }

  #finish(answer: Answer): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#grace)
    this.#signals?.stop()
    this.#buffer.release()
    // Nothing was sent when the caller had disconnected or the service was stopping.
    if (this.#mayHaveArrived !== null) this.#times.onEnd()
    const { status } = this.#head
    answer.firstByteMs = this.#times.firstByteMs
    answer.exceeded = this.#exceeded ?? (this.#attempt.caller.isStalled?.() ? 'reader' : null)
    if (status !== 0) answer.upstreamStatus = status
    if (!this.#relay?.hasReachedCaller())
      answer.failure = describeFailure(answer, this.#attempt.reservation.target.provider, {
        status,
        retryAfterMs: this.#retryAfterMs,
        transport: this.#transportFailure,
      })
    const isHidden = this.#revoked !== null && this.#relay === null && !this.#isCallerGone
    this.#resolve(isHidden && this.#revoked ? hideAnswer(this.#attempt, answer, this.#revoked) : answer)
  }
}
