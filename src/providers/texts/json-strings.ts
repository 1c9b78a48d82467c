import { endOfString, endOfValue, skipSpace } from '../../json/index.js'
import { nameAt, noName } from './member-names.js'
import { describeName, type MemberName } from './text-rules.js'

const quote = 0x22
const comma = 0x2c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/** An object or an array, and what somebody chose in it: that is text, whatever it looks like. */
class Level {
  readonly above: Level | null
  readonly isArray: boolean
  /** Of the current member. Items of an array are called as the array is. */
  name: MemberName
  readonly isSchemaMap: boolean
  readonly valuesAreFree: boolean

  constructor(above: Level | null, isArray: boolean) {
    this.above = above
    this.isArray = isArray
    this.name = isArray && above !== null ? above.name : noName
    const isValue = !isArray && above !== null && !above.isArray
    this.isSchemaMap = isValue && above.name.opensSchemaMap
    // An array of items has the protocol's words in it; an object of the author's has not.
    this.valuesAreFree =
      above?.valuesAreFree === true || (isValue && above.name.opensFreeObject && !above.isSchemaMap)
  }

  get namesAreFree(): boolean {
    return this.isSchemaMap || this.valuesAreFree
  }
}

/**
 * Goes through the strings of a JSON text that is known to be valid, one at a time, so that the reader of a large one
 * can let others have a turn. It reads the text and not what was parsed from it: a name that stands twice in an object
 * is seen twice here, whichever of the two its next reader takes for true.
 */
export class JsonStrings {
  readonly #json: string
  #at = 0
  #expectsName = false
  #value: string | null = null
  /** Names and positions from the outside to the current string; the last is its own. */
  readonly path: (string | number)[] = []
  /** Where it stands. */
  level = new Level(null, false)
  /** Where it begins and ends, with its quotes. */
  start = 0
  end = 0
  /** Whether it is the name of a member. */
  isName = false

  constructor(json: string) {
    this.#json = json
  }

  /** Moves on to the next string; false when there is none. */
  next(): boolean {
    const json = this.#json
    for (let at = this.#at; at < json.length; at++) {
      switch (json.charCodeAt(at)) {
        case quote:
          this.#take(at)
          return true
        case openBrace:
          this.#open(false)
          break
        case openBracket:
          this.#open(true)
          break
        case closeBrace:
        case closeBracket:
          this.path.pop()
          this.level = this.level.above ?? this.level
          // Of an empty object: nothing came where a name was expected.
          this.#expectsName = false
          break
        case comma:
          this.#goToNextItem()
          break
        default:
      }
    }
    this.#at = json.length
    return false
  }

  #take(start: number): void {
    this.start = start
    this.end = endOfString(this.#json, start)
    this.#at = this.end
    this.#value = null
    this.isName = this.#expectsName
    this.#expectsName = false
    if (!this.isName) return
    const { level, path } = this
    level.name = nameAt(this.#json, start + 1, this.end - 1) ?? describeName(this.read())
    path[path.length - 1] = level.name.text
  }

  /** What the current string says. */
  read(): string {
    this.#value ??= readString(this.#json, this.start, this.end)
    return this.#value
  }

  /** Passes over the value of the member whose name is the current string, and tells where it stands. */
  skipValue(): { start: number; end: number } {
    const start = skipSpace(this.#json, this.#json.indexOf(':', this.#at) + 1)
    const end = endOfValue(this.#json, start)
    this.#at = end
    return { start, end }
  }

  #open(isArray: boolean): void {
    this.path.push(isArray ? 0 : '')
    this.level = new Level(this.level, isArray)
    this.#expectsName = !isArray
  }

  #goToNextItem(): void {
    const { path } = this
    const last = path[path.length - 1]
    if (typeof last === 'number') path[path.length - 1] = last + 1
    else this.#expectsName = true
  }
}

/** Decoding costs little where there is nothing to decode. */
function readString(json: string, start: number, end: number): string {
  const inner = json.slice(start + 1, end - 1)
  if (!inner.includes('\\')) return inner
  const value: unknown = JSON.parse(json.slice(start, end))
  return typeof value === 'string' ? value : ''
}
