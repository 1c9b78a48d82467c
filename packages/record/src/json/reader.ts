import { isUtf8 } from 'node:buffer'
import { ByteStrings } from './byte-strings.js'
import { JsonError } from './json-error.js'
import { fromBytes, LongString, pieceLength } from './long-string.js'
import { bytesOfName, containerBytes, valueBytes } from './memory-cost.js'
import type { JsonObject } from './read.js'
import {
  colonAfterName,
  commaInArray,
  commaInObject,
  type Expected,
  end,
  type JsonBounds,
  malformed,
  name,
  nameOrEnd,
  pathOf,
  type Reading,
  type ReadJson,
  tooMany,
  unexpected,
  value,
  valueOrEnd,
} from './reader-state.js'
import { matchesAt, maxShortString, readShortString } from './short-strings.js'
import type { YieldToEventLoop } from './yield-to-event-loop.js'

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

// A double has 17 digits. Further digits are lost in this reader, but perhaps not in the next one of the same bytes.
const maxNumberChars = 40
// Integers up to this length are exact and are computed from their bytes.
const maxPlainDigits = 15
const maxWhitespace = 64 * 1024

// About two milliseconds of reading, in bytes that are read one by one.
const workPerSlice = 1_000_000
const workPerToken = 40

/**
 * Parses a JSON text in slices, in one pass over its bytes. It accepts what `JSON.parse` accepts and returns the same value, with two
 * exceptions: texts that exceed the bounds, and texts that another parser may read differently, because a member occurs twice in its
 * object or a number has more digits than a double.
 */
export class JsonReader {
  readonly #reading: Reading

  constructor(json: Buffer, bounds: JsonBounds) {
    if (!isUtf8(json)) throw malformed('it is not UTF-8')
    this.#reading = {
      json,
      bounds,
      strings: new ByteStrings(json),
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

  /** The result, once `run` has returned true. */
  get result(): ReadJson {
    const { value, members } = this.#reading
    return { value, members }
  }

  /** An estimate of the memory of the values read so far, without the bytes of their texts. */
  get memoryBytes(): number {
    return this.#reading.memoryBytes
  }

  /** Continues for about this much work. Returns whether the whole text is read. */
  run(work = workPerSlice): boolean {
    const reading = this.#reading
    const { json } = reading
    reading.work = work
    while (reading.work > 0) {
      if (reading.longString !== null) {
        continueLongString(reading, reading.longString)
        continue
      }
      const byte = json[reading.at] ?? 0
      reading.work -= workPerToken
      if (byte > 0x20) readToken(reading, byte)
      else if (reading.at < json.length) skipWhitespace(reading, byte)
      else if (reading.expected === end) return true
      else throw unexpected(reading)
    }
    return false
  }
}

function skipWhitespace(reading: Reading, first: number): void {
  const { json } = reading
  const stop = reading.at + maxWhitespace
  let byte: number | undefined = first
  let at = reading.at
  while (at < stop && (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09)) byte = json[++at]
  if (at === reading.at) throw unexpected(reading)
  reading.work -= at - reading.at
  reading.at = at
}

function readToken(reading: Reading, byte: number): void {
  switch (reading.expected) {
    case valueOrEnd:
      if (byte === closeBracket) closeContainer(reading)
      else readValue(reading, byte)
      return
    case value:
      readValue(reading, byte)
      return
    case nameOrEnd:
      if (byte === closeBrace) closeContainer(reading)
      else readName(reading, byte)
      return
    case name:
      readName(reading, byte)
      return
    case colonAfterName:
      if (byte !== colon) throw unexpected(reading)
      reading.at++
      reading.expected = value
      return
    case commaInArray:
      readSeparator(reading, byte, closeBracket, value)
      return
    case commaInObject:
      readSeparator(reading, byte, closeBrace, name)
      return
    default:
      throw unexpected(reading)
  }
}

function readSeparator(reading: Reading, byte: number, closing: number, next: Expected): void {
  if (byte === closing) closeContainer(reading)
  else if (byte === comma) {
    reading.at++
    reading.expected = next
  } else throw unexpected(reading)
}

function readName(reading: Reading, byte: number): void {
  if (byte !== quote) throw unexpected(reading)
  if (reading.open) reading.open.nameStart = reading.at
  readString(reading)
}

function readValue(reading: Reading, byte: number): void {
  if (reading.open) reading.open.valueStart = reading.at
  if (byte === quote) readString(reading)
  else if (byte === openBrace || byte === openBracket) openContainer(reading, byte === openBracket)
  else if (byte === minus || (byte >= zero && byte <= nine)) readNumber(reading)
  else readLiteral(reading)
}

function openContainer(reading: Reading, isArray: boolean): void {
  const { depth, containers } = reading.bounds
  if (++reading.depth > depth) throw new JsonError(`The body is nested more than ${depth} levels deep`)
  if (++reading.containers > containers) throw tooMany('objects and arrays', containers)
  reading.at++
  reading.memoryBytes += containerBytes
  reading.open = {
    parent: reading.open,
    object: isArray ? null : {},
    array: isArray ? [] : null,
    name: '',
    nameStart: 0,
    valueStart: 0,
    members: 0,
  }
  reading.expected = isArray ? valueOrEnd : nameOrEnd
}

function closeContainer(reading: Reading): void {
  const { open } = reading
  if (open === null) throw unexpected(reading)
  reading.at++
  reading.depth--
  reading.open = open.parent
  addValue(reading, open.object ?? open.array)
}

/** Adds a complete value to the open object or array. */
function addValue(reading: Reading, found: unknown): void {
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
  if (open.parent === null) {
    const { name, nameStart, valueStart } = open
    reading.members.push({ name, nameStart, valueStart, valueEnd: reading.at })
  }
  reading.expected = commaInObject
}

function addName(reading: Reading, found: string): void {
  const { open, bounds } = reading
  if (open?.object == null) throw unexpected(reading)
  if (++reading.memberCount > bounds.members) throw tooMany('members', bounds.members)
  if (++open.members > bounds.objectMembers) throw tooMany('members in one object', bounds.objectMembers)
  if (Object.hasOwn(open.object, found))
    throw new JsonError('occurs twice in its object', [...pathOf(open.parent), found].join('.'))
  reading.memoryBytes += bytesOfName(found)
  open.name = found
  reading.expected = colonAfterName
}

function readString(reading: Reading): void {
  const { json, strings } = reading
  const start = reading.at + 1
  const stop = start + maxShortString
  let hash = 0
  let at = start
  for (; at <= stop; at++) {
    const byte = json[at] ?? backslash
    if (byte === quote) {
      reading.at = at + 1
      reading.work -= at - start
      addString(reading, readShortString(json, start, at, hash))
      return
    }
    if (byte === backslash || byte < 0x20) break
    hash = (Math.imul(hash, 31) + byte) | 0
  }
  const end = strings.findEnd(at, start + pieceLength)
  if (end === -1) {
    reading.longString = new LongString(fromBytes(json, strings), start)
    return
  }
  // Decoding four bytes takes as long as reading one byte.
  reading.work -= workPerToken + ((end - start) >> 2)
  const text = decodeString(reading, () => strings.decode(start, end))
  reading.at = end + 1
  addString(reading, text)
}

/** Continues a string that is long or has escapes. */
function continueLongString(reading: Reading, long: LongString): void {
  reading.work -= workPerToken + (decodeString(reading, () => long.readPiece()) >> 2)
  if (long.end === null) return
  reading.longString = null
  reading.at = long.end + 1
  addString(reading, long.text())
}

/** Runs a step of reading the string at the current position. */
function decodeString<Result>({ at }: Reading, decode: () => Result): Result {
  try {
    return decode()
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw malformed(
      `the string that begins at byte ${at} has a control character in it, an unknown escape, or no end`,
    )
  }
}

function addString(reading: Reading, text: string): void {
  if (reading.expected === name || reading.expected === nameOrEnd) addName(reading, text)
  else addValue(reading, text)
}

function readNumber(reading: Reading): void {
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
  if (length > maxNumberChars) throw new JsonError('is a number with too many digits', pathOf(open).join('.'))
  if (!isPlain || length > maxPlainDigits || (json[start] === zero && length > 1)) {
    const text = json.toString('latin1', start, at)
    if (!numberForm.test(text)) throw malformed(`${text} at byte ${start} is no number`)
    number = Number(text)
  }
  reading.at = at
  addValue(reading, number)
}

function readLiteral(reading: Reading): void {
  const { json, at } = reading
  for (const [text, literal] of literals) {
    if (!matchesAt(json, at, text)) continue
    reading.at += text.length
    addValue(reading, literal)
    return
  }
  throw unexpected(reading)
}

/** Reads a JSON text in slices. `charge` is called with the memory that the values of each slice take. */
export async function readJson(
  json: Buffer,
  bounds: JsonBounds,
  yieldToEventLoop: YieldToEventLoop,
  charge: (bytes: number) => void = () => undefined,
): Promise<ReadJson> {
  const reader = new JsonReader(json, bounds)
  let charged = 0
  for (;;) {
    const done = reader.run()
    charge(reader.memoryBytes - charged)
    charged = reader.memoryBytes
    if (done) return reader.result
    await yieldToEventLoop()
  }
}

const numberForm = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const literals: readonly [string, unknown][] = [
  ['true', true],
  ['false', false],
  ['null', null],
]

function setMember(object: JsonObject, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
  else object[name] = value
}
