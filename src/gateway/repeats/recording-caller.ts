import type { ApiError } from '../../errors.js'
import type { Caller, CallerStream } from '../caller.js'
import type { RecordedAnswer } from './recorded-answer.js'

type Headers = Record<string, string>

/** What the recordings under way may hold together. */
export interface RecordingRoom {
  /** False when there is no room for so many bytes more. */
  take(bytes: number): boolean
  give(bytes: number): void
}

export function createRecordingRoom(maxBytes: number): RecordingRoom {
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
  /** What goes with every answer to this caller. */
  headers: Headers
  /** An error of ours as the caller gets it. */
  renderError(error: ApiError): object
  maxBytes: number
  room: RecordingRoom
  /** How long a stream is recorded on when its caller is gone. */
  hangUpGraceMs: number
}

/**
 * Passes everything on to a caller, and keeps it. The call goes on when the caller hangs up, since it will come back for the answer: a
 * plain one to its end, as it would anyway, a stream for a while.
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
  #isTold = false
  #grace: NodeJS.Timeout | null = null
  #resume: () => void = () => undefined
  readonly #listeners = new Set<() => void>()
  readonly #stopListening: () => void

  constructor(caller: Caller, options: RecordingOptions) {
    this.log = caller.log
    this.#caller = caller
    this.#options = options
    this.#headers = options.headers
    this.#stopListening = caller.onGone(() => this.#hangUp())
  }

  /** The answer, once it is complete and final. `not kept`: it was too large. Null: there is none, and another call may do better. */
  answer(): Omit<RecordedAnswer, 'policies'> | 'not kept' | null {
    if (!this.#isFinal || !this.#isEnded || this.#head === null) return null
    return this.#isTooLarge ? 'not kept' : { ...this.#head, body: Buffer.concat(this.#pieces) }
  }

  /** Lets go of what it holds. */
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
    return this.#isTold || (this.#head === null && this.#caller.isGone())
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
    if (isGone()) this.#hangUp()
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
    if (this.#size + bytes.length > this.#options.maxBytes || !this.#options.room.take(bytes.length)) {
      this.#drop()
      this.#isTooLarge = true
      return
    }
    this.#size += bytes.length
    this.#pieces.push(bytes)
  }

  #drop(): void {
    this.#options.room.give(this.#size)
    this.#size = 0
    this.#pieces.length = 0
  }

  /** Of a plain answer nobody is told: it is read to its end whoever waits for it. */
  #hangUp(): void {
    if (this.#head?.isStream !== true || this.#grace !== null) return
    // What it did not read fast enough need not wait any more.
    this.#resume()
    this.#grace = setTimeout(() => this.#tell(), this.#isTooLarge ? 0 : this.#options.hangUpGraceMs)
  }

  #tell(): void {
    this.#isTold = true
    for (const listener of this.#listeners) listener()
  }
}
