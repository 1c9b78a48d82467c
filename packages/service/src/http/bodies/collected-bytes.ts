import { pipeline, type Readable, Transform } from 'node:stream'

const minBlockBytes = 4 * 1024
const maxBlockBytes = 1024 * 1024
/** Bytes of an announced length get their memory in one piece once this many have arrived. */
const minArrivedBytes = 64 * 1024

/**
 * Collects bytes that arrive in pieces of any size. They are copied together as they arrive: keeping a chunk takes
 * 370 bytes in addition to its own, so 13 MB in chunks of one byte took 4.8 GB and ended the process.
 */
export class CollectedBytes {
  readonly #full: Buffer[] = []
  #block = Buffer.alloc(0)
  #used = 0
  #size = 0
  readonly #announcedBytes: number

  /** `announcedBytes` is how many will probably arrive. */
  constructor(announcedBytes = 0) {
    this.#announcedBytes = announcedBytes
  }

  get size(): number {
    return this.#size
  }

  add(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) {
      if (this.#used === this.#block.length) this.#openBlock()
      const copied = chunk.copy(this.#block, this.#used, at)
      at += copied
      this.#used += copied
      this.#size += copied
    }
  }

  #openBlock(): void {
    const size = this.#size
    const announced = this.#announcedBytes
    if (size >= minArrivedBytes && size < announced && announced <= maxBlockBytes) {
      const arrived = this.take()
      this.#block = Buffer.allocUnsafe(announced)
      this.#used = arrived.copy(this.#block)
      this.#size = size
      return
    }
    if (this.#used > 0) this.#full.push(this.#block)
    this.#block = Buffer.allocUnsafe(Math.min(maxBlockBytes, Math.max(minBlockBytes, size)))
    this.#used = 0
  }

  /** Returns all collected bytes and clears the collection. */
  take(): Buffer {
    const isWhole = this.#full.length === 0 && this.#used === this.#block.length
    const last = this.#block.subarray(0, this.#used)
    const whole = isWhole ? last : Buffer.concat([...this.#full, last], this.#size)
    this.clear()
    return whole
  }

  clear(): void {
    this.#full.length = 0
    this.#block = Buffer.alloc(0)
    this.#used = 0
    this.#size = 0
  }
}

/** Returns the same bytes in larger chunks, for a reader that keeps chunks. */
export function joinChunks(payload: Readable): Readable {
  const bytes = new CollectedBytes()
  const joined = new Transform({
    transform(chunk: Buffer, _, done) {
      bytes.add(chunk)
      if (bytes.size < minBlockBytes) return done()
      done(null, bytes.take())
    },
    flush: (done) => done(null, bytes.take()),
  })
  // The reader of the stream is notified of errors.
  return pipeline(payload, joined, () => undefined)
}
