import { type BodiesInFlight, type BodyAccount, callerAuthorizationOf } from '../../../http/index.js'
import type { AnswerJudge } from '../../../policies/index.js'
import {
  type AnswerLimit,
  cleanErrorBody,
  type FailureKind,
  type UpstreamCall,
  type UpstreamRequest,
  type UpstreamSink,
} from '../../../providers/index.js'
import { scopeIdsOf } from '../../../resources/keys/index.js'
import { ApiError, serviceStopping } from '../../../shared/errors.js'
import { outcomeOf, type Revocations, type ShutdownSignal } from '../../core/index.js'
import {
  type Answer,
  callerGone,
  type Ending,
  hideAnswer,
  readWholeAnswer,
  type UpstreamHead,
  withoutAnswer,
  withoutCaller,
} from '../answer.js'
import type { Call } from '../call.js'
import { judgeWholeAnswer } from '../policies/judge-answer.js'
import { GuardedRelay } from '../stream/guarded-relay.js'
import { isEventStream, type Relay, type RelayOptions } from '../stream/output.js'
import { StreamRelay } from '../stream/relay.js'
import type { AdmittedModelAttempt } from './attempt.js'
import { describeFailure } from './failure.js'

export interface ForwardParts {
  revocations: Pick<Revocations, 'watch'>
  shutdown: ShutdownSignal
  /** Counts the memory of answers that are read to the end before they are sent. */
  answers: Pick<BodiesInFlight, 'open'>
  /** The monotonic clock, in milliseconds. */
  now(): number
}

// The longest delay that a timer supports.
const maxTimerMs = 2 ** 31 - 1

const endingOf = (error: ApiError): Ending => ({
  outcome: outcomeOf(error, 'aborted'),
  status: error.status,
  error,
})

/** Sends the call to its provider. A stream is relayed to the caller as it arrives, except for its end. Never rejects. */
export function forward(
  attempt: AdmittedModelAttempt,
  judged: Pick<UpstreamRequest, 'body' | 'headers'>,
  parts: ForwardParts,
  judge: AnswerJudge | null,
): Promise<Answer> {
  return new Promise((resolve) => new Exchange(attempt, parts, judge, resolve).start(judged))
}

/** One request to a provider and its answer. It ends exactly once, whatever the provider, the caller or this service does. */
class Exchange implements UpstreamSink {
  readonly #attempt: AdmittedModelAttempt
  readonly #parts: ForwardParts
  /** Null when no policy judges the answer. */
  readonly #judge: AnswerJudge | null
  readonly #resolve: (answer: Answer) => void
  readonly #chunks: Buffer[] = []
  #size = 0
  #account: BodyAccount | null = null
  #head: UpstreamHead = { status: 0, headers: {} }
  #relay: Relay | null = null
  #firstByteMs: number | null = null
  #upstream: UpstreamCall | null = null
  #over = false
  /** Whether the provider may have received the request. Null before it is sent. */
  #mayHaveArrived: boolean | null = null
  #isCallerGone = false
  #grace: NodeJS.Timeout | null = null
  #contentTimer: NodeJS.Timeout | null = null
  #retryAfterMs: number | null = null
  #transportFailure: FailureKind | null = null
  /** The limit that cut the answer short. */
  #exceeded: AnswerLimit | null = null
  /** Why the caller may no longer see the answer. */
  #revoked: ApiError | null = null
  #stopWatching: () => void = () => undefined
  #stopListening: () => void = () => undefined
  readonly #hangUp = () => this.#readOn()
  readonly #stop = () => this.#abort(this.#isCallerGone ? callerGone : endingOf(serviceStopping()))

  constructor(
    attempt: AdmittedModelAttempt,
    parts: ForwardParts,
    judge: AnswerJudge | null,
    resolve: (answer: Answer) => void,
  ) {
    this.#attempt = attempt
    this.#parts = parts
    this.#judge = judge
    this.#resolve = resolve
  }

  start({ body, headers }: Pick<UpstreamRequest, 'body' | 'headers'>): void {
    const { call, reservation, caller, entitlements } = this.#attempt
    const { shutdown } = this.#parts
    this.#attempt.content?.forward(body, entitlements)
    const stopHearing = caller.onGone(this.#hangUp)
    shutdown.add(this.#stop)
    this.#stopListening = () => {
      stopHearing()
      shutdown.remove(this.#stop)
    }
    this.#stopWatching = this.#parts.revocations.watch(entitlements, (why) => this.#revoke(why))
    const { contentTimeoutMs } = this.#attempt
    if (contentTimeoutMs !== null)
      this.#contentTimer = setTimeout(
        () => this.#onFirstContentTimeout(),
        Math.min(contentTimeoutMs, maxTimerMs),
      )
    const { provider, model, properties } = reservation.target
    const { contextWindow } = properties
    const { endpoint, stream } = call
    const { trace } = this.#attempt.progress
    const sent = trace === null ? headers : { ...headers, traceparent: trace.traceparent }
    const request = {
      ...{ dialect: endpoint, model, stream, contextWindow, body, headers: sent },
      query: call.query,
      callerAuthorization: provider.auth === 'caller' ? callerAuthorizationOf(call.headers) : null,
    }
    try {
      this.#upstream = provider.transport.send(asForm(request, call.form), this)
      this.#mayHaveArrived ??= true
    } catch (cause) {
      this.fail(
        new ApiError('upstream_error', 'The call could not be sent to the provider', {}, { cause }),
        'refused',
      )
    }
  }

  /**
   * Called when the caller disconnects. The provider continues and bills for it, so the answer is still read for its usage: a plain one to
   * the end, a stream for a grace period. Once the model has finished, its usage report is waited for.
   */
  #readOn(): void {
    if (this.#over || this.#isCallerGone) return
    if (this.#upstream === null) {
      this.#abort(callerGone)
      return
    }
    this.#isCallerGone = true
    if (this.#relay === null) return
    const relay = this.#relay
    relay.detach()
    if (this.#over) return
    this.#upstream.resume()
    this.#grace = setTimeout(() => {
      if (!relay.isFinished()) this.#abort(callerGone)
    }, this.#attempt.reservation.target.provider.hangUpGraceMs)
  }

  /** Called when there was no content in time. Ignored once a stream has begun. */
  #onFirstContentTimeout(): void {
    if (this.#over || this.#isCallerGone || this.#relay?.hasBegun()) return
    const { name } = this.#attempt.reservation.target.provider
    this.fail(
      new ApiError('upstream_timeout', `Provider ${name} did not answer in the time that its route has`),
    )
  }

  /** Called when the caller loses its access. A stream ends at once. A plain answer is read to the end for its usage and then hidden. */
  #revoke(why: ApiError): void {
    this.#revoked = why
    if (this.#relay !== null && !this.#isCallerGone) this.#abort(endingOf(why))
  }

  head(status: number, headers: UpstreamHead['headers'], retryAfterMs: number | null = null): void {
    if (this.#over) return
    this.#retryAfterMs = retryAfterMs
    this.#head = { status, headers }
    const { call, caller, commitmentKey, content } = this.#attempt
    if (!call.stream || !isEventStream(this.#head)) return
    if (this.#revoked !== null && !this.#isCallerGone) {
      this.#abort(endingOf(this.#revoked))
      return
    }
    this.#step(() => {
      const options: RelayOptions = {
        ...{ call, caller, commitmentKey, content, headers, isHeld: this.#attempt.mayRetry },
        resume: () => this.#upstream?.resume(),
        done: (answer) => this.#finish(answer),
        abort: (ending) => this.#abort(ending),
      }
      if (this.#isCallerGone) {
        // The stream begins after the caller has disconnected.
        this.#relay = new StreamRelay(options)
        this.#isCallerGone = false
        this.#readOn()
      } else this.#relay = this.#judge ? new GuardedRelay(options, this.#judge) : new StreamRelay(options)
    })
  }

  data(chunk: Buffer): boolean {
    let wantsMore = true
    // Nothing is read after the end of the answer.
    if (this.#over) this.#upstream?.abort()
    else
      this.#step(() => {
        wantsMore = this.#take(chunk)
      })
    return wantsMore
  }

  #take(chunk: Buffer): boolean {
    this.#firstByteMs ??= this.#readFirstByte()
    this.#size += chunk.length
    if (!this.#isWithinLimits()) return true
    if (this.#relay) return this.#relay.push(chunk)
    if (!this.#hasRoomFor(chunk)) return true
    this.#chunks.push(chunk)
    return true
  }

  #isWithinLimits(): boolean {
    const { name, limits } = this.#attempt.reservation.target.provider
    const maxBytes = this.#relay ? limits.maxStreamBytes : limits.maxAnswerBytes
    if (this.#size <= maxBytes) return true
    const what = this.#relay ? 'a stream' : 'an answer'
    const message = `Provider ${name} sent more than the ${formatBytes(maxBytes)} that ${what} of it may have: the answer ends here`
    this.fail(new ApiError('upstream_error', message), 'broken', 'answer_size')
    return false
  }

  #hasRoomFor(chunk: Buffer): boolean {
    try {
      this.#account ??= this.#parts.answers.open(scopeIdsOf(this.#attempt.entitlements))
      this.#account.take(chunk.length)
      return true
    } catch (cause) {
      this.fail(
        new ApiError('unavailable', 'There is no room for this answer now', {}, { cause, fault: 'capacity' }),
      )
      return false
    }
  }

  #readFirstByte(): number {
    const { stages } = this.#attempt.progress
    stages.forwardedMs = this.#parts.now()
    return stages.forwardedMs - stages.readMs
  }

  end(): void {
    if (this.#over) return
    this.#step(() => {
      if (this.#relay) {
        this.#relay.end()
        return
      }
      const body = this.#readBody()
      if (this.#isCallerGone)
        this.#finish(withoutCaller(this.#attempt, readWholeAnswer(this.#attempt, this.#head, body)))
      else if (this.#judge) this.#judgeWhole(body, this.#judge)
      else this.#finish(readWholeAnswer(this.#attempt, this.#head, body))
    })
  }

  /** Returns the body. Details about the account are removed from errors of the provider. */
  #readBody(): Buffer {
    const body = Buffer.concat(this.#chunks, this.#size)
    const { status, headers } = this.#head
    const { call, reservation } = this.#attempt
    // With the caller's own account, nothing needs to be hidden.
    if (status < 400 || reservation.target.provider.auth === 'caller') return body
    const { 'content-encoding': encoding, ...others } = headers
    const cleaned = cleanErrorBody(body, status, reservation.target.provider.name, call.endpoint, encoding)
    if (cleaned === null) return body
    this.#head = { status, headers: { ...others, 'content-type': 'application/json' } }
    return cleaned
  }

  /** Judges a complete answer. It is paid for, so a caller that disconnects now changes nothing. */
  #judgeWhole(body: Buffer, judge: AnswerJudge): void {
    this.#stopListening()
    const { stages } = this.#attempt.progress
    stages.answeredMs = this.#parts.now()
    judgeWholeAnswer(this.#attempt, this.#head, body, judge).then(
      (answer) => {
        stages.judgedMs = this.#parts.now()
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
    if (this.#isCallerGone) this.#abort(callerGone)
    else this.#abort({ outcome: outcomeOf(error, 'upstream_error'), status: error.status, error })
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
    if (this.#over) return
    this.#upstream?.abort()
    this.#finish(this.#relay ? this.#relay.abort(ending) : this.#withoutAnswer(ending))
  }

  /** Ends without an answer. A call that the provider refused costs nothing, unless the provider bills the error. */
  #withoutAnswer(ending: Ending): Answer {
    const { status } = this.#head
    const reported = status >= 400 ? { status, text: null } : null
    const seen = this.#mayHaveArrived && reported === null ? 'part' : 'nothing'
    return withoutAnswer(this.#attempt.caller, ending, seen, reported)
  }

  #finish(answer: Answer): void {
    if (this.#over) return
    this.#over = true
    if (this.#grace) clearTimeout(this.#grace)
    if (this.#contentTimer) clearTimeout(this.#contentTimer)
    this.#stopListening()
    this.#stopWatching()
    this.#account?.release()
    this.#markEnd()
    answer.firstByteMs = this.#firstByteMs
    answer.exceeded = this.#exceeded ?? (this.#attempt.caller.isStalled?.() ? 'reader' : null)
    if (this.#head.status !== 0) answer.upstreamStatus = this.#head.status
    const { provider } = this.#attempt.reservation.target
    const mayTryAgain =
      answer.outcome === 'upstream_error' || (answer.outcome === 'failed' && this.#transportFailure !== null)
    if (mayTryAgain && !this.#relay?.hasReachedCaller())
      answer.failure = describeFailure({
        status: this.#head.status,
        retryAfterMs: this.#retryAfterMs,
        transport: this.#transportFailure,
        refusals: provider.credentialRejectionStatuses,
        hasOtherAccount:
          provider.credentialCount > 1 && provider.credentials().some((each) => each.status === 'active'),
        error: answer.error,
      })
    const isHidden = this.#revoked !== null && this.#relay === null && !this.#isCallerGone
    this.#resolve(isHidden && this.#revoked ? hideAnswer(this.#attempt, answer, this.#revoked) : answer)
  }

  #markEnd(): void {
    // Nothing was sent, because the caller had disconnected or the service is stopping.
    if (this.#mayHaveArrived === null) return
    const { stages } = this.#attempt.progress
    if (this.#firstByteMs === null) stages.forwardedMs = this.#parts.now()
    else if (Number.isNaN(stages.answeredMs)) stages.answeredMs = this.#parts.now()
  }
}

const formatBytes = (bytes: number): string =>
  bytes % 2 ** 20 === 0 ? `${bytes / 2 ** 20} MiB` : `${bytes} bytes`

/** Writes a request that arrived as a form as a new form with the same fields and files. */
const asForm = (request: UpstreamRequest, form: Call['form']): UpstreamRequest =>
  form === null
    ? request
    : {
        ...request,
        body: form.write(request.body),
        fields: request.body,
        headers: { ...request.headers, 'content-type': form.contentType },
      }
