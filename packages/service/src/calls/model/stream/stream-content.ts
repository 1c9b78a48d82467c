import type { JsonObject } from '@tallystick/record/json'
import { EventSplitter, type StreamAssembler } from '../../../providers/index.js'
import { maxSideBytes } from '../../../resources/content/index.js'
import type { Call } from '../call.js'
import { cutNote, type SentAnswer } from '../content.js'

/** Longer events are not read, because they would fill most of the captured content. */
const maxEventBytes = 4 * maxSideBytes

/** Assembles the answer of a stream while it is sent. Its memory is bounded, however long the stream is. */
export class StreamContent implements SentAnswer {
  readonly mode: 'redacted' | 'full'
  readonly #splitter = new EventSplitter()
  readonly #assembler: StreamAssembler
  #isComplete = false
  #omittedBytes = 0
  #isBroken = false

  constructor(mode: StreamContent['mode'], { endpoint }: Pick<Call, 'endpoint'>) {
    this.mode = mode
    this.#assembler = endpoint.assembleStream(maxSideBytes)
  }

  /** Adds complete events as the caller receives them. Never throws, so that the stream continues. */
  add(bytes: Buffer): void {
    if (this.#isBroken) return
    try {
      for (const event of this.#splitter.push(bytes)) {
        if (event.raw.length > maxEventBytes) this.#omittedBytes += event.raw.length
        else if (event.content !== null) this.#assembler.add(event.content)
      }
    } catch {
      this.#isBroken = true
    }
  }

  /** Called when the caller receives the complete stream. */
  complete(): void {
    this.#isComplete = true
  }

  read(): JsonObject {
    return this.#assembler.answer()
  }

  get omittedChars(): number {
    return this.#assembler.omittedChars + this.#omittedBytes
  }

  get note(): string | null {
    if (this.#isBroken) return 'Incomplete: an event could not be read, and everything after it is missing'
    return this.#isComplete ? null : cutNote
  }
}
