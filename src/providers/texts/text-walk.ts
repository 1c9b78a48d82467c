import { JsonStrings } from './json-strings.js'
import { isProtocolWord, readNumber } from './text-rules.js'

/**
 * What a text is beside being text: what may be bytes, written as base64; a word or a number that nothing can be put in the
 * place of; the name of a model; a number in whose place a string may stand.
 */
export type TextSort = 'text' | 'payload' | 'fixed' | 'model' | 'number'

/** A text in a body, and where the JSON value that holds it stands, quotes included. */
export interface TextPlace {
  start: number
  end: number
  text: string
  /** The text is itself JSON: what it says is written there with escapes, and what is put into it must be too. */
  json: boolean
  /** An answer repeats here what it was asked. */
  isEcho: boolean
  sort: TextSort
}

/** A value that reveals a text, and what to put in its place. */
export interface RevealingValue {
  start: number
  end: number
  blank: string
}

export interface WalkOptions {
  isEcho?(path: readonly (string | number)[]): boolean
  /** Texts that the caller asked to be JSON. */
  isJson?(path: readonly (string | number)[]): boolean
  /** What `logprobs`, which spell out an answer piece by piece, must be when they are left out. */
  noProbabilities?: 'null' | '[]'
}

/** Nothing but its quotes. */
const emptyString = 2

/** Finds the texts of a body one at a time. */
export class TextWalk {
  readonly #json: string
  readonly #strings: JsonStrings
  readonly #options: WalkOptions
  readonly #isEvent: boolean
  /** Those passed so far. */
  readonly revealing: RevealingValue[] = []

  /**
   * `isEvent`: of a stream. There, what reveals a text is not judged: the caller never sees it, if the stream is held back.
   */
  constructor(json: string, options: WalkOptions = {}, isEvent = false) {
    this.#json = json
    this.#strings = new JsonStrings(json)
    this.#options = options
    this.#isEvent = isEvent
  }

  /** Where the text stands that was read last. It changes with the next one. */
  get path(): readonly (string | number)[] {
    return this.#strings.path
  }

  /** Reads one value; null when it is not text, undefined when there are no more. */
  next(): TextPlace | null | undefined {
    const strings = this.#strings
    if (!strings.next()) return undefined
    const { kind, start, end, level } = strings
    if (kind === 'nothing') return null
    if (kind === 'number') {
      const text = readNumber(this.#json.slice(start, end))
      return this.#place(text, false, level.isFree ? 'number' : 'fixed')
    }
    if (kind === 'name' && level.name.mayReveal && this.#isRevealing()) return null
    if (end - start === emptyString) return null
    if (kind === 'name')
      return level.name.isKnown && !level.namesAreFree ? null : this.#place(strings.read(), false, 'text')
    return this.#readValue()
  }

  #readValue(): TextPlace | null {
    const { level, path } = this.#strings
    const text = this.#strings.read()
    const { value } = level.name
    if (level.isFree || value === 'text' || value === 'json') {
      const json = (!level.valuesAreFree && value === 'json') || this.#options.isJson?.(path) === true
      return this.#place(text, json, 'text')
    }
    if (value === 'word') return isProtocolWord(text) ? null : this.#place(text, false, 'fixed')
    // A document that is text: its `data` are no bytes, whatever they look like.
    if (value === 'payload' && this.#strings.isOfType('text')) return this.#place(text, false, 'text')
    return this.#place(text, false, value)
  }

  #place(text: string, json: boolean, sort: TextSort): TextPlace {
    const { path, start, end } = this.#strings
    return { start, end, text, json, isEcho: this.#options.isEcho?.(path) === true, sort }
  }

  /** Takes note of values that reveal a text. Whether they are passed over. */
  #isRevealing(): boolean {
    const { noProbabilities } = this.#options
    const { name } = this.#strings.level
    const blank =
      name.text === 'logprobs'
        ? noProbabilities
        : this.#isEvent && name.text === 'obfuscation'
          ? '""'
          : undefined
    if (blank === undefined) return false
    const value = this.#strings.findValue()
    this.revealing.push({ ...value, blank })
    if (this.#isEvent) this.#strings.skipTo(value.end)
    return this.#isEvent
  }
}
