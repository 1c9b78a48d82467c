import { asArray, isObject, type JsonObject, writeJson } from '@tallystick/record/json'
import { isPieceName } from '../texts/event-path.js'

/** Assembles a stream into the answer that the same call would have got without streaming. */
export interface StreamAssembler {
  /** Adds the content of the next event. */
  add(event: JsonObject): void
  /** Returns the answer as far as it was received. */
  answer(): JsonObject
  /** The characters that were left out because the answer grew too long. */
  readonly omittedChars: number
}

/** No model produces this many choices, blocks or calls. */
const maxItems = 1_024

/** Values assembled from a stream, up to a number of characters. */
export class AssembledValues {
  #freeChars: number
  omittedChars = 0

  constructor(maxChars: number) {
    this.#freeChars = maxChars
  }

  /** Reserves space for this many characters; false when there is not enough. */
  take(chars: number): boolean {
    if (chars > this.#freeChars) {
      this.omittedChars += chars
      return false
    }
    this.#freeChars -= chars
    return true
  }

  /** Returns the text with one more piece, or as much of the piece as there is space for. */
  append(before: string, piece: string): string {
    if (this.take(piece.length)) return before + piece
    const fits = this.#freeChars
    this.#freeChars = 0
    this.omittedChars -= fits
    return before + piece.slice(0, fits)
  }

  /** Returns a copy that shares no memory with the event. */
  copy(value: JsonObject): JsonObject {
    const copied = emptyObject()
    this.merge(copied, value)
    return copied
  }

  /** Merges a delta: pieces are appended, lists are extended, and everything else is replaced. */
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
    // Some providers repeat the name of a tool with each piece of its arguments; others send the name in pieces.
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

  /** Items with an index continue the item with the same index; others are appended. */
  #mergeList(before: unknown[], items: readonly unknown[]): unknown[] {
    for (const item of items) {
      if (!isObject(item) || typeof item.index !== 'number') {
        if (before.length < maxItems && this.take(writeJson(item).length)) before.push(item)
        continue
      }
      const existing = before.find((each) => isObject(each) && each.index === item.index)
      if (isObject(existing)) this.merge(existing, item)
      else if (before.length < maxItems) before.push(this.copy(item))
    }
    return before
  }

  /** Returns the item with this index, created if it is missing. Null for an index that no model reaches. */
  item(list: (JsonObject | undefined)[], index: number): JsonObject | null {
    if (!Number.isInteger(index) || index < 0 || index >= maxItems) return null
    const item = list[index] ?? emptyObject()
    list[index] = item
    return item
  }
}

const sizeOf = (value: unknown): number => (typeof value === 'string' ? value.length : 8)

const isPiece = (name: string): boolean => isPieceName(name) || name === 'data'

/** Returns an object without a prototype, so that any name can be a member. */
export const emptyObject = (): JsonObject => Object.create(null)

/** Returns the items that exist, in order. */
export const itemsOf = (list: readonly (JsonObject | undefined)[]): JsonObject[] =>
  list.filter((item) => item !== undefined)
