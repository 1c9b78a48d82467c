/** The bytes are not those of a gzip file, or not all of them. */
export class DamagedGzipError extends Error {}

/**
 * Reads bits, lowest first, from chunks that arrive one after the other. Its state is open to the one loop that takes nearly all bits:
 * through methods, unpacking takes twice as long.
 */
export class BitInput {
  readonly #chunks: AsyncIterator<Uint8Array>
  bytes: Uint8Array = new Uint8Array(0)
  /** The place of the next byte whose bits are not in `bits`. */
  next = 0
  bits = 0
  /** How many of `bits` are not taken yet. */
  count = 0
  #isComplete = false

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  /** Whether `fill` must be called before the next `bytes` bytes can be read without it. */
  isShortOf(bytes: number, next = this.next): boolean {
    return !this.#isComplete && this.bytes.length - next < bytes
  }

  /** Makes at least this many bytes available, or all that are left. */
  async fill(bytes: number): Promise<void> {
    while (this.isShortOf(bytes)) {
      const { done, value } = await this.#chunks.next()
      if (done) {
        this.#isComplete = true
        return
      }
      const rest = this.bytes.subarray(this.next)
      this.bytes = new Uint8Array(rest.length + value.length)
      this.bytes.set(rest)
      this.bytes.set(value, rest.length)
      this.next = 0
    }
  }

  /** Whether all bytes were read. */
  async isAtEnd(): Promise<boolean> {
    await this.fill(1)
    return this.count === 0 && this.next === this.bytes.length
  }

  /** The next bits without taking them, up to 15. Beyond the end they are zero. */
  peek(count: number): number {
    while (this.count < count && this.next < this.bytes.length) {
      this.bits |= (this.bytes[this.next++] ?? 0) << this.count
      this.count += 8
    }
    return this.bits & ((1 << count) - 1)
  }

  skip(count: number): void {
    if (count > this.count) throw new DamagedGzipError('it is cut off')
    this.bits >>>= count
    this.count -= count
  }

  /** Up to 15 bits. */
  take(count: number): number {
    const value = this.peek(count)
    this.skip(count)
    return value
  }

  /** The next byte that is not begun yet. */
  takeByte(): number {
    this.skip(this.count % 8)
    return this.take(8)
  }
}
