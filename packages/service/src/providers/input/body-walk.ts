import { isObject, type JsonObject } from '@tallystick/record/json'
import type { EndpointShape, Place } from '../shapes/index.js'
import type { Framing } from './framing.js'

/** The texts found in a body that must be counted. */
export interface WalkedTexts {
  /** Texts that count as they are. */
  plain: string[]
  /** Texts in the longest form in which the vendor may write them: counted for the upper bound only. */
  written: string[]
  /** The same texts in their original form. */
  unwritten: string[]
  estimate: number
  bound: number
  hasTools: boolean
}

/** Called with each object at the place of a part. Returns the members that are counted otherwise, by object. */
export type PartReader = (
  part: JsonObject,
  path: () => string,
  omit: (from: object, member: string) => void,
) => void

interface Frame {
  value: readonly unknown[] | JsonObject
  names: readonly string[] | null
  next: number
  place: Place | null
  depth: number
  key: string | number
  parent: Frame | undefined
}

// The longest form of a number whose digits were lost in parsing: Python reads no integer with more.
const maxDigits = 4_300
// A longer text is not escaped: at six bytes per character it already exceeds any context window.
const maxWrittenChars = 256 * 1024

/**
 * Walks all values of a body, in any member, without recursion: deep nesting must not exhaust the stack. The walk
 * can pause and continue, so that a large body does not block other work.
 */
export class BodyWalk {
  readonly found: WalkedTexts = {
    plain: [],
    written: [],
    unwritten: [],
    estimate: 0,
    bound: 0,
    hasTools: false,
  }
  readonly #framing: Framing
  readonly #readPart: PartReader
  // Bounded: values of one request, whose size is bounded.
  readonly #omitted = new Map<object, string>()
  #top: Frame | undefined

  constructor(body: JsonObject, shape: EndpointShape, framing: Framing, readPart: PartReader) {
    this.#framing = framing
    this.#readPart = readPart
    this.#top = {
      value: body,
      names: shape.inputMembers(body),
      next: 0,
      place: shape.input,
      depth: 0,
      key: '',
      parent: undefined,
    }
  }

  /** Visits this many values. Returns true when the walk is complete. */
  run(maxValues: number): boolean {
    for (let left = maxValues; this.#top !== undefined; left -= 1) {
      if (left <= 0) return false
      this.#step(this.#top)
    }
    return true
  }

  #step(frame: Frame): void {
    const { value, names, next } = frame
    frame.next += 1
    if (names === null) {
      if (!Array.isArray(value) || next >= value.length) this.#top = frame.parent
      else this.#visit(value[next], next, this.#placeOfItem(value[next], frame), frame)
      return
    }
    const name = names[next]
    if (name === undefined) this.#top = frame.parent
    else if (isObject(value)) this.#member(value, name, frame)
  }

  /** Lists of lists are unknown to every endpoint, except lists of token numbers. */
  #placeOfItem(item: unknown, frame: Frame): Place | null {
    return frame.place?.isTokens || !(Array.isArray(item) || isArrayItem(frame)) ? frame.place : null
  }

  #member(object: JsonObject, name: string, frame: Frame): void {
    if (this.#omitted.get(object) === name) return
    const value = object[name]
    const place = frame.place?.members.get(name) ?? null
    const { found } = this
    if (place === null) {
      found.bound += this.#framing.name
      found.estimate += 1
      this.#addFree(name)
    } else {
      found.bound += this.#framing.knownName(name)
    }
    if ((name === 'tools' || name === 'functions') && !isEmpty(value)) found.hasTools = true
    this.#visit(value, name, place, frame)
  }

  #visit(value: unknown, key: string | number, place: Place | null, parent: Frame): void {
    const { found } = this
    const framing = this.#framing
    const depth = parent.depth + 1
    if (place?.isTokens && typeof value === 'number' && depth <= 3) {
      found.estimate += 1
      found.bound += 1
      return
    }
    const isKnown = place !== null && typeof value === 'string' && (typeof key === 'string' || place.isTokens)
    found.bound += (isKnown ? framing.knownText : framing.value) + framing.indent(depth)
    if (typeof value === 'string') this.#addString(value, place)
    else if (typeof value === 'number') this.#addNumber(value)
    else if (isObject(value) || Array.isArray(value)) this.#enter(value, key, place, depth, parent)
    else {
      found.bound += framing.literal
      found.estimate += 1
    }
  }

  #enter(
    value: JsonObject | readonly unknown[],
    key: string | number,
    place: Place | null,
    depth: number,
    parent: Frame,
  ): void {
    const frame: Frame = { value, names: null, next: 0, place, depth, key, parent }
    if (!Array.isArray(value) && isObject(value)) {
      frame.names = Object.keys(value)
      this.found.estimate += 2
      if (place?.hasParts)
        this.#readPart(
          value,
          () => pathOf(frame),
          (from, member) => this.#omitted.set(from, member),
        )
    }
    this.#top = frame
  }

  #addString(text: string, place: Place | null): void {
    const { found } = this
    // Ten million empty texts would become one batch for the counting thread.
    if (text === '') return
    if (place?.string === 'text') found.plain.push(text)
    else if (place?.string === 'word' && !needsEscapes.test(text)) {
      found.written.push(text)
      found.estimate += 1
    } else this.#addFree(text)
  }

  #addFree(text: string): void {
    const { found } = this
    if (!needsEscapes.test(text)) {
      found.plain.push(text)
      return
    }
    found.unwritten.push(text)
    if (text.length <= maxWrittenChars) found.written.push(writeWithEscapes(text))
    else found.bound += 6 * text.length
  }

  #addNumber(value: number): void {
    const chars = String(value).length
    const digits = Number.isFinite(value) ? Math.ceil(Math.log10(Math.abs(value) + 1)) : maxDigits
    this.found.bound += Math.max(chars, digits) + 2
    this.found.estimate += Math.ceil(chars / 3)
  }
}

const isArrayItem = ({ parent }: Frame): boolean => parent !== undefined && Array.isArray(parent.value)

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0)

function pathOf(frame: Frame): string {
  const keys: (string | number)[] = []
  for (let at: Frame | undefined = frame; at?.parent !== undefined; at = at.parent) keys.unshift(at.key)
  return keys.join('.')
}

// Some JSON writers escape all characters outside ASCII, and some escape HTML characters.
const needsEscapes = /[^\x20-\x7e]|["\\<>&]/
const beyondJson = /[^\x20-\x7e]|[<>&]/
const allBeyondJson = /[^\x20-\x7e]|[<>&]/g

function writeWithEscapes(text: string): string {
  const json = JSON.stringify(text).slice(1, -1)
  if (!beyondJson.test(json)) return json
  return json.replace(allBeyondJson, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
