import { endOfString, endOfValue, fromText, LongString, skipSpace } from '@tallystick/record/json'
import { nameAt, noName } from './member-names.js'
import { describeName, isExpectedNumber, type MemberName } from './text-rules.js'

const quote = 0x22
const comma = 0x2c
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d
const minus = 0x2d
const zero = 0x30
const nine = 0x39

/** After this many characters without a text, `next` returns, so that a reader can let other work run. */
const maxSilentChars = 16_384
/** A longer string that contains escapes is read in pieces. */
const maxWholeChars = 64 * 1024

/** An object or an array. Its content is text if an author chose it, whatever it looks like. */
class Level {
  readonly above: Level | null
  readonly isArray: boolean
  /** The name of the current member. Items of an array have the array's name. */
  name: MemberName
  readonly isSchemaMap: boolean
  readonly valuesAreFree: boolean
  /** The position of the value of `type`, once it was read; -1 before. */
  typeAt = -1

  constructor(above: Level | null, isArray: boolean, isFree = false) {
    this.above = above
    this.isArray = isArray
    this.name = isArray && above !== null ? above.name : noName
    const isValue = !isArray && above !== null && !above.isArray
    this.isSchemaMap = isValue && above.name.opensSchemaMap
    // An array of items contains protocol words; an object of the author's does not.
    this.valuesAreFree =
      isFree ||
      (above !== null &&
        (above.valuesAreFree ||
          (!above.isSchemaMap && (above.name.opensFreeValue || (isValue && above.name.opensFreeObject)))))
  }

  get namesAreFree(): boolean {
    return this.isSchemaMap || this.valuesAreFree
  }

  /** True when an author chose the values of the current member, so that all of them are text. */
  get isFree(): boolean {
    return this.valuesAreFree || (this.name.opensFreeValue && !this.isSchemaMap)
  }
}

/**
 * Iterates over the strings and numbers of a valid JSON text, one at a time, so that the reader of a large text can
 * let other work run. Numbers that the protocol expects at their path are skipped. It reads the text rather than
 * the parsed value: a name that occurs twice in an object is seen twice, whichever of the two the next reader uses.
 */
export class JsonStrings {
  readonly #json: string
  #at = 0
  #expectsName = false
  #value: string | null = null
  #long: LongString | null = null
  /** Names and indexes from the outermost value to the current one, which has the last. */
  readonly path: (string | number)[] = []
  /** The object or array that contains the current value. */
  level: Level
  /** The start and end of the current value, including its quotes. */
  start = 0
  end = 0
  /**
   * The kind of the current value: the name of a member, a string or a number; `nothing` after a stretch without
   * any.
   */
  kind: 'name' | 'string' | 'number' | 'nothing' = 'nothing'

  /** `isFree`: an author chose all of the text, and no name or value in it is a protocol word. */
  constructor(json: string, isFree = false) {
    this.#json = json
    this.level = new Level(null, false, isFree)
  }

  /** Moves to the next string or number; false when there is none. */
  next(): boolean {
    if (this.#long !== null) return this.#readOn(this.#long)
    const json = this.#json
    const limit = Math.min(json.length, this.#at + maxSilentChars)
    for (let at = this.#at; at < limit; at++) {
      const code = json.charCodeAt(at)
      switch (code) {
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
          // An empty object: nothing came where a name was expected.
          this.#expectsName = false
          break
        case comma:
          this.#goToNextItem()
          break
        default:
          if ((code < zero || code > nine) && code !== minus) break
          if (this.#takeNumber(at)) return true
          at = this.end - 1
      }
    }
    this.kind = 'nothing'
    this.#at = Math.max(limit, this.end)
    return this.#at < json.length
  }

  /** Returns false for a number that the protocol expects. */
  #takeNumber(start: number): boolean {
    const { level } = this
    this.start = start
    this.end = endOfNumber(this.#json, start)
    if (level.name.isKnown && !level.isFree && isExpectedNumber(level.name, this.#json, start, this.end))
      return false
    this.#at = this.end
    this.#value = null
    this.kind = 'number'
    return true
  }

  #take(start: number): void {
    this.start = start
    this.#value = null
    if (isLong(this.#json, start)) {
      this.kind = 'nothing'
      this.#long = new LongString(fromText(this.#json), start + 1)
    } else this.#put(endOfString(this.#json, start))
  }

  /** Continues a long string. Always returns true: there is more to come. */
  #readOn(long: LongString): true {
    long.readPiece()
    if (long.end === null) return true
    this.#long = null
    this.#value = long.text()
    this.#put(long.end + 1)
    return true
  }

  #put(end: number): void {
    this.end = end
    this.#at = end
    this.kind = this.#expectsName ? 'name' : 'string'
    this.#expectsName = false
    const { level, path } = this
    if (this.kind !== 'name') {
      if (level.name.isType && !level.isArray) level.typeAt = this.start
      return
    }
    level.name = nameAt(this.#json, this.start + 1, this.end - 1) ?? describeName(this.read())
    path[path.length - 1] = level.name.text
  }

  /** Returns the value of the current string. */
  read(): string {
    this.#value ??= readString(this.#json, this.start, this.end)
    return this.#value
  }

  /** Returns the position of the value of the member whose name is the current string. */
  findValue(): { start: number; end: number } {
    const start = skipSpace(this.#json, this.#json.indexOf(':', this.#at) + 1)
    return { start, end: endOfValue(this.#json, start) }
  }

  /** True when the object that contains the current value has this `type`, before the value or after it. */
  isOfType(type: string): boolean {
    const { typeAt, isArray } = this.level
    if (isArray) return false
    const at = typeAt === -1 ? this.#findTypeAhead() : typeAt
    return at !== -1 && readString(this.#json, at, endOfString(this.#json, at)) === type
  }

  #findTypeAhead(): number {
    const json = this.#json
    let at = skipSpace(json, this.end)
    while (json.charCodeAt(at) === comma) {
      const nameStart = skipSpace(json, at + 1)
      const nameEnd = endOfString(json, nameStart)
      const valueStart = skipSpace(json, skipSpace(json, nameEnd) + 1)
      const isType = readString(json, nameStart, nameEnd) === 'type'
      if (isType && json.charCodeAt(valueStart) === quote) return valueStart
      at = skipSpace(json, endOfValue(json, valueStart))
    }
    return -1
  }

  /** Continues after that value. */
  skipTo(end: number): void {
    this.#at = end
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

/**
 * True when finding the end of a string and decoding it would take long: it contains escapes, and the end is far
 * away.
 */
function isLong(json: string, start: number): boolean {
  const limit = start + 1 + maxWholeChars
  if (limit >= json.length) return false
  const firstQuote = json.indexOf('"', start + 1)
  if (firstQuote > limit) return json.slice(start, firstQuote).includes('\\')
  return (
    json.charCodeAt(firstQuote - 1) === backslash && endOfString(json.slice(start, limit), 0) >= limit - start
  )
}

/** Matches digits, signs, points and the letter of an exponent. */
function endOfNumber(json: string, start: number): number {
  let at = start + 1
  for (let code = json.charCodeAt(at); isOfNumber(code); code = json.charCodeAt(at)) at++
  return at
}

const isOfNumber = (code: number): boolean =>
  (code >= zero && code <= nine) || code === 0x2e || code === 0x2b || code === minus || (code | 0x20) === 0x65

/** Decoding costs little when there are no escapes. */
function readString(json: string, start: number, end: number): string {
  const inner = json.slice(start + 1, end - 1)
  if (!inner.includes('\\')) return inner
  const value: unknown = JSON.parse(json.slice(start, end))
  return typeof value === 'string' ? value : ''
}
