import { asArray, isObject, type JsonObject, writeJson } from '../../json/index.js'
import { isPieceName } from '../texts/event-path.js'

/** Puts a stream together to the answer that the same call would have got in one piece. */
export interface StreamAssembler {
  /** The content of the next event. */
  add(event: JsonObject): void
  /** As far as it came. */
  answer(): JsonObject
  /** What was left out, since the answer grew too long. */
  readonly omittedChars: number
}

/** No model makes as many choices, blocks or calls. */
const maxItems = 1_024

/** Values of a stream, put together, within a number of characters. */
export class AssembledValues {
  #room: number
  omittedChars = 0

  constructor(maxChars: number) {
    this.#room = maxChars
  }

  /** Whether there is room for so much more. */
  take(chars: number): boolean {
    if (chars > this.#room) {
      this.omittedChars += chars
      return false
    }
    this.#room -= chars
    return true
  }

  /** The text with one more piece, or as much of it as there is room for. */
  append(before: string, piece: string): string {
    if (this.take(piece.length)) return before + piece
    const fits = this.#room
    this.#room = 0
    this.omittedChars -= fits
    return before + piece.slice(0, fits)
  }

  /** A copy that shares nothing with the event. */
  copy(value: JsonObject): JsonObject {
    const copied = emptyObject()
    this.merge(copied, value)
    return copied
  }

  /** Members that are pieces continue what is there, lists get longer, and everything else replaces what was there. */
  merge(target: JsonObject, delta: JsonObject): void {
    for (const [name, value] of Object.entries(delta)) {
      const before = target[name]
      if (typeof value === 'string') this.#mergeText(target, name, value)
      else if (Array.isArray(value)) target[name] = this.#mergeList(asArray(before), value)
      else if (isObject(value)) {
        const nested = isObject(before) ? before : emptyObject()
        if (nested !== before && !this.take(name.length)) continue
        target[name] = nested
        this.merge(nested, value)
      } else if (value !== null || before === undefined) this.#replace(target, name, value)
    }
  }

  #mergeText(target: JsonObject, name: string, value: string): void {
    const before = target[name]
    if (before === value && !isPiece(name)) return
    if (typeof before === 'string' && isPiece(name)) target[name] = this.append(before, value)
    // Some providers repeat the name of a tool with each piece of its arguments, others send it in pieces.
    else if (typeof before === 'string' && name === 'name') target[name] = this.append(before, value)
    else if (typeof before === 'string' && before.length >= value.length) target[name] = value
    else if (isPiece(name)) target[name] = this.append('', value)
    else this.#replace(target, name, value)
  }

  #replace(target: JsonObject, name: string, value: unknown): void {
    const size = typeof value === 'string' ? value.length : 8
    if (name in target ? this.take(Math.max(0, size - sizeOf(target[name]))) : this.take(name.length + size))
      target[name] = value
  }

  /** Items with a number continue those with the same; others are added. */
  #mergeList(before: unknown[], items: readonly unknown[]): unknown[] {
    for (const item of items) {
      if (!isObject(item) || typeof item.index !== 'number') {
        if (before.length < maxItems && this.take(writeJson(item).length)) before.push(item)
        continue
      }
      const known = before.find((each) => isObject(each) && each.index === item.index)
      if (isObject(known)) this.merge(known, item)
      else if (before.length < maxItems) before.push(this.copy(item))
    }
    return before
  }

  /** The item of a number in a list, made where it is missing. Null for a number that no model comes to. */
  item(list: (JsonObject | undefined)[], index: number): JsonObject | null {
    if (!Number.isInteger(index) || index < 0 || index >= maxItems) return null
    const item = list[index] ?? emptyObject()
    list[index] = item
    return item
  }
}

const sizeOf = (value: unknown): number => (typeof value === 'string' ? value.length : 8)

const isPiece = (name: string): boolean => isPieceName(name) || name === 'data'

/** Without a prototype: whatever name a member has, it is a member. */
export const emptyObject = (): JsonObject => Object.create(null)

/** Those that there are, in order. */
export const itemsOf = (list: readonly (JsonObject | undefined)[]): JsonObject[] =>
  list.filter((item) => item !== undefined)
