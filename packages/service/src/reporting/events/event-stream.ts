import type { ServerResponse } from 'node:http'
import type { Principal } from '../../http/index.js'
import { startTimer } from '../../shared/deadline.js'
import { writeEvent } from './event-text.js'
import type { Position } from './position.js'
import type { StreamEnd } from './schema.js'
import type { View } from './view.js'

// How long the last event may take to reach its reader: a slow reader must first read what was sent before it.
const slowLingerMs = 30_000
const lingerMs = 1_000

// A stream that is behind gets no more events from its feed. What it still gets (states, pings) is little, but also
// bounded.
const hardBoundFactor = 4

/** One reader's connection. Nothing shared ever waits for it: what it does not read is buffered up to a limit. */
export class EventStream {
  readonly principal: Principal
  readonly view: View
  /** The position up to which ordered events have been sent. */
  position: Position = { step: 0, alert: 0 }
  /** True once it has received the current states, after which it receives changes. */
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

  /** The bytes that the reader has not read. */
  get bufferedBytes(): number {
    return this.#response.writableLength
  }

  /** True when its buffer is full: further events wait until the reader has caught up. */
  get isBehind(): boolean {
    return this.bufferedBytes > this.#maxBufferedBytes
  }

  /** True when a piece can be written immediately. */
  accepts(piece: Buffer): boolean {
    return !this.isBehind && piece.length <= this.#maxBufferedBytes
  }

  write(piece: string | Buffer): void {
    if (!this.#open) return
    if (this.bufferedBytes > this.#maxBufferedBytes * hardBoundFactor) this.end(tooSlow)
    else this.#response.write(piece)
  }

  /** Resolves when the reader has read everything, has disconnected, or was dropped because it took too long. */
  async drained(withinMs: number): Promise<void> {
    if (!this.#open || !this.#response.writableNeedDrain) return
    await new Promise<void>((resolve) => {
      const response = this.#response
      const done = () => {
        timer.stop()
        response.off('drain', done).off('close', done)
        resolve()
      }
      const giveUp = () => {
        this.end(tooSlow)
        done()
      }
      const timer = startTimer(withinMs, giveUp, { unref: true })
      response.on('drain', done).on('close', done)
    })
  }

  /** Ends the stream with a last event, which the reader receives if it reads on in time. */
  end(reason: StreamEnd): void {
    if (!this.#open) return
    this.#open = false
    const { event, ...data } = reason
    this.#response.end(writeEvent(event, data))
    this.#destroyAfter(reason === tooSlow ? slowLingerMs : lingerMs)
  }

  /** Ends the stream because the process stops, which does not wait for readers. */
  stop(reason: StreamEnd): void {
    if (this.#open) this.end(reason)
    else this.#destroyAfter(lingerMs)
  }

  #destroyAfter(ms: number): void {
    const timer = setTimeout(() => this.#response.destroy(), ms)
    this.#response.once('close', () => clearTimeout(timer))
  }
}

export const tooSlow: StreamEnd = {
  event: 'error',
  reason: 'slow_reader',
  message:
    'Disconnected because this connection read events too slowly. Connect again with the last event id, and read faster or choose fewer types',
  reconnect: true,
}
