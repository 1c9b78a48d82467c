import { isUtf8 } from 'node:buffer'
import { JsonError } from './json-error.js'
import { fromBytes, LongString } from './long-string.js'
import type { Member } from './members.js'
import type { JsonObject } from './read.js'
import type { WaitForTurn } from './wait-for-turn.js'

/** How much a JSON text may have of what costs more than its bytes. */
export interface JsonBounds {
  /** How deep objects and arrays may stand in each other. */
  depth: number
  /** Objects and arrays in all. */
  containers: number
  /** Members of one object. With many more, everything that is done with it is slow. */
  objectMembers: number
  /** Members of all objects together. */
  members: number
  /** Members and items in all. */
  values: number
}

export interface ReadJson {
  value: unknown
  /** Of the outermost object: where they stand. */
  members: Member[]
}

const quote = 0x22
const plus = 0x2b
const comma = 0x2c
const minus = 0x2d
const point = 0x2e
const zero = 0x30
const nine = 0x39
const colon = 0x3a
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

// A double has 17 digits. More are lost to whoever reads one, but not to everyone who reads the same bytes.
const maxNumberChars = 40
// Integers up to this length are exact, and need not be written as text first.
const maxPlainDigits = 15
const maxShortString = 256
const maxBlanks = 64 * 1024

// About two milliseconds of reading, in bytes that are looked at one by one.
const workPerTurn = 1_000_000
const workPerToken = 40

// What the next thing that is no blank must be.
const value = 0
const valueOrEnd = 1
const name = 2
const nameOrEnd = 3
const colonAfterName = 4
const commaInArray = 5
const commaInObject = 6
const end = 7
const expectedWords = [
  'a value',
  'a value or ]',
  'a name',
  'a name or }',
  'a colon',
  'a comma or ]',
  'a comma or }',
  'the end',
] as const
type Expected = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7

/** An object or an array that is not complete yet. */
interface Open {
  above: Open | null
  object: JsonObject | null
  array: unknown[] | null
  /** Of the current member. */
  name: string
  nameStart: number
  valueStart: number
  /** Members so far. */
  members: number
}

/** A text that is being read. A plain object: with this many private fields, a class is several times slower. */
interface Reading {
  readonly json: Buffer
  readonly bounds: JsonBounds
  at: number
  /** What is left of this turn. */
  work: number
  expected: Expected
  open: Open | null
  longString: LongString | null
  depth: number
  containers: number
  memberCount: number
  values: number
  value: unknown
  members: Member[]
  memoryBytes: number
}

/**
 * Parses a JSON text in slices, in one pass over its bytes. What `JSON.parse` accepts is accepted and gives the same value, except
 * for what costs too much (see the bounds) and what one reader of the same bytes may understand otherwise than the next: a member
 * that stands twice in its object, and a number with more digits than a double has.
 */
export class JsonReader {
  readonly #reading: Reading

  constructor(json: Buffer, bounds: JsonBounds) {
    if (!isUtf8(json)) throw malformed('it is not UTF-8')
    this.#reading = {
      json,
      bounds,
      at: 0,
      work: 0,
      expected: value,
      open: null,
      longString: null,
      depth: 0,
      containers: 0,
      memberCount: 0,
      values: 0,
      value: undefined,
      members: [],
      memoryBytes: 0,
    }
  }

  /** Once it is done. */
  get result(): ReadJson {
    const { value, members } = this.#reading
    return { value, members }
  }

  /** About how much memory the values take that were read so far, beyond the bytes of their texts. */
  get memoryBytes(): number {
    return this.#reading.memoryBytes
  }

  /** Reads on for about as much work. Whether it is done. */
  run(work = workPerTurn): boolean {
    const reading = this.#reading
    const { json } = reading
    reading.work = work
    while (reading.work > 0) {
      if (reading.longString !== null) {
        readOn(reading, reading.longString)
        continue
      }
      const byte = json[reading.at] ?? 0
      reading.work -= workPerToken
      if (byte > 0x20) take(reading, byte)
      else if (reading.at < json.length) skipBlanks(reading, byte)
      else if (reading.expected === end) return true
      else throw unexpected(reading)
    }
    return false
  }
}

function skipBlanks(reading: Reading, first: number): void {
  const { json } = reading
  const stop = reading.at + maxBlanks
  let byte: number | undefined = first
  let at = reading.at
  while (at < stop && (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09)) byte = json[++at]
  if (at === reading.at) throw unexpected(reading)
  reading.work -= at - reading.at
  reading.at = at
}

function take(reading: Reading, byte: number): void {
  switch (reading.expected) {
    case valueOrEnd:
      if (byte === closeBracket) close(reading)
      else takeValue(reading, byte)
      return
    case value:
      takeValue(reading, byte)
      return
    case nameOrEnd:
      if (byte === closeBrace) close(reading)
      else takeName(reading, byte)
      return
    case name:
      takeName(reading, byte)
      return
    case colonAfterName:
      if (byte !== colon) throw unexpected(reading)
      reading.at++
      reading.expected = value
      return
    case commaInArray:
      goOn(reading, byte, closeBracket, value)
      return
    case commaInObject:
      goOn(reading, byte, closeBrace, name)
      return
    default:
      throw unexpected(reading)
  }
}

function goOn(reading: Reading, byte: number, closing: number, next: Expected): void {
  if (byte === closing) close(reading)
  else if (byte === comma) {
    reading.at++
    reading.expected = next
  } else throw unexpected(reading)
}

function takeName(reading: Reading, byte: number): void {
  if (byte !== quote) throw unexpected(reading)
  if (reading.open) reading.open.nameStart = reading.at
  takeString(reading)
}

function takeValue(reading: Reading, byte: number): void {
  if (reading.open) reading.open.valueStart = reading.at
  if (byte === quote) takeString(reading)
  else if (byte === openBrace || byte === openBracket) openContainer(reading, byte === openBracket)
  else if (byte === minus || (byte >= zero && byte <= nine)) takeNumber(reading)
  else takeLiteral(reading)
}

function openContainer(reading: Reading, isArray: boolean): void {
  const { depth, containers } = reading.bounds
  if (++reading.depth > depth) throw new JsonError(`The body is nested more than ${depth} levels deep`)
  if (++reading.containers > containers) throw tooMany('objects and arrays', containers)
  reading.at++
  reading.memoryBytes += containerBytes
  reading.open = {
    above: reading.open,
    object: isArray ? null : {},
    array: isArray ? [] : null,
    name: '',
    nameStart: 0,
    valueStart: 0,
    members: 0,
  }
  reading.expected = isArray ? valueOrEnd : nameOrEnd
}

function close(reading: Reading): void {
  const { open } = reading
  if (open === null) throw unexpected(reading)
  reading.at++
  reading.depth--
  reading.open = open.above
  put(reading, open.object ?? open.array)
}

/** Puts a value that is complete where it belongs. */
function put(reading: Reading, found: unknown): void {
  const { open } = reading
  if (open === null) {
    reading.value = found
    reading.expected = end
    return
  }
  if (++reading.values > reading.bounds.values) throw tooMany('values', reading.bounds.values)
  reading.memoryBytes += valueBytes
  if (open.array !== null) {
    open.array.push(found)
    reading.expected = commaInArray
    return
  }
  if (open.object !== null) setMember(open.object, open.name, found)
  if (open.above === null) {
    const { name, nameStart, valueStart } = open
    reading.members.push({ name, nameStart, valueStart, valueEnd: reading.at })
  }
  reading.expected = commaInObject
}

function putName(reading: Reading, found: string): void {
  const { open, bounds } = reading
  if (open?.object == null) throw unexpected(reading)
  if (++reading.memberCount > bounds.members) throw tooMany('members', bounds.members)
  if (++open.members > bounds.objectMembers) throw tooMany('members in one object', bounds.objectMembers)
  if (Object.hasOwn(open.object, found))
    throw new JsonError('stands twice in its object', [...placesOf(open.above), found].join('.'))
  reading.memoryBytes += bytesOfName(found)
  open.name = found
  reading.expected = colonAfterName
}

function takeString(reading: Reading): void {
  const { json } = reading
  const start = reading.at + 1
  const stop = start + maxShortString
  let hash = 0
  for (let at = start; at < stop; at++) {
    const byte = json[at] ?? backslash
    if (byte === quote) {
      reading.at = at + 1
      reading.work -= at - start
      putString(reading, textAt(json, start, at, hash))
      return
    }
    if (byte === backslash || byte < 0x20) break
    hash = (Math.imul(hash, 31) + byte) | 0
  }
  reading.longString = new LongString(fromBytes(json), start)
}

/** What is long, or has escapes in it. */
function readOn(reading: Reading, long: LongString): void {
  try {
    // Four bytes are decoded in the time in which one is looked at.
    reading.work -= workPerToken + (long.readPiece() >> 2)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw malformed(
      `the string that begins at byte ${reading.at} has a control character in it, an unknown escape, or no end`,
    )
  }
  if (long.end === null) return
  reading.longString = null
  reading.at = long.end + 1
  putString(reading, long.text())
}

function putString(reading: Reading, text: string): void {
  if (reading.expected === name || reading.expected === nameOrEnd) putName(reading, text)
  else put(reading, text)
}

function takeNumber(reading: Reading): void {
  const { json, at: start, open } = reading
  let at = start
  let number = 0
  let isPlain = true
  for (; at - start <= maxNumberChars; at++) {
    const byte = json[at] ?? 0
    if (byte >= zero && byte <= nine) number = number * 10 + byte - zero
    else if (byte === plus || byte === minus || byte === point || (byte | 0x20) === 0x65) isPlain = false
    else break
  }
  const length = at - start
  if (length > maxNumberChars)
    throw new JsonError('is a number with too many digits', placesOf(open).join('.'))
  if (!isPlain || length > maxPlainDigits || (json[start] === zero && length > 1)) {
    const text = json.toString('latin1', start, at)
    if (!numberForm.test(text)) throw malformed(`${text} at byte ${start} is no number`)
    number = Number(text)
  }
  reading.at = at
  put(reading, number)
}

function takeLiteral(reading: Reading): void {
  const { json, at } = reading
  for (const [word, meaning] of literals) {
    if (!standsAt(json, at, word)) continue
    reading.at += word.length
    put(reading, meaning)
    return
  }
  throw unexpected(reading)
}

function unexpected({ json, at, expected }: Reading): JsonError {
  const words = expectedWords[expected]
  if (at >= json.length) return malformed(at === 0 ? 'the body is empty' : `it ends where ${words} should be`)
  const found = JSON.stringify(json.toString('utf8', at, at + 8))
  return malformed(`${words} was expected at byte ${at}, and there is ${found}`)
}

/**
 * Short texts that were read before, each in the place that its hash gives it. All bodies have the same few dozen names and words
 * in them, and to make a string of each again would take most of the time.
 */
const known: string[] = Array.from({ length: 1_024 }, () => '')
const maxKnownLength = 32

function textAt(json: Buffer, start: number, stop: number, hash: number): string {
  if (stop - start > maxKnownLength) return json.toString('utf8', start, stop)
  const place = hash & (known.length - 1)
  const before = known[place] ?? ''
  if (before.length === stop - start && standsAt(json, start, before)) return before
  const text = json.toString('utf8', start, stop)
  known[place] = text
  return text
}

/** For ASCII alone: a character beyond it equals no byte. */
function standsAt(json: Buffer, start: number, text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code > 0x7f || json[start + at] !== code) return false
  }
  return true
}

/** Reads a JSON text without keeping others waiting. `charge` is told how much more memory is about to be taken. */
export async function readJson(
  json: Buffer,
  bounds: JsonBounds,
  waitForTurn: WaitForTurn,
  charge: (bytes: number) => void = () => undefined,
): Promise<ReadJson> {
  const reader = new JsonReader(json, bounds)
  let charged = 0
  for (;;) {
    const done = reader.run()
    charge(reader.memoryBytes - charged)
    charged = reader.memoryBytes
    if (done) return reader.result
    await waitForTurn()
  }
}

const numberForm = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const literals: readonly [string, unknown][] = [
  ['true', true],
  ['false', false],
  ['null', null],
]

// Measured with a million of each.
const containerBytes = 64
const valueBytes = 16
const memberBytes = 48

// An object with a small number for a name keeps room for all smaller ones.
const maxDenseIndex = 512
function bytesOfName(name: string): number {
  const first = name.charCodeAt(0)
  if (name.length > 3 || first < zero || first > nine) return memberBytes
  const index = Number(name)
  return index < maxDenseIndex ? memberBytes + 12 * index : memberBytes
}

function setMember(object: JsonObject, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
  else object[name] = value
}

/** Where the value stands that is being read: names of members and numbers of items, from the outside in. */
function placesOf(innermost: Open | null): string[] {
  const places: string[] = []
  for (let open = innermost; open !== null; open = open.above)
    places.unshift(open.array === null ? open.name : String(open.array.length))
  return places
}

const malformed = (message: string): JsonError => new JsonError(`Malformed JSON: ${message}`)

const tooMany = (what: string, bound: number): JsonError =>
  new JsonError(`The body has more than ${bound.toLocaleString('en')} ${what}`)
