import type { JsonObject } from '../../json/index.js'
import { maxSideBytes } from '../../modules/content/index.js'
import { EventSplitter, type StreamAssembler } from '../../providers/index.js'
import type { Call } from '../call.js'
import { cutNote, type SentAnswer } from '../content.js'

/** A longer event is not read: it would be most of what is kept. */
const maxEventBytes = 4 * maxSideBytes

/** Puts a stream together as it is sent. What it holds is bounded from the start, however long the stream is. */
export class StreamContent implements SentAnswer {
  readonly mode: 'redacted' | 'full'
  readonly #splitter = new EventSplitter()
  readonly #assembler: StreamAssembler
  #isComplete = false
  #omittedBytes = 0
  #isBroken = false

  constructor(mode: StreamContent['mode'], { dialect }: Pick<Call, 'dialect'>) {
    this.mode = mode
    this.#assembler = dialect.assembleStream(maxSideBytes)
  }

  /** Whole events, as the caller gets them. Never throws: the stream goes on whatever becomes of its content. */
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

  /** The caller gets the end of it, too. */
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
    if (this.#isBroken) return 'An event could not be read: what came after it is missing'
    return this.#isComplete ? null : cutNote
  }
}
