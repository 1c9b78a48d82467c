import type { UnboundedInput } from './attachments.js'
import { knownMembers } from './places.js'

const quote = 0x22
const comma = 0x2c
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

// A double has 17 digits. More are lost to whoever reads one, but not to every vendor.
const maxNumberChars = 40

/**
 * What parsing loses of a body, so that no bound of the parsed one holds: the first of two members with one name, which some
 * vendor may read instead of the last, and digits of long numbers. For bytes that are known to be a JSON object. Null when there
 * is nothing.
 */
export function findLostInput(json: Buffer): UnboundedInput | null {
  const open: { names: Set<string> | null; name: string }[] = []
  let expectsName = false
  for (let at = 0; at < json.length; at++) {
    const inside = open.at(-1)
    switch (json[at]) {
      case quote: {
        const end = endOfString(json, at)
        if (expectsName && inside?.names) {
          inside.name = readName(json, at, end)
          if (inside.names.has(inside.name))
            return { path: pathOf(open), message: 'stands twice in its object' }
          inside.names.add(inside.name)
          expectsName = false
        }
        at = end - 1
        break
      }
      case openBrace:
        open.push({ names: new Set(), name: '' })
        expectsName = true
        break
      case openBracket:
        open.push({ names: null, name: '' })
        expectsName = false
        break
      case closeBrace:
      case closeBracket:
        open.pop()
        expectsName = false
        break
      case comma:
        expectsName = inside?.names instanceof Set
        break
      default: {
        const end = endOfWord(json, at)
        if (end - at > maxNumberChars)
          return { path: pathOf(open), message: 'is a number with too many digits' }
        if (end > at) at = end - 1
      }
    }
  }
  return null
}

/**
 * A member whose name differs from one that the gateway reads in its case alone: to many servers both are the same, such as to
 * all that read JSON with Go, and theirs may be the one that counts.
 */
export function findOtherSpelling(names: readonly string[], dialect: string): UnboundedInput | null {
  for (const name of names) {
    // Upper case first: some letters beyond ASCII have a plain one as their other case.
    const folded = name.toUpperCase().toLowerCase()
    if (folded !== name && knownMembers[dialect]?.has(folded))
      return { path: name, message: `is another spelling of ${folded}` }
  }
  return null
}

function endOfString(json: Buffer, from: number): number {
  for (let end = json.indexOf(quote, from + 1); end !== -1; end = json.indexOf(quote, end + 1)) {
    let escapes = 0
    while (json[end - 1 - escapes] === backslash) escapes++
    if (escapes % 2 === 0) return end + 1
  }
  return json.length
}

function readName(json: Buffer, start: number, end: number): string {
  const name = json.toString('utf8', start + 1, end - 1)
  return name.includes('\\') ? JSON.parse(`"${name}"`) : name
}

/** Numbers and literals: letters, digits, signs and dots. */
function endOfWord(json: Buffer, from: number): number {
  let at = from
  for (let byte = json[at] ?? 0; isOfWord(byte); byte = json[at] ?? 0) at++
  return at
}

const isOfWord = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) || byte === 0x2b || byte === 0x2d || byte === 0x2e || (byte | 0x20) === 0x65

const pathOf = (open: readonly { name: string }[]): string =>
  open
    .map(({ name }) => name)
    .filter((name) => name !== '')
    .join('.')
