import { maxTokensOf } from '../tokenizer/count-text.mjs'

/** What a model has produced, to be counted where its provider does not say what it used. */
export interface Produced {
  /** What is counted exactly: all of nearly every answer. */
  texts: readonly string[]
  /** The most tokens that what came after it can have. It is not kept. */
  moreTokens: number
  /** Characters of all of it. */
  chars: number
}

export const nothingProduced: Produced = { texts: [], moreTokens: 0, chars: 0 }

// Some 64,000 tokens. A stream without end once took as much heap as it had text: 3 GB.
const maxKeptChars = 256 * 1024
// A string and its place in a list take as much, however short it is.
const minTextChars = 4
// V8 copies slices of up to 12 characters. A longer one keeps the whole event alive that it was cut from.
const maxCopiedSlice = 12

/** The texts of a stream as they go by. What is kept of them is bounded; the rest is counted in passing, as the most that it can be. */
export class ProducedTexts implements Produced {
  readonly #kept: string[] = []
  #room = maxKeptChars
  #moreTokens = 0
  #chars = 0
  #last: readonly string[] = []
  #additions = 0

  /** Of one event. */
  add(texts: readonly string[]): void {
    this.#additions += 1
    this.#last = texts
    for (const text of texts) if (text !== '') this.#addText(text)
  }

  #addText(text: string): void {
    this.#chars += text.length
    const taken = Math.max(text.length, minTextChars)
    // Once it is full it stays full: what is kept is the beginning.
    if (this.#moreTokens > 0 || taken > this.#room) {
      this.#moreTokens += maxTokensOf(text)
      return
    }
    this.#room -= taken
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

  /** The texts of the event that was read since there were so many additions, also where they are not kept. */
  addedSince(additions: number): readonly string[] {
    return this.#additions === additions ? [] : this.#last
  }
}

/** Lone surrogates and all. */
const copyOf = (text: string): string => JSON.parse(JSON.stringify(text))
