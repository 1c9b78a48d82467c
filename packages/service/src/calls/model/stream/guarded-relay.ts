import type { AnswerJudge } from '../../../policies/index.js'
import { isDone, type StreamEvent } from '../../../providers/index.js'
import { ApiError } from '../../../shared/errors.js'
import type { Answer, Ending } from '../answer.js'
import { noBytes, StreamOutput } from './output.js'
import type { Relay, RelayOptions } from './relay-contract.js'
import { type ReleasedEvents, StreamScreen } from './screen.js'
import { upstreamBroke } from './stream-relay.js'

/** How many events may wait for judgement before reading from the provider is paused. */
const maxWaitingEvents = 256

interface WaitingEvent {
  event: StreamEvent
  /** Whether this event tells the caller that the answer is complete. */
  isLast: boolean
  /** The texts that were counted as output. */
  texts: readonly string[]
}

/**
 * Relays a stream that policies judge. Events are judged in order while more arrive. The screen holds back what the caller must not see
 * yet.
 */
export class GuardedRelay implements Relay {
  readonly #options: RelayOptions
  readonly #output: StreamOutput
  readonly #screen: StreamScreen
  readonly #waiting: WaitingEvent[] = []
  /** The event that ends the stream has come. */
  #hasLast = false
  #isJudging = false
  #isOver = false
  #hasEnded = false

  constructor(options: RelayOptions, judge: AnswerJudge) {
    this.#options = options
    // The provider's headers are not passed on, because the caller would see them before anything is judged.
    this.#output = new StreamOutput({
      ...options,
      headers: { 'content-type': 'text/event-stream; charset=utf-8' },
    })
    this.#screen = new StreamScreen(options.call, judge.openStream())
  }

  push(chunk: Buffer): boolean {
    if (this.#output.isDetached) return this.#output.drain(chunk)
    for (const event of this.#output.splitter.push(chunk)) this.#add(event)
    this.#judge()
    return this.#waiting.length < maxWaitingEvents && !this.#output.needsDrain
  }

  end(): void {
    if (this.#output.isDetached) {
      this.#output.drainEnd()
      return
    }
    const rest = this.#output.splitter.takeRest()
    if (rest !== null && (isDone(rest.data) || rest.content !== null)) this.#add(rest)
    this.#hasEnded = true
    this.#judge()
  }

  /** Stops judging, because nobody will see the rest. */
  detach(): void {
    this.#isOver = true
    this.#output.detach()
    // The end of the answer may still be waiting for judgement.
    if (this.#hasLast) this.#output.complete(noBytes)
    else if (this.#hasEnded) this.#output.drainEnd()
  }

  hasReachedCaller(): boolean {
    return this.#output.hasReachedCaller
  }

  hasBegun(): boolean {
    return this.#output.hasBegun
  }

  isFinished(): boolean {
    return this.#output.reader.finished()
  }

  abort(ending: Ending): Answer {
    this.#isOver = true
    return this.#output.abort(ending)
  }

  #add(event: StreamEvent): void {
    const { reader } = this.#output
    const pieces = this.#isJudging || this.#hasLast ? null : this.#screen.addContinuation(event)
    if (pieces !== null) {
      reader.produced.add(pieces)
      return
    }
    const before = reader.produced.additions
    const action = this.#output.read(event)
    if (action === 'drop') return
    const isLast = action === 'last'
    const texts = reader.produced.addedSince(before)
    if (this.#isJudging) this.#waiting.push({ event, isLast, texts })
    else this.#addToScreen(event, isLast, texts)
  }

  /** Events after the last one are ignored. */
  #addToScreen(event: StreamEvent, isLast: boolean, texts: readonly string[]): void {
    if (this.#hasLast) return
    this.#screen.add(event, texts)
    if (isLast) this.#hasLast = true
  }

  /**
   * Most events are a word of a text that must wait for more of it: there is nothing to judge and nothing to release.
   * No promise is made for those.
   */
  #judge(): void {
    if (this.#isJudging || !this.#isDue()) return
    if (this.#isComplete()) this.#screen.endAll()
    const judging = this.#screen.judgeReady()
    if (judging instanceof Promise) void this.#waitForJudge(judging)
    else this.#proceed(judging)
  }

  #isDue(): boolean {
    if (this.#isOver) return false
    for (const { event, isLast, texts } of this.#waiting) this.#addToScreen(event, isLast, texts)
    this.#waiting.length = 0
    return this.#isComplete() || this.#screen.isDue()
  }

  #isComplete(): boolean {
    return this.#hasLast || this.#hasEnded
  }

  async #waitForJudge(judging: Promise<ApiError | null>): Promise<void> {
    this.#isJudging = true
    // The last event may arrive in the meantime and is not judged yet.
    const isComplete = this.#isComplete()
    try {
      const refusal = await judging
      this.#isJudging = false
      this.#proceed(refusal, isComplete)
      if (this.#waiting.length > 0 || this.#hasEnded) this.#judge()
    } catch (cause) {
      const error = new ApiError('internal_error', 'The answer could not be judged', {}, { cause })
      this.#abortOnce({ outcome: 'failed', status: error.status, error })
    }
    if (!this.#isOver && !this.#output.needsDrain) this.#options.resume()
  }

  /** Releases what was judged, or ends the stream on a refusal. `isComplete` is true when everything was judged. */
  #proceed(refusal: ApiError | null, isComplete = this.#isComplete()): void {
    if (this.#isOver) return
    if (refusal !== null) this.#abortOnce({ outcome: 'blocked', status: refusal.status, error: refusal })
    else if (isComplete) this.#finish()
    else this.#write(this.#screen.release())
  }

  #finish(): void {
    const released = this.#screen.release()
    const { pieces, redacted } = released
    // The last event is sent as judged too, because some vendors repeat the whole answer in it.
    const closing = Buffer.from((this.#hasLast && pieces.pop()) || '')
    const closingRedacted =
      redacted === pieces ? closing : Buffer.from((this.#hasLast && redacted.pop()) || '')
    this.#write(released)
    const { reader } = this.#output
    this.#isOver = true
    if (this.#hasLast || reader.finished() || reader.failed()) this.#output.complete(closing, closingRedacted)
    else this.#options.done(this.#output.abort(upstreamBroke()))
  }

  #write({ pieces, redacted }: ReleasedEvents): void {
    const bytes = toBytes(pieces)
    this.#output.write(bytes, redacted === pieces ? bytes : toBytes(redacted))
  }

  #abortOnce(ending: Ending): void {
    if (!this.#isOver) this.#options.abort(ending)
  }
}

const toBytes = (pieces: readonly string[]): Buffer[] =>
  pieces.length === 0 ? [] : [Buffer.from(pieces.join(''))]
