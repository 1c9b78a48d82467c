/** The bytes are not a complete, valid gzip file. */
export class DamagedGzipError extends Error {}

/**
 * Reads bits, lowest first, from consecutive chunks. Its state is public for the loop that reads nearly all bits, because unpacking takes
 * twice as long with methods.
 */
export class BitInput {
  readonly #chunks: AsyncIterator<Uint8Array>
  bytes: Uint8Array = new Uint8Array(0)
  /** The position of the next byte whose bits are not in `bits`. */
  next = 0
  bits = 0
  /** The number of bits in `bits`. */
  count = 0
  #isComplete = false

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  /** Returns whether `fill` must be called before the next `bytes` bytes are read. */
  isShortOf(bytes: number, next = this.next): boolean {
    return !this.#isComplete && this.bytes.length - next < bytes
  }

  /** Makes at least this many bytes available, or all remaining bytes. */
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

  /** Returns whether all bytes were read. */
  async isAtEnd(): Promise<boolean> {
    await this.fill(1)
    return this.count === 0 && this.next === this.bytes.length
  }

  /** Returns up to 15 bits without consuming them. Beyond the end they are zero. */
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

  /** Reads up to 15 bits. */
  take(count: number): number {
    const value = this.peek(count)
    this.skip(count)
    return value
  }

  /** Reads the next whole byte. */
  takeByte(): number {
    this.skip(this.count % 8)
    return this.take(8)
  }
}
