import type { ServerResponse } from 'node:http'
import type { Principal } from '../../http/index.js'
import { writeEvent } from './event-text.js'
import type { Position } from './position.js'
import type { Farewell } from './schema.js'
import type { View } from './view.js'

// How long the last word may take to reach its reader: one that was too slow has to read what was sent before it.
const slowLingerMs = 30_000
const lingerMs = 1_000
// A timer that fires so late says that this process stood still.
const pauseMs = 1_000

// A stream that is behind is sent no more from its feed. What it is still sent (states, pings) is little, but has a bound as well.
const hardBoundFactor = 4

/** One reader's connection. Nothing that others wait for ever waits for it: what it does not take is held up to a bound. */
export class EventStream {
  readonly principal: Principal
  readonly view: View
  /** Up to where it has been sent what has an order. */
  position: Position = { step: 0, alert: 0 }
  /** It has its first picture of what has a state, and takes changes from then on. */
  hasSnapshot = false
  readonly #response: ServerResponse
  readonly #maxBufferedBytes: number
  #open = true

  constructor(options: {
    response: ServerResponse
    principal: Principal
    view: View
    maxBufferedBytes: number
    onClosed(): void
  }) {
    this.principal = options.principal
    this.view = options.view
    this.#response = options.response
    this.#maxBufferedBytes = options.maxBufferedBytes
    options.response.once('close', () => {
      this.#open = false
      options.onClosed()
    })
  }

  get isOpen(): boolean {
    return this.#open
  }

  /** What the reader has not taken. */
  get heldBytes(): number {
    return this.#response.writableLength
  }

  /** It holds as much as it may: the rest has to wait until the reader has taken that. */
  get isBehind(): boolean {
    return this.heldBytes > this.#maxBufferedBytes
  }

  /** Whether a piece can be handed over at once, rather than bit by bit. */
  takes(piece: Buffer): boolean {
    return !this.isBehind && piece.length <= this.#maxBufferedBytes
  }

  write(piece: string | Buffer): void {
    if (!this.#open) return
    if (this.heldBytes > this.#maxBufferedBytes * hardBoundFactor) this.end(tooSlow)
    else this.#response.write(piece)
  }

  /** Resolves when the reader has taken what was written, or is gone, or was dropped for taking too long. */
  async drained(withinMs: number): Promise<void> {
    if (!this.#open || !this.#response.writableNeedDrain) return
    await new Promise<void>((resolve) => {
      const response = this.#response
      let timer: NodeJS.Timeout | undefined
      const done = () => {
        clearTimeout(timer)
        response.off('drain', done).off('close', done)
        resolve()
      }
      const waitForReader = () => {
        const begunMs = performance.now()
        timer = setTimeout(() => {
          // After a pause of this process, the reader gets the whole time again.
          if (performance.now() - begunMs > withinMs + pauseMs) return waitForReader()
          this.end(tooSlow)
          done()
        }, withinMs).unref()
      }
      waitForReader()
      response.on('drain', done).on('close', done)
    })
  }

  /** With a word, which the reader gets if it reads on in time. */
  end(farewell: Farewell): void {
    if (!this.#open) return
    this.#open = false
    const { event, ...data } = farewell
    this.#response.end(writeEvent(event, data))
    this.#destroyAfter(farewell === tooSlow ? slowLingerMs : lingerMs)
  }

  /** The process stops: nobody waits for a reader any longer than a moment. */
  stop(farewell: Farewell): void {
    if (this.#open) this.end(farewell)
    else this.#destroyAfter(lingerMs)
  }

  #destroyAfter(ms: number): void {
    const timer = setTimeout(() => this.#response.destroy(), ms)
    this.#response.once('close', () => clearTimeout(timer))
  }
}

export const tooSlow: Farewell = {
  event: 'error',
  reason: 'slow_reader',
  message:
    'Dropped: more had happened than this connection took. Connect again with the last event id, and read faster or choose fewer types',
  reconnect: true,
}
