import type { ByteStrings } from './byte-strings.js'
import { JsonError } from './json-error.js'
import type { LongString } from './long-string.js'
import type { Member } from './members.js'
import type { JsonObject } from './read.js'

/** Limits on the parts of a JSON text whose cost is not proportional to their bytes. */
export interface JsonBounds {
  /** The nesting depth of objects and arrays. */
  depth: number
  /** The number of objects and arrays. */
  containers: number
  /** The number of members of one object. Operations on an object with many more are slow. */
  objectMembers: number
  /** The number of members of all objects together. */
  members: number
  /** The number of members and array items. */
  values: number
}

export interface ReadJson {
  value: unknown
  /** The positions of the members of the outermost object. */
  members: Member[]
}

// What must come next, apart from whitespace. Numbers in variables are faster here than an enum or texts.
export const value = 0
export const valueOrEnd = 1
export const name = 2
export const nameOrEnd = 3
export const colonAfterName = 4
export const commaInArray = 5
export const commaInObject = 6
export const end = 7
const expectedTokens = [
  'a value',
  'a value or ]',
  'a name',
  'a name or }',
  'a colon',
  'a comma or ]',
  'a comma or }',
  'the end',
] as const
export type Expected = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7

/** An object or an array that is not complete yet. */
export interface OpenContainer {
  parent: OpenContainer | null
  object: JsonObject | null
  array: unknown[] | null
  /** The name of the current member. */
  name: string
  nameStart: number
  valueStart: number
  /** The number of members so far. */
  members: number
}

/** The state of a reader. It is a plain object, because a class with this many private fields is several times slower. */
export interface Reading {
  readonly json: Buffer
  readonly bounds: JsonBounds
  readonly strings: ByteStrings
  at: number
  /** The work that is left in this slice. */
  work: number
  expected: Expected
  open: OpenContainer | null
  longString: LongString | null
  depth: number
  containers: number
  memberCount: number
  values: number
  value: unknown
  members: Member[]
  memoryBytes: number
}

/** The text has something else where `expected` must come. */
export function unexpected({ json, at, expected }: Reading): JsonError {
  const token = expectedTokens[expected]
  if (at >= json.length) return malformed(at === 0 ? 'the body is empty' : `it ends where ${token} should be`)
  const found = JSON.stringify(json.toString('utf8', at, at + 8))
  return malformed(`${token} was expected at byte ${at}, and there is ${found}`)
}

/** Returns the path of the value that is being read: member names and item numbers, from the outside in. */
export function pathOf(innermost: OpenContainer | null): string[] {
  const path: string[] = []
  for (let open = innermost; open !== null; open = open.parent)
    path.unshift(open.array === null ? open.name : String(open.array.length))
  return path
}

export const malformed = (message: string): JsonError => new JsonError(`Malformed JSON: ${message}`)

export const tooMany = (what: string, bound: number): JsonError =>
  new JsonError(`The body has more than ${bound.toLocaleString('en')} ${what}`)
