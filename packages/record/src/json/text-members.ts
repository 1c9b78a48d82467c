import type { Member } from './members.js'
import { endOfString, skipSpace } from './scan.js'
import type { YieldToEventLoop } from './yield-to-event-loop.js'

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

// One or two milliseconds of reading characters one by one. The characters of strings are skipped and not counted.
const stepsPerSlice = 400_000

/** A value inside a JSON text. */
interface TextPlace {
  start: number
  end: number
}

/** Finds the members or items of the outermost object or array. The text must be valid JSON. */
class OutermostScan {
  readonly members: Member[] = []
  readonly items: TextPlace[] = []
  readonly #json: string
  #at: number
  #depth = 0
  /** The end of the last character that was neither whitespace nor a comma or colon. The current value ends there. */
  #lastEnd = 0
  #name: { name: string; nameStart: number } | null = null
  #valueStart = -1
  #isObject = false

  constructor(json: string) {
    this.#json = json
    this.#at = skipSpace(json, 0)
  }

  /** Reads up to this many characters. Returns whether the end is reached. */
  run(steps: number): boolean {
    const json = this.#json
    for (let left = steps; left > 0; left--) {
      if (this.#at >= json.length) return true
      const code = json.charCodeAt(this.#at)
      switch (code) {
        case quote:
          this.#readString()
          break
        case openBrace:
        case openBracket:
          if (this.#depth === 1) this.#beginValue()
          if (this.#depth === 0) this.#isObject = code === openBrace
          this.#depth += 1
          this.#at += 1
          this.#lastEnd = this.#at
          break
        case closeBrace:
        case closeBracket:
          this.#depth -= 1
          if (this.#depth === 0) {
            this.#endValue()
            return true
          }
          this.#at += 1
          this.#lastEnd = this.#at
          break
        case comma:
          if (this.#depth === 1) this.#endValue()
          this.#at += 1
          break
        case colon:
          this.#at += 1
          break
        default:
          if (code > 0x20) {
            if (this.#depth === 1) this.#beginValue()
            this.#lastEnd = this.#at + 1
          }
          this.#at += 1
      }
    }
    return false
  }

  #readString(): void {
    const start = this.#at
    this.#at = endOfString(this.#json, start)
    this.#lastEnd = this.#at
    if (this.#depth !== 1) return
    if (!this.#isObject || this.#name !== null) this.#beginValue(start)
    else this.#name = { name: JSON.parse(this.#json.slice(start, this.#at)), nameStart: start }
  }

  #beginValue(start = this.#at): void {
    if (this.#valueStart === -1) this.#valueStart = start
  }

  #endValue(): void {
    if (this.#valueStart === -1) return
    if (this.#isObject && this.#name !== null)
      this.members.push({ ...this.#name, valueStart: this.#valueStart, valueEnd: this.#lastEnd })
    else this.items.push({ start: this.#valueStart, end: this.#lastEnd })
    this.#name = null
    this.#valueStart = -1
  }
}

/** Returns the positions of the members of the outermost object, in characters. Empty for a value that is not an object. */
export function membersOf(json: string): Member[] {
  const scan = new OutermostScan(json)
  scan.run(Number.POSITIVE_INFINITY)
  return scan.members
}

/** Returns the same as `membersOf`, for a long text, in slices. */
export async function readMembersInSlices(
  json: string,
  yieldToEventLoop: YieldToEventLoop,
): Promise<Member[]> {
  return (await scanInSlices(json, yieldToEventLoop)).members
}

/** Returns the positions of the items of the outermost array. Empty for a value that is not an array. */
export async function readItemsInSlices(
  json: string,
  yieldToEventLoop: YieldToEventLoop,
): Promise<TextPlace[]> {
  return (await scanInSlices(json, yieldToEventLoop)).items
}

async function scanInSlices(json: string, yieldToEventLoop: YieldToEventLoop): Promise<OutermostScan> {
  const scan = new OutermostScan(json)
  while (!scan.run(stepsPerSlice)) await yieldToEventLoop()
  return scan
}
