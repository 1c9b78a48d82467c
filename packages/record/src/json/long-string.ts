const quote = 0x22
const backslash = 0x5c

// Decoding this much takes some milliseconds at worst: a text of nothing but `\u` escapes.
const pieceLength = 128 * 1024
// Looking at as many one by one costs less than asking for the next quote, where quotes are dense.
const denseLength = 256

/** A JSON text, as bytes or as characters. */
export interface JsonSource {
  readonly length: number
  codeAt(at: number): number
  /** The next quote from there on; -1 if there is none. */
  findQuote(from: number): number
  read(start: number, end: number): string
  /** Whether to cut before this position would cut a character in two. */
  isInside(at: number): boolean
}

export const fromBytes = (json: Buffer): JsonSource => ({
  length: json.length,
  codeAt: (at) => json[at] ?? 0,
  findQuote: (from) => json.indexOf(quote, from),
  read: (start, end) => json.toString('utf8', start, end),
  isInside: (at) => ((json[at] ?? 0) & 0xc0) === 0x80,
})

export const fromText = (json: string): JsonSource => ({
  length: json.length,
  codeAt: (at) => json.charCodeAt(at),
  findQuote: (from) => json.indexOf('"', from),
  read: (start, end) => json.slice(start, end),
  // Halves of a pair come together again when the pieces do.
  isInside: () => false,
})

/** A string of a JSON text, read in pieces: it may have megabytes, and others wait meanwhile. */
export class LongString {
  readonly #json: JsonSource
  readonly #pieces: string[] = []
  #at: number
  #nextQuote = -1
  /** Where its closing quote stands, once that is found. */
  end: number | null = null

  /** `start` is the position after the opening quote. */
  constructor(json: JsonSource, start: number) {
    this.#json = json
    this.#at = start
  }

  /** Reads one piece. Returns how long that was. Throws a SyntaxError for what is no JSON string. */
  readPiece(): number {
    const json = this.#json
    const start = this.#at
    const limit = Math.min(start + pieceLength, json.length)
    this.end = this.#findEnd(start, limit)
    if (this.end === null && limit === json.length) throw new SyntaxError('a string does not end')
    const cut = this.end ?? findCut(json, start, limit)
    this.#pieces.push(JSON.parse(`"${json.read(start, cut)}"`))
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
      const stop = Math.min(at + denseLength, limit)
      while (at < stop) {
        const code = json.codeAt(at)
        if (code === quote) return at
        at += code === backslash ? 2 : 1
      }
      if (this.#nextQuote < at) {
        const found = json.findQuote(at)
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
function backslashesBefore(json: JsonSource, position: number, from: number): number {
  let at = position
  while (at > from && json.codeAt(at - 1) === backslash) at--
  return position - at
}

/** A position at or shortly before `limit` where neither a character nor an escape is cut in two. */
function findCut(json: JsonSource, start: number, limit: number): number {
  // The longest escape is `\u0041`.
  for (let at = limit - 1; at >= limit - 6; at--) {
    if (json.codeAt(at) !== backslash) continue
    // An odd number of them: the last one begins an escape.
    if (backslashesBefore(json, at + 1, start) % 2 === 1) return at
    break
  }
  let cut = limit
  while (json.isInside(cut)) cut--
  return cut
}
