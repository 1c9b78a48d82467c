import type { Member } from './members.js'
import { endOfString, skipSpace } from './scan.js'
import type { WaitForTurn } from './wait-for-turn.js'

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

// A millisecond or two of looking at characters one by one. What a string has is passed over.
const stepsPerTurn = 400_000

/** A value inside a JSON text. */
interface TextPlace {
  start: number
  end: number
}

/** A text that is looked through for what stands directly in its outermost object or array. It must be valid JSON. */
class OutermostScan {
  readonly members: Member[] = []
  readonly items: TextPlace[] = []
  readonly #json: string
  #at: number
  #depth = 0
  /** Where the last of its own characters ends that is no blank, one level below the outermost. */
  #lastEnd = 0
  #name: { name: string; nameStart: number } | null = null
  #valueStart = -1
  #isObject = false

  constructor(json: string) {
    this.#json = json
    this.#at = skipSpace(json, 0)
  }

  /** Whether it is through. */
  run(steps: number): boolean {
    const json = this.#json
    for (let left = steps; left > 0; left--) {
      if (this.#at >= json.length) return true
      const code = json.charCodeAt(this.#at)
      switch (code) {
        case quote:
          this.#string()
          break
        case openBrace:
        case openBracket:
          if (this.#depth === 1) this.#begin()
          if (this.#depth === 0) this.#isObject = code === openBrace
          this.#depth += 1
          this.#at += 1
          this.#lastEnd = this.#at
          break
        case closeBrace:
        case closeBracket:
          this.#depth -= 1
          if (this.#depth === 0) {
            this.#end()
            return true
          }
          this.#at += 1
          this.#lastEnd = this.#at
          break
        case comma:
          if (this.#depth === 1) this.#end()
          this.#at += 1
          break
        case colon:
          this.#at += 1
          break
        default:
          if (code > 0x20) {
            if (this.#depth === 1) this.#begin()
            this.#lastEnd = this.#at + 1
          }
          this.#at += 1
      }
    }
    return false
  }

  #string(): void {
    const start = this.#at
    this.#at = endOfString(this.#json, start)
    this.#lastEnd = this.#at
    if (this.#depth !== 1) return
    if (!this.#isObject || this.#name !== null) this.#begin(start)
    else this.#name = { name: JSON.parse(this.#json.slice(start, this.#at)), nameStart: start }
  }

  #begin(start = this.#at): void {
    if (this.#valueStart === -1) this.#valueStart = start
  }

  #end(): void {
    if (this.#valueStart === -1) return
    if (this.#isObject && this.#name !== null)
      this.members.push({ ...this.#name, valueStart: this.#valueStart, valueEnd: this.#lastEnd })
    else this.items.push({ start: this.#valueStart, end: this.#lastEnd })
    this.#name = null
    this.#valueStart = -1
  }
}

/** Where the members of the outermost object stand, in characters. None for what is no object. */
export function membersOf(json: string): Member[] {
  const scan = new OutermostScan(json)
  scan.run(Number.POSITIVE_INFINITY)
  return scan.members
}

/** The same for a long text, without keeping others waiting. */
export async function membersInTurns(json: string, waitForTurn: WaitForTurn): Promise<Member[]> {
  return (await scanInTurns(json, waitForTurn)).members
}

/** Where the items of the outermost array stand. None for what is no array. */
export async function itemsInTurns(json: string, waitForTurn: WaitForTurn): Promise<TextPlace[]> {
  return (await scanInTurns(json, waitForTurn)).items
}

async function scanInTurns(json: string, waitForTurn: WaitForTurn): Promise<OutermostScan> {
  const scan = new OutermostScan(json)
  while (!scan.run(stepsPerTurn)) await waitForTurn()
  return scan
}
