import type { ApiError } from '../../../shared/errors.js'
import type { Caller, CallerStream } from '../caller.js'
import type { RecordedAnswer } from './recorded-answer.js'

type Headers = Record<string, string>

/** The memory that all open recordings share. */
export interface RecordingMemory {
  /** Takes memory. Returns false when not enough is left. */
  take(bytes: number): boolean
  give(bytes: number): void
}

export function createRecordingMemory(maxBytes: number): RecordingMemory {
  let used = 0
  return {
    take(bytes) {
      if (used + bytes > maxBytes) return false
      used += bytes
      return true
    },
    give(bytes) {
      used -= bytes
    },
  }
}

export interface RecordingOptions {
  /** Headers of every answer to this caller. */
  headers: Headers
  /** Returns an error of this service in the form in which the caller receives it. */
  renderError(error: ApiError): object
  maxBytes: number
  memory: RecordingMemory
  /** How long recording of a stream continues after its caller has disconnected. */
  hangUpGraceMs: number
}

/**
 * Forwards everything to a caller and records it. The call continues after the caller has disconnected, because the caller will repeat the
 * request: a plain answer to its end, a stream for a grace period.
 */
export class RecordingCaller implements Caller {
  readonly log: Caller['log']
  readonly #caller: Caller
  readonly #options: RecordingOptions
  #headers: Headers
  #head: Omit<RecordedAnswer, 'body' | 'policies'> | null = null
  readonly #pieces: Buffer[] = []
  #size = 0
  #isTooLarge = false
  #isEnded = false
  #isFinal = false
  #isReported = false
  #grace: NodeJS.Timeout | null = null
  #resume: () => void = () => undefined
  // Bounded: the listeners of one call.
  readonly #listeners = new Set<() => void>()
  readonly #stopListening: () => void

  constructor(caller: Caller, options: RecordingOptions) {
    this.log = caller.log
    this.#caller = caller
    this.#options = options
    this.#headers = options.headers
    this.#stopListening = caller.onGone(() => this.#onCallerGone())
  }

  /**
   * Returns the answer if it is complete and final, `not kept` if it was too large, and null if there is none and the call may be repeated.
   */
  answer(): Omit<RecordedAnswer, 'policies'> | 'not kept' | null {
    if (!this.#isFinal || !this.#isEnded || this.#head === null) return null
    return this.#isTooLarge ? 'not kept' : { ...this.#head, body: Buffer.concat(this.#pieces) }
  }

  /** Releases the memory. */
  close(): void {
    this.#stopListening()
    if (this.#grace) clearTimeout(this.#grace)
    this.#drop()
  }

  remember(): void {
    this.#isFinal = true
  }

  addHeaders(headers: Headers): void {
    this.#headers = { ...this.#headers, ...headers }
    this.#caller.addHeaders(headers)
  }

  isGone(): boolean {
    return this.#isReported || (this.#head === null && this.#caller.isGone())
  }

  isStalled(): boolean {
    return this.#caller.isStalled?.() ?? false
  }

  onGone(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  send(status: number, headers: Headers, body: Buffer): void {
    this.#begin(status, headers, false)
    this.#add(body)
    this.#isEnded = true
    if (this.#caller.isGone()) this.#caller.abandon()
    else this.#caller.send(status, headers, body)
  }

  sendError(error: ApiError, headers: Headers): void {
    this.#begin(error.status, { ...headers, 'content-type': 'application/json; charset=utf-8' }, false)
    this.#add(Buffer.from(JSON.stringify(this.#options.renderError(error))))
    this.#isEnded = true
    if (this.#caller.isGone()) this.#caller.abandon()
    else this.#caller.sendError(error, headers)
  }

  abandon(): void {
    this.#caller.abandon()
  }

  openStream(headers: Headers): CallerStream {
    this.#begin(200, headers, true)
    const stream = this.#caller.openStream(headers)
    const isGone = () => this.#caller.isGone()
    if (isGone()) this.#onCallerGone()
    return {
      write: (bytes) => {
        this.#add(bytes)
        return isGone() || stream.write(bytes)
      },
      needsDrain: () => !isGone() && stream.needsDrain(),
      onDrain: (listener) => {
        this.#resume = listener
        stream.onDrain(listener)
      },
      end: (bytes) => {
        this.#add(Buffer.from(bytes))
        this.#isEnded = true
        if (isGone()) stream.destroy()
        else stream.end(bytes)
      },
      destroy: () => stream.destroy(),
    }
  }

  #begin(status: number, headers: Headers, isStream: boolean): void {
    this.#head = { status, headers: { ...this.#headers, ...headers }, isStream }
  }

  #add(bytes: Buffer): void {
    if (this.#isTooLarge) return
    if (this.#size + bytes.length > this.#options.maxBytes || !this.#options.memory.take(bytes.length)) {
      this.#drop()
      this.#isTooLarge = true
      return
    }
    this.#size += bytes.length
    this.#pieces.push(bytes)
  }

  #drop(): void {
    this.#options.memory.give(this.#size)
    this.#size = 0
    this.#pieces.length = 0
  }

  /** Called when the caller disconnects. A plain answer is read to its end anyway, so only streams are affected. */
  #onCallerGone(): void {
    if (this.#head?.isStream !== true || this.#grace !== null) return
    // The stream no longer waits for the caller to read.
    this.#resume()
    this.#grace = setTimeout(() => this.#notifyGone(), this.#isTooLarge ? 0 : this.#options.hangUpGraceMs)
  }

  #notifyGone(): void {
    this.#isReported = true
    for (const listener of this.#listeners) listener()
  }
}
