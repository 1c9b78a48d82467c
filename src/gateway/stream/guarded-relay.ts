import { ApiError } from '../../errors.js'
import type { AnswerJudge } from '../../modules/policies/index.js'
import type { StreamEvent } from '../../providers/index.js'
import type { Answer, Ending } from '../attempt/answer.js'
import { nothing, type Relay, type RelayOptions, StreamOutput } from './output.js'
import { brokeOff } from './relay.js'
import { StreamScreen } from './screen.js'

/** Events that may wait to be judged before the provider is asked to wait too. */
const mostWaiting = 256

interface Waiting {
  event: StreamEvent
  /** Tells the caller that the answer is complete. */
  isLast: boolean
  /** The texts that were counted in it. */
  said: readonly string[]
}

/**
 * Relays a stream that policies look at. Events are judged in the order in which they came, while more of them come;
 * what must not be seen yet waits in the screen.
 */
export class GuardedRelay implements Relay {
  readonly #options: RelayOptions
  readonly #output: StreamOutput
  readonly #screen: StreamScreen
  readonly #waiting: Waiting[] = []
  /** The bytes of the event that ends the stream, once it has come. */
  #last: Buffer | null = null
  #isWorking = false
  #isOver = false
  #hasEnded = false

  constructor(options: RelayOptions, judge: AnswerJudge) {
    this.#options = options
    this.#output = new StreamOutput(options)
    this.#screen = new StreamScreen(options.call, judge.openStream())
  }

  push(chunk: Buffer): boolean {
    for (const event of this.#output.splitter.push(chunk)) this.#add(event)
    this.#work()
    return this.#waiting.length < mostWaiting && !this.#output.needsDrain
  }

  end(): void {
    const rest = this.#output.splitter.takeRest()
    if (rest !== null && (rest.data === '[DONE]' || rest.content !== null)) this.#add(rest)
    this.#hasEnded = true
    this.#work()
  }

  breakOff(ending: Ending): Answer {
    this.#isOver = true
    return this.#output.breakOff(ending)
  }

  #add(event: StreamEvent): void {
    const { reader } = this.#output
    const pieces = this.#isWorking || this.#last !== null ? null : this.#screen.takeNext(event)
    if (pieces !== null) {
      reader.goOn(pieces)
      return
    }
    const before = reader.texts().length
    const fate = reader.read(event)
    if (fate === 'drop') return
    const isLast = fate === 'last'
    const said = reader.texts().slice(before)
    if (this.#isWorking) this.#waiting.push({ event, isLast, said })
    else this.#take(event, isLast, said)
  }

  /** Behind the last one nothing counts. */
  #take(event: StreamEvent, isLast: boolean, said: readonly string[]): void {
    if (this.#last !== null) return
    this.#screen.take(event, said)
    if (isLast) this.#last = event.raw
  }

  /**
   * Most events are a word of a text that must wait for more of it: nothing to judge, and nothing to let go. No promise where
   * nothing has to be waited for.
   */
  #work(): void {
    if (this.#isWorking || !this.#isDue()) return
    if (this.#hasSaidAll()) this.#screen.endAll()
    const judging = this.#screen.settle()
    if (judging instanceof Promise) void this.#waitFor(judging)
    else this.#proceed(judging)
  }

  #isDue(): boolean {
    if (this.#isOver) return false
    for (const { event, isLast, said } of this.#waiting) this.#take(event, isLast, said)
    this.#waiting.length = 0
    return this.#hasSaidAll() || this.#screen.isDue()
  }

  #hasSaidAll(): boolean {
    return this.#last !== null || this.#hasEnded
  }

  async #waitFor(judging: Promise<ApiError | null>): Promise<void> {
    this.#isWorking = true
    // The end may come meanwhile: what comes with it is not judged yet.
    const saidAll = this.#hasSaidAll()
    try {
      const refusal = await judging
      this.#isWorking = false
      this.#proceed(refusal, saidAll)
      if (this.#waiting.length > 0 || this.#hasEnded) this.#work()
    } catch (cause) {
      const error = new ApiError('upstream_error', 'The answer of the provider cannot be read', {}, { cause })
      this.#breakOffOnce({ outcome: 'upstream_error', status: error.status, error })
    }
    if (!this.#isOver && !this.#output.needsDrain) this.#options.resume()
  }

  /** Lets go what was judged. `saidAll`: that was everything. A refusal ends the stream. */
  #proceed(refusal: ApiError | null, saidAll = this.#hasSaidAll()): void {
    if (this.#isOver) return
    if (refusal !== null) this.#breakOffOnce({ outcome: 'blocked', status: refusal.status, error: refusal })
    else if (saidAll) this.#finish(this.#last ?? nothing)
    else this.#output.write(this.#screen.release())
  }

  #finish(last: Buffer): void {
    const pieces = this.#screen.release()
    // As it may be seen: some vendors repeat the whole answer in it.
    const closing = last === nothing ? nothing : (pieces.pop() ?? nothing)
    this.#output.write(pieces)
    const { reader } = this.#output
    this.#isOver = true
    if (last !== nothing || reader.finished() || reader.failed()) this.#output.complete(closing)
    else this.#options.done(this.#output.breakOff(brokeOff()))
  }

  #breakOffOnce(ending: Ending): void {
    if (!this.#isOver) this.#options.breakOff(ending)
  }
}
