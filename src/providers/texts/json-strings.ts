const quote = 0x22
const comma = 0x2c
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/**
 * Goes through the strings of a JSON text that is known to be valid, one at a time, so that whoever reads a large one
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
  /** Where the current string stands, with its quotes. */
  start = 0
  end = 0
  /** Whether it is the name of a member. */
  isName = false
  /** Changes with every object or array that begins or ends: until then, all that is above the current string is the same. */
  container = 0

  constructor(json: string) {
    this.#json = json
  }

  /** Moves on to the next string; false when there is none. */
  next(): boolean {
    const json = this.#json
    const { path } = this
    while (this.#at < json.length) {
      switch (json.charCodeAt(this.#at)) {
        case quote:
          this.start = this.#at
          this.end = endOfString(json, this.#at)
          this.#at = this.end
          this.#value = null
          this.isName = this.#expectsName
          this.#expectsName = false
          if (this.isName) path[path.length - 1] = this.read()
          return true
        case openBrace:
          path.push('')
          this.container++
          this.#expectsName = true
          break
        case openBracket:
          path.push(0)
          this.container++
          break
        case closeBrace:
        case closeBracket:
          path.pop()
          this.container++
          // Of an empty object: nothing came where a name was expected.
          this.#expectsName = false
          break
        case comma:
          this.#goToNextItem()
          break
        default:
      }
      this.#at++
    }
    return false
  }

  /** What the current string says. */
  read(): string {
    this.#value ??= readString(this.#json, this.start, this.end)
    return this.#value
  }

  /** Passes over the value of the member whose name is the current string, and tells where it stands. */
  skipValue(): { start: number; end: number } {
    const start = skipBlanks(this.#json, this.#json.indexOf(':', this.#at) + 1)
    const end = endOfValue(this.#json, start)
    this.#at = end
    return { start, end }
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

/** The position behind the string that starts at `from`. Jumps from quote to quote: a long string costs little. */
function endOfString(json: string, from: number): number {
  for (let end = json.indexOf('"', from + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let escapes = 0
    while (json.charCodeAt(end - 1 - escapes) === backslash) escapes++
    if (escapes % 2 === 0) return end + 1
  }
  return json.length
}

function endOfValue(json: string, from: number): number {
  let depth = 0
  for (let at = from; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case quote:
        at = endOfString(json, at) - 1
        if (depth === 0) return at + 1
        break
      case openBrace:
      case openBracket:
        depth++
        break
      case closeBrace:
      case closeBracket:
        if (depth === 0) return at
        if (--depth === 0) return at + 1
        break
      case comma:
        if (depth === 0) return at
        break
      default:
    }
  }
  return json.length
}

function skipBlanks(json: string, from: number): number {
  let at = from
  while (json.charCodeAt(at) <= 0x20) at++
  return at
}
