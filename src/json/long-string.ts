const quote = 0x22
const backslash = 0x5c

// Decoding this much takes some milliseconds at worst: a text of nothing but `\u` escapes.
const pieceBytes = 128 * 1024
// Looking at this many bytes one by one costs less than asking for the next quote, where quotes are dense.
const denseBytes = 256

/** A string of a JSON text, read in pieces: it may have megabytes, and others wait meanwhile. */
export class LongString {
  readonly #json: Buffer
  readonly #pieces: string[] = []
  #at: number
  #nextQuote = -1
  /** Where its closing quote stands, once that is found. */
  end: number | null = null

  /** `start` is the position after the opening quote. */
  constructor(json: Buffer, start: number) {
    this.#json = json
    this.#at = start
  }

  /** Reads one piece. Returns how many bytes that were. Throws a SyntaxError for what is no JSON string. */
  readPiece(): number {
    const json = this.#json
    const start = this.#at
    const limit = Math.min(start + pieceBytes, json.length)
    this.end = this.#findEnd(start, limit)
    if (this.end === null && limit === json.length) throw new SyntaxError('a string does not end')
    const cut = this.end ?? findCut(json, start, limit)
    this.#pieces.push(JSON.parse(`"${json.toString('utf8', start, cut)}"`))
    this.#at = cut
    return cut - start
  }

  text(): string {
    return this.#pieces.join('')
  }

  /** The first quote from `from` on, which is no part of an escape, that closes the string. */
  #findEnd(from: number, limit: number): number | null {
    const json = this.#json
    let at = from
    while (at < limit) {
      const stop = Math.min(at + denseBytes, limit)
      while (at < stop) {
        const byte = json[at]
        if (byte === quote) return at
        at += byte === backslash ? 2 : 1
      }
      if (this.#nextQuote < at) {
        const found = json.indexOf(quote, at)
        this.#nextQuote = found === -1 ? json.length : found
      }
      const next = this.#nextQuote
      if (next >= limit) return null
      if (backslashesBefore(json, next, at) % 2 === 0) return next
      at = next + 1
    }
    return null
  }
}

/** How many stand directly before a position, and not before another. */
function backslashesBefore(json: Buffer, position: number, from: number): number {
  let at = position
  while (at > from && json[at - 1] === backslash) at--
  return position - at
}

/** A position at or shortly before `limit` where neither a character nor an escape is cut in two. */
function findCut(json: Buffer, start: number, limit: number): number {
  // The longest escape is `\u0041`.
  for (let at = limit - 1; at >= limit - 6; at--) {
    if (json[at] !== backslash) continue
    // An odd number of them: the last one begins an escape.
    if (backslashesBefore(json, at + 1, start) % 2 === 1) return at
    break
  }
  let cut = limit
  while (((json[cut] ?? 0) & 0xc0) === 0x80) cut--
  return cut
}
