// The maximum distance of a match.
const windowBytes = 32_768
const chunkBytes = 262_144
const longestMatch = 258

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  return crc
})

// The loop uses an index, because an iterator takes five times as long.
function addToCrc(before: number, bytes: Uint8Array): number {
  let crc = before
  for (let i = 0; i < bytes.length; i++) crc = (crc >>> 8) ^ (crcTable[(crc ^ (bytes[i] ?? 0)) & 255] ?? 0)
  return crc
}

/** The unpacked bytes of one member, with their checksum. The last 32 KiB are kept for matches. */
export class Output {
  static readonly fullAt = windowBytes + chunkBytes
  readonly bytes = new Uint8Array(windowBytes + chunkBytes + longestMatch)
  /** The position of the next byte. */
  next = 0
  #taken = 0
  #crc = -1
  #total = 0

  /** Returns whether `take` must be called before more bytes are added. */
  get isFull(): boolean {
    return this.next > Output.fullAt
  }

  add(byte: number): void {
    this.bytes[this.next++] = byte
  }

  /** Returns the bytes that were added since the last call. */
  take(): Buffer {
    const added = Buffer.from(this.bytes.slice(this.#taken, this.next).buffer)
    this.#crc = addToCrc(this.#crc, added)
    this.#total += added.length
    if (this.next > windowBytes) {
      this.bytes.copyWithin(0, this.next - windowBytes, this.next)
      this.next = windowBytes
    }
    this.#taken = this.next
    return added
  }

  /** The checksum of all bytes that were taken. */
  get checksum(): number {
    return ~this.#crc >>> 0
  }

  /** The number of bytes that were taken, modulo 2^32. */
  get length(): number {
    return this.#total % 2 ** 32
  }
}
