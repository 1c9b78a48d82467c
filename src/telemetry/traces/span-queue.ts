import type { EncodedCall } from './encode-call.js'

/** Spans that go in one request: a whole message of the protocol, in bytes. */
export interface Batch {
  bytes: Buffer
  spans: number
}

const batchBytes = 512 * 1024
const maxSpare = 2

interface Open {
  buffer: Buffer
  used: number
  spans: number
}

/**
 * Spans that wait to be sent, at most this many bytes of them. They are written into the bytes of their message at once: as texts they
 * would be thousands of small objects that live until they are sent, and cost the collector of garbage more than all else.
 */
export class SpanQueue {
  readonly #head: Buffer
  readonly #tail: Buffer
  readonly #maxBytes: number
  readonly #full: Batch[] = []
  readonly #spare: Buffer[] = []
  #open: Open | null = null
  #bytes = 0

  constructor(head: string, tail: string, maxBytes: number) {
    this.#head = Buffer.from(head)
    this.#tail = Buffer.from(tail)
    this.#maxBytes = maxBytes
  }

  /** False when there is no room for them. */
  add({ spans, count }: EncodedCall): boolean {
    const size = Buffer.byteLength(spans) + 1
    if (this.#bytes + size > this.#maxBytes) return false
    if (this.#open !== null && this.#open.used + size + this.#tail.length > this.#open.buffer.length)
      this.#seal()
    this.#open ??= this.#begin(size)
    const open = this.#open
    if (open.spans > 0) open.used += open.buffer.write(',', open.used)
    open.used += open.buffer.write(spans, open.used)
    open.spans += count
    this.#bytes += size
    return true
  }

  get isEmpty(): boolean {
    return this.#full.length === 0 && this.#open === null
  }

  /** A batch is as large as it gets. */
  get hasFull(): boolean {
    return this.#full.length > 0
  }

  /** The oldest ones. */
  take(): Batch | null {
    if (this.#full.length === 0) this.#seal()
    const batch = this.#full.shift() ?? null
    if (batch !== null) this.#bytes -= batch.bytes.length
    if (this.isEmpty) this.#bytes = 0
    return batch
  }

  /** The bytes of a batch that was sent, or given up, can be used again. */
  recycle({ bytes }: Batch): void {
    if (bytes.buffer.byteLength === batchBytes && this.#spare.length < maxSpare)
      this.#spare.push(Buffer.from(bytes.buffer))
  }

  #begin(size: number): Open {
    const needed = this.#head.length + size + this.#tail.length
    const buffer =
      needed > batchBytes ? Buffer.alloc(needed) : (this.#spare.pop() ?? Buffer.alloc(batchBytes))
    return { buffer, used: this.#head.copy(buffer), spans: 0 }
  }

  #seal(): void {
    const open = this.#open
    if (open === null) return
    this.#open = null
    const end = open.used + this.#tail.copy(open.buffer, open.used)
    this.#full.push({ bytes: open.buffer.subarray(0, end), spans: open.spans })
    this.#bytes += this.#head.length + this.#tail.length
  }
}
