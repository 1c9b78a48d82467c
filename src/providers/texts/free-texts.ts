import { JsonStrings } from './json-strings.js'
import { readNumber } from './text-rules.js'
import type { TextPlace, TextSort } from './text-walk.js'

type Path = readonly (string | number)[]

/**
 * Finds the texts of JSON that follows no protocol which is known here, such as the arguments of a tool: every name, string and number
 * in it is text.
 */
export class FreeTexts {
  readonly #json: string
  readonly #strings: JsonStrings
  readonly #sortOf: (path: Path) => TextSort

  /** `sortOf`: what a string is, by where it stands. */
  constructor(json: string, sortOf: (path: Path) => TextSort = () => 'text') {
    this.#json = json
    this.#strings = new JsonStrings(json, true)
    this.#sortOf = sortOf
  }

  /** Reads one value; null when it is not text, undefined when there are no more. */
  next(): TextPlace | null | undefined {
    const strings = this.#strings
    if (!strings.next()) return undefined
    const { kind, start, end, path } = strings
    if (kind === 'nothing') return null
    if (kind === 'number') return this.#place(readNumber(this.#json.slice(start, end)), 'number')
    const text = strings.read()
    if (text === '') return null
    return this.#place(text, kind === 'string' ? this.#sortOf(path) : 'text')
  }

  #place(text: string, sort: TextSort): TextPlace {
    const { start, end } = this.#strings
    return { start, end, text, json: false, isEcho: false, sort }
  }
}
