import { maxTokensOf } from '../tokenizer/count-text.mjs'

/** Text that a model produced, counted when its provider reports no usage. */
export interface Produced {
  /** The texts that are counted exactly: nearly always the whole answer. */
  texts: readonly string[]
  /** An upper bound of the tokens in the rest, which is not kept. */
  moreTokens: number
  /** The characters of the whole text. */
  chars: number
}

export const nothingProduced: Produced = { texts: [], moreTokens: 0, chars: 0 }

// About 64,000 tokens. Without this limit, an endless stream took as much heap as it had text: 3 GB.
const maxKeptChars = 256 * 1024
// A string and its list entry take at least this much, however short the string is.
const minTextChars = 4
// V8 copies slices of up to 12 characters. A longer slice keeps the whole event in memory.
const maxCopiedSlice = 12

/** Collects the texts of a stream. What is kept is bounded; an upper bound is computed for the rest. */
export class ProducedTexts implements Produced {
  readonly #kept: string[] = []
  #freeChars = maxKeptChars
  #moreTokens = 0
  #chars = 0
  #last: readonly string[] = []
  #additions = 0

  /** Adds the texts of one event. */
  add(texts: readonly string[]): void {
    this.#additions += 1
    this.#last = texts
    for (const text of texts) if (text !== '') this.#addText(text)
  }

  #addText(text: string): void {
    this.#chars += text.length
    const heldChars = Math.max(text.length, minTextChars)
    // After the first text that does not fit, none is kept, so that the kept texts are the beginning of the answer.
    if (this.#moreTokens > 0 || heldChars > this.#freeChars) {
      this.#moreTokens += maxTokensOf(text)
      return
    }
    this.#freeChars -= heldChars
    this.#kept.push(text.length > maxCopiedSlice ? copyOf(text) : text)
  }

  get texts(): readonly string[] {
    return this.#kept
  }

  get moreTokens(): number {
    return this.#moreTokens
  }

  get chars(): number {
    return this.#chars
  }

  get additions(): number {
    return this.#additions
  }

  /** Returns the texts of the event that was read since this number of additions, even when they are not kept. */
  addedSince(additions: number): readonly string[] {
    return this.#additions === additions ? [] : this.#last
  }
}

/** Copies a text, including lone surrogates. */
const copyOf = (text: string): string => JSON.parse(JSON.stringify(text))
