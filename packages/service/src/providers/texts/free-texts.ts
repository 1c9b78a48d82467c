import { JsonStrings } from './json-strings.js'
import { readNumber } from './text-rules.js'
import type { TextKind, TextLocation } from './text-walk.js'

type Path = readonly (string | number)[]

/**
 * Finds the texts of JSON without a known protocol, such as the arguments of a tool: every name, string and number
 * in it is text.
 */
export class FreeTexts {
  readonly #json: string
  readonly #strings: JsonStrings
  readonly #kindOf: (path: Path) => TextKind

  /** `kindOf` returns the kind of a string by its path. */
  constructor(json: string, kindOf: (path: Path) => TextKind = () => 'text') {
    this.#json = json
    this.#strings = new JsonStrings(json, true)
    this.#kindOf = kindOf
  }

  /** Reads one value; null when it is not text, undefined at the end. */
  next(): TextLocation | null | undefined {
    const strings = this.#strings
    if (!strings.next()) return undefined
    const { kind, start, end, path } = strings
    if (kind === 'nothing') return null
    if (kind === 'number') return this.#place(readNumber(this.#json.slice(start, end)), 'number')
    const text = strings.read()
    if (text === '') return null
    return this.#place(text, kind === 'string' ? this.#kindOf(path) : 'text')
  }

  #place(text: string, kind: TextKind): TextLocation {
    const { start, end } = this.#strings
    return { start, end, text, json: false, isEcho: false, kind }
  }
}
