import { JsonStrings } from './json-strings.js'
import { isProtocolWord, readNumber } from './text-rules.js'

/**
 * The kind of a text. `payload`: it may be bytes in base64. `fixed`: a protocol word or a number, which cannot be replaced.
 * `model`: the name of a model. `number`: a number that a string may replace.
 */
export type TextKind = 'text' | 'payload' | 'fixed' | 'model' | 'number'

/** A text in a body, and the position of the JSON value that contains it, including its quotes. */
export interface TextLocation {
  start: number
  end: number
  text: string
  /** The text is itself JSON: its content has escapes, and replacements must be escaped too. */
  json: boolean
  /** The answer repeats its request here. */
  isEcho: boolean
  kind: TextKind
}

/** A value that reveals a text, such as `logprobs`, and what replaces it. */
export interface RevealingValue {
  start: number
  end: number
  replacement: string
}

export interface WalkOptions {
  isEcho?(path: readonly (string | number)[]): boolean
  /** True for texts that the caller asked to be JSON. */
  isJson?(path: readonly (string | number)[]): boolean
  /** The value that replaces `logprobs` when they are removed: they repeat the answer piece by piece. */
  emptyLogprobs?: 'null' | '[]'
}

/** The length of an empty string: its quotes. */
const emptyString = 2

/** Finds the texts of a body one at a time. */
export class TextWalk {
  readonly #json: string
  readonly #strings: JsonStrings
  readonly #options: WalkOptions
  readonly #isEvent: boolean
  /** The revealing values that were skipped so far. */
  readonly revealing: RevealingValue[] = []

  /**
   * `isEvent`: the body is an event of a stream. Values there that reveal a text are not judged, because the caller
   * never sees them when the stream is held back.
   */
  constructor(json: string, options: WalkOptions = {}, isEvent = false) {
    this.#json = json
    this.#strings = new JsonStrings(json)
    this.#options = options
    this.#isEvent = isEvent
  }

  /** The path of the text that was read last. It changes with the next one. */
  get path(): readonly (string | number)[] {
    return this.#strings.path
  }

  /** Reads one value; null when it is not text, undefined at the end. */
  next(): TextLocation | null | undefined {
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

  #readValue(): TextLocation | null {
    const { level, path } = this.#strings
    const text = this.#strings.read()
    const { value } = level.name
    if (level.isFree || value === 'text' || value === 'json') {
      const json = (!level.valuesAreFree && value === 'json') || this.#options.isJson?.(path) === true
      return this.#place(text, json, 'text')
    }
    if (value === 'word') return isProtocolWord(text) ? null : this.#place(text, false, 'fixed')
    // The `data` of a text document is never bytes, whatever it looks like.
    if (value === 'payload' && this.#strings.isOfType('text')) return this.#place(text, false, 'text')
    return this.#place(text, false, value)
  }

  #place(text: string, json: boolean, kind: TextKind): TextLocation {
    const { path, start, end } = this.#strings
    return { start, end, text, json, isEcho: this.#options.isEcho?.(path) === true, kind }
  }

  /** Records values that reveal a text. Returns whether to skip them. */
  #isRevealing(): boolean {
    const { emptyLogprobs } = this.#options
    const { name } = this.#strings.level
    const replacement =
      name.text === 'logprobs'
        ? emptyLogprobs
        : this.#isEvent && name.text === 'obfuscation'
          ? '""'
          : undefined
    if (replacement === undefined) return false
    const value = this.#strings.findValue()
    this.revealing.push({ ...value, replacement })
    if (this.#isEvent) this.#strings.skipTo(value.end)
    return this.#isEvent
  }
}
