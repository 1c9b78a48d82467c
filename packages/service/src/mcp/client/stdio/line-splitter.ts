const lineFeed = 0x0a
// A line that is longer than the bound times this factor is assumed never to end.
const maxFactor = 64
// How much is kept from the beginning and from the end of a line that is too long, to find the id of its message.
const excerptBytes = 512

/** A line of output, or an excerpt of one that was too long. */
export type OutputLine = { line: Buffer } | { tooLong: string }

/** Splits output into lines. Of a line that is too long, only an excerpt is kept in memory. Throws when a line does not end. */
export class LineSplitter {
  readonly #maxBytes: number
  #held: Buffer[] = []
  #bytes = 0
  /** The beginning and the latest bytes of a line that is too long. */
  #head: Buffer | null = null
  #tail: Buffer = Buffer.alloc(0)

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  push(chunk: Buffer): OutputLine[] {
    const lines: OutputLine[] = []
    let start = 0
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      this.#hold(chunk.subarray(start, end))
      lines.push(this.#release())
      start = end + 1
    }
    this.#hold(chunk.subarray(start))
    return lines
  }

  #hold(bytes: Buffer): void {
    if (bytes.length === 0) return
    this.#bytes += bytes.length
    if (this.#head === null && this.#bytes <= this.#maxBytes) {
      this.#held.push(bytes)
      return
    }
    if (this.#bytes > this.#maxBytes * maxFactor) throw new Error('a line of output does not end')
    const all = Buffer.concat([...this.#held, bytes])
    this.#head ??= Buffer.from(all.subarray(0, excerptBytes))
    this.#tail = Buffer.concat([this.#tail, all.subarray(-excerptBytes)]).subarray(-excerptBytes)
    this.#held = []
  }

  #release(): OutputLine {
    const line: OutputLine =
      this.#head === null
        ? { line: Buffer.concat(this.#held) }
        : { tooLong: `${this.#head.toString('latin1')} ${this.#tail.toString('latin1')}` }
    this.#held = []
    this.#bytes = 0
    this.#head = null
    this.#tail = Buffer.alloc(0)
    return line
  }
}
