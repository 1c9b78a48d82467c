import { ApiError } from '../errors.js'
import type { AnswerJudge } from '../modules/policies/index.js'
import type { StreamEvent } from '../providers/index.js'
import type { Answer, Ending } from './answer.js'
import { nothing, type Relay, type RelayOptions, StreamOutput } from './stream-output.js'
import { brokeOff } from './stream-relay.js'
import { StreamScreen } from './stream-screen.js'

/** Events that may wait to be judged before the provider is asked to wait too. */
const mostWaiting = 256

interface Waiting {
  event: StreamEvent
  /** Tells the caller that the answer is complete. */
  isLast: boolean
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
    const fate = this.#output.reader.read(event)
    if (fate === 'drop') return
    if (this.#isWorking) this.#waiting.push({ event, isLast: fate === 'last' })
    else this.#take(event, fate === 'last')
  }

  /** Behind the last one nothing counts. */
  #take(event: StreamEvent, isLast: boolean): void {
    if (this.#last !== null) return
    this.#screen.take(event)
    if (isLast) this.#last = event.raw
  }

  /** Most events are a word of a text that must wait for more of it: nothing to judge, and nothing to let go. */
  #work(): void {
    if (!this.#isWorking && this.#isDue()) void this.#judgeAll()
  }

  #isDue(): boolean {
    if (this.#isOver) return false
    for (const { event, isLast } of this.#waiting) this.#take(event, isLast)
    this.#waiting.length = 0
    return this.#hasSaidAll() || this.#screen.isDue()
  }

  #hasSaidAll(): boolean {
    return this.#last !== null || this.#hasEnded
  }

  async #judgeAll(): Promise<void> {
    this.#isWorking = true
    try {
      do await (this.#hasSaidAll() ? this.#finish(this.#last ?? nothing) : this.#relay())
      while ((this.#waiting.length > 0 || this.#hasEnded) && this.#isDue())
    } catch (cause) {
      const error = new ApiError('upstream_error', 'The answer of the provider cannot be read', {}, { cause })
      this.#breakOffOnce({ outcome: 'upstream_error', status: error.status, error })
    }
    this.#isWorking = false
    if (!this.#isOver && !this.#output.needsDrain) this.#options.resume()
  }

  async #relay(): Promise<void> {
    if (await this.#settle()) this.#output.write(this.#screen.release())
  }

  /** Everything has been said: what still waits is judged as it is. */
  async #finish(last: Buffer): Promise<void> {
    this.#screen.endAll()
    if (!(await this.#settle())) return
    const pieces = this.#screen.release()
    // As it may be seen: some vendors repeat the whole answer in it.
    const closing = last === nothing ? nothing : (pieces.pop() ?? nothing)
    this.#output.write(pieces)
    const { reader } = this.#output
    this.#isOver = true
    if (last !== nothing || reader.finished() || reader.failed()) this.#output.complete(closing)
    else this.#options.done(this.#output.breakOff(brokeOff()))
  }

  /** False when the stream is over, or a policy ends it. */
  async #settle(): Promise<boolean> {
    const judging = this.#screen.settle()
    const refusal = judging instanceof Promise ? await judging : judging
    if (this.#isOver) return false
    if (refusal === null) return true
    this.#breakOffOnce({ outcome: 'blocked', status: refusal.status, error: refusal })
    return false
  }

  #breakOffOnce(ending: Ending): void {
    if (!this.#isOver) this.#options.breakOff(ending)
  }
}
