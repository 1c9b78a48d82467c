import type { ByteStrings } from './byte-strings.js'

const quote = 0x22
const backslash = 0x5c

// Decoding a piece takes a few milliseconds at worst, when it consists of `\u` escapes.
export const pieceLength = 128 * 1024
// Without escapes, decoding this much takes as long.
const plainPieceLength = 1024 * 1024
// Reading this many characters one by one costs less than searching for the next quote when quotes are dense.
const denseLength = 256

/** A JSON text, as bytes or as characters. */
export interface JsonSource {
  readonly length: number
  codeAt(at: number): number
  /** Returns the position of the next quote at or after `from`, or -1. */
  findQuote(from: number): number
  /** Returns the text of a string, or of a piece of one. Throws a SyntaxError when it is not JSON. */
  decode(start: number, end: number): string
  /** Returns whether the range has no escapes. False when that is not known. */
  isPlain(start: number, end: number): boolean
  /** Returns whether this position is inside a character, where the text must not be cut. */
  isInside(at: number): boolean
}

export const fromBytes = (json: Buffer, strings: ByteStrings): JsonSource => ({
  length: json.length,
  codeAt: (at) => json[at] ?? 0,
  findQuote: (from) => json.indexOf(quote, from),
  decode: (start, end) => strings.decode(start, end),
  isPlain: (start, end) => !strings.hasBackslash(start, end),
  isInside: (at) => ((json[at] ?? 0) & 0xc0) === 0x80,
})

export const fromText = (json: string): JsonSource => ({
  length: json.length,
  codeAt: (at) => json.charCodeAt(at),
  findQuote: (from) => json.indexOf('"', from),
  decode: (start, end) => JSON.parse(`"${json.slice(start, end)}"`),
  isPlain: () => false,
  // A surrogate pair that is cut in two is restored when the pieces are joined.
  isInside: () => false,
})

/** Reads a string of a JSON text in pieces, because it may have megabytes. */
export class LongString {
  readonly #json: JsonSource
  readonly #pieces: string[] = []
  #at: number
  #nextQuote = -1
  /** The position of the closing quote, once it is found. */
  end: number | null = null

  /** `start` is the position after the opening quote. */
  constructor(json: JsonSource, start: number) {
    this.#json = json
    this.#at = start
  }

  /** Reads one piece and returns its length. Throws a SyntaxError when the text is not a JSON string. */
  readPiece(): number {
    const json = this.#json
    const start = this.#at
    const plainLimit = Math.min(start + plainPieceLength, json.length)
    const limit = json.isPlain(start, plainLimit) ? plainLimit : Math.min(start + pieceLength, json.length)
    this.end = this.#findEnd(start, limit)
    if (this.end === null && limit === json.length) throw new SyntaxError('a string does not end')
    const cut = this.end ?? findCut(json, start, limit)
    this.#pieces.push(json.decode(start, cut))
    this.#at = cut
    return cut - start
  }

  text(): string {
    return this.#pieces.join('')
  }

  /** Returns the position of the closing quote: the first one at or after `from` that is not part of an escape. */
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

/** Returns the number of backslashes directly before a position. Does not read before `from`. */
function backslashesBefore(json: JsonSource, position: number, from: number): number {
  let at = position
  while (at > from && json.codeAt(at - 1) === backslash) at--
  return position - at
}

/** Returns a position at or shortly before `limit` that is neither inside a character nor inside an escape. */
function findCut(json: JsonSource, start: number, limit: number): number {
  // The longest escape is `\u0041`.
  for (let at = limit - 1; at >= limit - 6; at--) {
    if (json.codeAt(at) !== backslash) continue
    // When the number of backslashes is odd, the last one begins an escape.
    if (backslashesBefore(json, at + 1, start) % 2 === 1) return at
    break
  }
  let cut = limit
  while (json.isInside(cut)) cut--
  return cut
}
