import type { Stages } from '../../../core/index.js'

/** Records when the first and the last byte of an answer arrived, and when policies had judged it. */
export class AnswerTimes {
  readonly #stages: Stages
  readonly #now: () => number
  #firstByteMs: number | null = null

  constructor(stages: Stages, now: () => number) {
    this.#stages = stages
    this.#now = now
  }

  /** The time from the arrival of the call to the first byte of the answer. Null when there was none. */
  get firstByteMs(): number | null {
    return this.#firstByteMs
  }

  onData(): void {
    if (this.#firstByteMs !== null) return
    this.#stages.forwardedMs = this.#now()
    this.#firstByteMs = this.#stages.forwardedMs - this.#stages.readMs
  }

  onComplete(): void {
    this.#stages.answeredMs = this.#now()
  }

  onJudged(): void {
    this.#stages.judgedMs = this.#now()
  }

  /** Called when the exchange ends, with or without a complete answer. */
  onEnd(): void {
    if (this.#firstByteMs === null) this.#stages.forwardedMs = this.#now()
    else if (Number.isNaN(this.#stages.answeredMs)) this.#stages.answeredMs = this.#now()
  }
}
