import { isObject, type JsonObject } from '@tallystick/record/json'
import type { EndpointShape, InputNode } from '../shapes/index.js'
import type { Framing } from './framing.js'

/** The texts found in a body that must be counted. */
export interface WalkedTexts {
  /** Texts that are counted unchanged. */
  plain: string[]
  /** Texts in the longest form in which the vendor may serialise them, with escapes. They count towards the upper bound only. */
  escaped: string[]
  /** The texts of `escaped` in their original form. */
  unescaped: string[]
  estimate: number
  bound: number
  hasTools: boolean
}

/** Reads an object that may be a part. It calls `omit` for each member that is counted in another way. */
export type PartReader = (
  part: JsonObject,
  path: () => string,
  omit: (from: object, member: string) => void,
) => void

interface Frame {
  value: readonly unknown[] | JsonObject
  names: readonly string[] | null
  next: number
  node: InputNode | null
  depth: number
  key: string | number
  parent: Frame | undefined
}

// The longest form of a number whose digits were lost in parsing: Python reads no integer with more.
const maxDigits = 4_300
// A longer text is not escaped before it is counted: at six bytes per character it already exceeds any context window.
const maxEscapedChars = 256 * 1024

/**
 * Walks all values of a body, in any member, without recursion: deep nesting must not exhaust the stack. The walk
 * can pause and continue, so that a large body does not block other work.
 */
export class BodyWalk {
  readonly found: WalkedTexts = {
    plain: [],
    escaped: [],
    unescaped: [],
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
      node: shape.input,
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
      else this.#visit(value[next], next, this.#nodeOfItem(value[next], frame), frame)
      return
    }
    const name = names[next]
    if (name === undefined) this.#top = frame.parent
    else if (isObject(value)) this.#member(value, name, frame)
  }

  /** Lists of lists are unknown to every endpoint, except lists of token numbers. */
  #nodeOfItem(item: unknown, frame: Frame): InputNode | null {
    return frame.node?.isTokens || !(Array.isArray(item) || isArrayItem(frame)) ? frame.node : null
  }

  #member(object: JsonObject, name: string, frame: Frame): void {
    if (this.#omitted.get(object) === name) return
    const value = object[name]
    const node = frame.node?.members.get(name) ?? null
    const { found } = this
    if (node === null) {
      found.bound += this.#framing.name
      found.estimate += 1
      this.#addSerialized(name)
    } else {
      found.bound += this.#framing.knownName(name)
    }
    if ((name === 'tools' || name === 'functions') && !isEmpty(value)) found.hasTools = true
    this.#visit(value, name, node, frame)
  }

  #visit(value: unknown, key: string | number, node: InputNode | null, parent: Frame): void {
    const { found } = this
    const framing = this.#framing
    const depth = parent.depth + 1
    if (node?.isTokens && typeof value === 'number' && depth <= 3) {
      found.estimate += 1
      found.bound += 1
      return
    }
    const isKnown = node !== null && typeof value === 'string' && (typeof key === 'string' || node.isTokens)
    found.bound += (isKnown ? framing.knownText : framing.value) + framing.indent(depth)
    if (typeof value === 'string') this.#addString(value, node)
    else if (typeof value === 'number') this.#addNumber(value)
    else if (isObject(value) || Array.isArray(value)) this.#enter(value, key, node, depth, parent)
    else {
      found.bound += framing.literal
      found.estimate += 1
    }
  }

  #enter(
    value: JsonObject | readonly unknown[],
    key: string | number,
    node: InputNode | null,
    depth: number,
    parent: Frame,
  ): void {
    const frame: Frame = { value, names: null, next: 0, node, depth, key, parent }
    if (!Array.isArray(value) && isObject(value)) {
      frame.names = Object.keys(value)
      this.found.estimate += 2
      if (node?.hasParts)
        this.#readPart(
          value,
          () => pathOf(frame),
          (from, member) => this.#omitted.set(from, member),
        )
    }
    this.#top = frame
  }

  #addString(text: string, node: InputNode | null): void {
    const { found } = this
    // Empty texts are left out: ten million of them would be one batch for the counting thread.
    if (text === '') return
    if (node?.string === 'text') found.plain.push(text)
    else if (node?.string === 'word' && !needsEscapes.test(text)) {
      found.escaped.push(text)
      found.estimate += 1
    } else this.#addSerialized(text)
  }

  #addSerialized(text: string): void {
    const { found } = this
    if (!needsEscapes.test(text)) {
      found.plain.push(text)
      return
    }
    found.unescaped.push(text)
    if (text.length <= maxEscapedChars) found.escaped.push(writeWithEscapes(text))
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
const escapedByWriters = /[^\x20-\x7e]|[<>&]/
const allEscapedByWriters = /[^\x20-\x7e]|[<>&]/g

function writeWithEscapes(text: string): string {
  const json = JSON.stringify(text).slice(1, -1)
  if (!escapedByWriters.test(json)) return json
  return json.replace(allEscapedByWriters, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
