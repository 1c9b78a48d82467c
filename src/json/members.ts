import { invalidRequest } from '../errors.js'

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d

// Far beyond any tool schema, and far below what would exhaust the stack of code that writes the value again.
const maxDepth = 500

/** Where a member of the top-level object stands in the bytes. */
export interface Member {
  name: string
  nameStart: number
  valueStart: number
  valueEnd: number
}

/**
 * Finds the top-level members of a JSON object that is known to be valid. With their places, single members can be
 * changed while every other byte stays as the caller sent it: numbers keep their digits, unknown fields their form.
 */
export function findMembers(json: Buffer): Member[] {
  const members: Member[] = []
  let at = skipSpace(json, json.indexOf(openBrace) + 1)
  while (json[at] === quote) {
    const nameStart = at
    const nameEnd = skipString(json, at)
    const valueStart = skipSpace(json, skipSpace(json, nameEnd) + 1)
    const valueEnd = skipValue(json, valueStart)
    const name: string = JSON.parse(json.toString('utf8', nameStart, nameEnd))
    members.push({ name, nameStart, valueStart, valueEnd })
    at = skipSpace(json, valueEnd)
    if (json[at] === comma) at = skipSpace(json, at + 1)
  }
  return members
}

/** A name that stands twice means one value to us and perhaps another to the provider. */
export function findRepeatedMember(members: readonly Member[]): string | null {
  const seen = new Set<string>()
  for (const { name } of members) {
    if (seen.has(name)) return name
    seen.add(name)
  }
  return null
}

/** The same bytes with some members set to other JSON text (added at the end when absent) or, for null, taken out. */
export function editMembers(
  json: Buffer,
  members: readonly Member[],
  edits: ReadonlyMap<string, string | null>,
): Buffer {
  const pieces: (Buffer | string)[] = []
  const absent = new Map(edits)
  let end = json.indexOf(openBrace) + 1
  // What stands before a member, commas and blanks. The first that stays takes over what stood before the first of all.
  const start = json.subarray(0, members[0]?.nameStart ?? end)
  for (const { name, nameStart, valueStart, valueEnd } of members) {
    const edit = edits.get(name)
    absent.delete(name)
    if (edit !== null) {
      pieces.push(pieces.length === 0 ? start : json.subarray(end, nameStart))
      if (edit === undefined) pieces.push(json.subarray(nameStart, valueEnd))
      else pieces.push(json.subarray(nameStart, valueStart), edit)
    }
    end = valueEnd
  }
  for (const [name, edit] of absent) {
    if (edit !== null) pieces.push(pieces.length === 0 ? start : ',', `${JSON.stringify(name)}:${edit}`)
  }
  if (pieces.length === 0) pieces.push(start)
  pieces.push(json.subarray(end))
  return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)))
}

function skipSpace(json: Buffer, from: number): number {
  let at = from
  for (let byte = json[at]; byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09; byte = json[at])
    at++
  return at
}

/** The position after the string that starts at `from`. Jumps from quote to quote: a long string costs little. */
function skipString(json: Buffer, from: number): number {
  for (let end = json.indexOf(quote, from + 1); end !== -1; end = json.indexOf(quote, end + 1)) {
    let escapes = 0
    while (json[end - 1 - escapes] === backslash) escapes++
    if (escapes % 2 === 0) return end + 1
  }
  return json.length
}

function skipValue(json: Buffer, from: number): number {
  let depth = 0
  for (let at = from; at < json.length; at++) {
    switch (json[at]) {
      case quote:
        at = skipString(json, at) - 1
        if (depth === 0) return at + 1
        break
      case openBrace:
      case openBracket:
        if (++depth > maxDepth) throw invalidRequest(`The body is nested more than ${maxDepth} levels deep`)
        break
      case closeBrace:
      case closeBracket:
        if (depth === 0) return endOfScalar(json, from, at)
        if (--depth === 0) return at + 1
        break
      case comma:
        if (depth === 0) return endOfScalar(json, from, at)
        break
      default:
    }
  }
  return json.length
}

/** A number or word ends before the blanks that may stand in front of the comma or brace. */
function endOfScalar(json: Buffer, from: number, before: number): number {
  let end = before
  while (end > from && (json[end - 1] ?? 0) <= 0x20) end--
  return end
}
