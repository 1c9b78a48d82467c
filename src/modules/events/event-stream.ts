import type { ServerResponse } from 'node:http'
import type { Principal } from '../../http/index.js'
import { writeEvent } from './event-text.js'
import type { Position } from './position.js'
import type { Farewell } from './schema.js'
import type { View } from './view.js'

// How long the last word may take to reach its reader: one that was too slow has to read what was sent before it.
const slowLingerMs = 30_000
const lingerMs = 1_000

/** One reader's connection. Nothing ever waits for it: what it does not take is held up to a bound, and then it is dropped. */
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

  /** What it holds is at most the bound and one piece. Pieces are shared by all streams of a view. */
  write(piece: string | Buffer): void {
    if (!this.#open) return
    if (this.#response.writableLength > this.#maxBufferedBytes) this.end(tooSlow)
    else this.#response.write(piece)
  }

  /** Resolves when the reader has taken what was written, or is gone, or was dropped for taking too long. */
  async drained(withinMs: number): Promise<void> {
    if (!this.#open || !this.#response.writableNeedDrain) return
    await new Promise<void>((resolve) => {
      const response = this.#response
      const done = () => {
        clearTimeout(timer)
        response.off('drain', done).off('close', done)
        resolve()
      }
      const timer = setTimeout(() => {
        this.end(tooSlow)
        done()
      }, withinMs).unref()
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

const tooSlow: Farewell = {
  event: 'error',
  reason: 'slow_reader',
  message:
    'Dropped: more had happened than this connection took. Connect again with the last event id, and read faster or choose fewer types',
  reconnect: true,
}
