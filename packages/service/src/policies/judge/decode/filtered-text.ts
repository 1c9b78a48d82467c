import { readTag } from '../../detect/fold.js'
import type { Decoding } from './decoding.js'

/** A text without some of its characters, with the original positions of the others. */
export class FilteredText {
  readonly #text: string
  readonly #codes: Uint16Array
  readonly #positions: Int32Array
  #length = 0

  constructor(text: string) {
    this.#text = text
    this.#codes = new Uint16Array(text.length)
    this.#positions = new Int32Array(text.length + 1)
  }

  addSpan(start: number, end: number): void {
    for (let at = start; at < end; at++) this.#add(this.#text.charCodeAt(at), at)
  }

  /** Adds the letters that tag characters represent. */
  addTags(start: number, end: number): void {
    for (let at = start; at < end; at++) {
      const letter = readTag(this.#text, at)
      if (letter !== null) this.#add(letter, at)
    }
  }

  #add(code: number, position: number): void {
    this.#codes[this.#length] = code
    this.#positions[this.#length++] = position
  }

  finish(): Decoding {
    const positions = this.#positions
    positions[this.#length] = this.#text.length
    return {
      text: Buffer.from(this.#codes.buffer, 0, this.#length * 2).toString('utf16le'),
      toSpan: (start, end) => ({
        start: positions[start] ?? 0,
        end: Math.max(positions[end] ?? 0, (positions[end - 1] ?? 0) + 1),
      }),
    }
  }
}
