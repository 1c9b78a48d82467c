import { JsonStrings } from './json-strings.js'
import { isPayload, isWord } from './text-rules.js'

/** A text in a body, and where the JSON string that holds it stands, quotes included. */
export interface TextPlace {
  start: number
  end: number
  text: string
  /** The text is itself JSON: what it says is written there with escapes, and what is put into it must be too. */
  json: boolean
  /** An answer repeats here what it was asked. */
  isEcho: boolean
}

/** A value that reveals a text, and what to put in its place. */
export interface RevealingValue {
  start: number
  end: number
  blank: string
}

export interface WalkOptions {
  /** Objects that hold no text, by their paths. */
  skip?: readonly (readonly string[])[]
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
  /** Those passed so far. */
  readonly revealing: RevealingValue[] = []

  constructor(json: string, options: WalkOptions = {}) {
    this.#json = json
    this.#strings = new JsonStrings(json)
    this.#options = options
  }

  /** Where the string stands that was read last. It changes with the next one. */
  get path(): readonly (string | number)[] {
    return this.#strings.path
  }

  /** Reads one string; null when it is not text, undefined when there are no more. */
  next(): TextPlace | null | undefined {
    const strings = this.#strings
    if (!strings.next()) return undefined
    const { path, start, end, isName } = strings
    if (isName && this.#skip(path)) return null
    if (end - start === emptyString || !this.#isText()) return null
    const json = this.#isJson() || this.#options.isJson?.(path) === true
    const isEcho = this.#options.isEcho?.(path) === true
    return { start, end, text: strings.read(), json, isEcho }
  }

  #isText(): boolean {
    const { level, isName, start, end } = this.#strings
    const { name } = level
    if (isName) return level.namesAreFree || !name.isWord
    if (level.valuesAreFree) return true
    if (name.value === 'word') return !isWord(this.#json, start + 1, end - 1)
    return name.value !== 'payload' || !isPayload(this.#strings.read())
  }

  #isJson(): boolean {
    const { level, isName } = this.#strings
    return !isName && !level.valuesAreFree && level.name.value === 'json'
  }

  #skip(path: readonly (string | number)[]): boolean {
    const { skip, noProbabilities } = this.#options
    if (noProbabilities !== undefined && path[path.length - 1] === 'logprobs') {
      this.revealing.push({ ...this.#strings.skipValue(), blank: noProbabilities })
      return true
    }
    if (skip === undefined || !skip.some((each) => isSame(each, path))) return false
    this.#strings.skipValue()
    return true
  }
}

const isSame = (one: readonly string[], other: readonly (string | number)[]): boolean =>
  one.length === other.length && one.every((name, at) => name === other[at])
