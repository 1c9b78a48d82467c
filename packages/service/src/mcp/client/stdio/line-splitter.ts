const lineFeed = 0x0a
// A line that goes on beyond this many times its bound has no end.
const endless = 64
// Where the id of a message that is too long is looked for.
const kept = 512

/** One line of output, or what is left of one that was too long. */
export type OutputLine = { line: Buffer } | { tooLong: string }

/** Cuts output into lines, of which none is held beyond its bound. Throws at a line that has no end. */
export class LineSplitter {
  readonly #maxBytes: number
  #held: Buffer[] = []
  #bytes = 0
  /** The beginning of a line that is too long, and its latest bytes. */
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
    if (this.#bytes > this.#maxBytes * endless) throw new Error('a line has no end')
    const all = Buffer.concat([...this.#held, bytes])
    this.#head ??= Buffer.from(all.subarray(0, kept))
    this.#tail = Buffer.concat([this.#tail, all.subarray(-kept)]).subarray(-kept)
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
