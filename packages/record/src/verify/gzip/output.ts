// As far as a match may reach back.
const windowBytes = 32_768
const chunkBytes = 262_144
const longestMatch = 258

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  return crc
})

// Over an index: an iterator takes five times as long.
function addToCrc(before: number, bytes: Uint8Array): number {
  let crc = before
  for (let i = 0; i < bytes.length; i++) crc = (crc >>> 8) ^ (crcTable[(crc ^ (bytes[i] ?? 0)) & 255] ?? 0)
  return crc
}

/** What was unpacked of one member, with its checksum. The last 32 KiB stay within reach. */
export class Output {
  static readonly fullAt = windowBytes + chunkBytes
  readonly bytes = new Uint8Array(windowBytes + chunkBytes + longestMatch)
  /** Where the next byte goes. */
  next = 0
  #taken = 0
  #crc = -1
  #total = 0

  /** Whether `take` must be called before more is added. */
  get isFull(): boolean {
    return this.next > Output.fullAt
  }

  add(byte: number): void {
    this.bytes[this.next++] = byte
  }

  /** What was added since the last call. */
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

  /** Of all that was taken. */
  get checksum(): number {
    return ~this.#crc >>> 0
  }

  /** How many bytes were taken, as four bytes can hold it. */
  get length(): number {
    return this.#total % 2 ** 32
  }
}
