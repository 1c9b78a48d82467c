import { isPlainObject } from '../json/index.js'
import { HASH_BYTES } from './merkle/tree.js'
import type { UntrustedJwk } from './signing/public-key.js'

// An export is one JSON object per line: a header, the entries in order with a seal after each group, and an end line
// with the number of entries and seals. docs/reference/record-format.md describes it.

export interface ExportHeader {
  type: 'tallystick-export'
  v: 1
  tenant: string
  fromSeq: number
  /** `fromSeq` − 1 when there are no entries. */
  toSeq: number
  /** Leaf hash of entry `fromSeq` − 1, hex. */
  prev: string
  /** Roots of the perfect subtrees over the entries before `fromSeq`, largest first, hex. */
  frontier: string[]
  keys: { keys: UntrustedJwk[] }
}

export type ExportLine =
  | ExportHeader
  | { type: 'entry'; seq: number; canonical: string }
  | { type: 'seal'; size: number; note: string }
  | { type: 'end'; entries: number; seals: number }

const ENTRY_START = '{"type":"entry","seq":'
const ENTRY_MIDDLE = ',"canonical":'

export function writeEntryLine(seq: number, canonical: string): string {
  return `${ENTRY_START}${seq}${ENTRY_MIDDLE}${JSON.stringify(canonical)}}\n`
}

export function writeLine(line: Exclude<ExportLine, { type: 'entry' }>): string {
  return `${JSON.stringify(line)}\n`
}

/** Reads a line without its line break; null when it is not a line of an export. */
export function readExportLine(text: string): ExportLine | null {
  return readEntryLine(text) ?? readAnyLine(text)
}

// Nearly all lines are entries as `writeEntryLine` writes them. Reading those takes 3 µs, against 10 µs for
// `readAnyLine`, which reads everything else (1.1 kB, Node 20).
function readEntryLine(text: string): ExportLine | null {
  if (!text.startsWith(ENTRY_START)) return null
  const middle = text.indexOf(ENTRY_MIDDLE, ENTRY_START.length)
  const digits = text.slice(ENTRY_START.length, middle)
  if (middle < 0 || !/^[1-9][0-9]{0,15}$/.test(digits)) return null
  const canonical = parseJson(text.slice(middle + ENTRY_MIDDLE.length, -1))
  const seq = Number(digits)
  if (typeof canonical !== 'string' || !text.endsWith('"}') || !isCount(seq)) return null
  return { type: 'entry', seq, canonical }
}

function readAnyLine(text: string): ExportLine | null {
  const value = parseJson(text)
  // Two members of one name: which one counts differs between JSON parsers, so the verifier could see other data than
  // the reader of the file.
  if (!isObject(value) || countMembers(text) !== countMembersOf(value)) return null
  const { type, v, seq, canonical, size, note, entries, seals } = value
  switch (type) {
    case 'tallystick-export':
      return v === 1 && hasMembers(value, 8) ? readHeader(value) : null
    case 'entry':
      return isCount(seq) && typeof canonical === 'string' && hasMembers(value, 3)
        ? { type, seq, canonical }
        : null
    case 'seal':
      return isCount(size) && typeof note === 'string' && hasMembers(value, 3) ? { type, size, note } : null
    case 'end':
      return isCount(entries) && isCount(seals) && hasMembers(value, 3) ? { type, entries, seals } : null
    default:
      return null
  }
}

function readHeader(members: Record<string, unknown>): ExportHeader | null {
  const { tenant, fromSeq, toSeq, prev, frontier, keys } = members
  if (typeof tenant !== 'string' || !isCount(fromSeq) || !isCount(toSeq)) return null
  if (fromSeq < 1 || toSeq < fromSeq - 1 || !isHash(prev)) return null
  if (!Array.isArray(frontier) || !frontier.every(isHash)) return null
  if (!isObject(keys) || !Array.isArray(keys.keys) || !keys.keys.every(isObject)) return null
  return {
    type: 'tallystick-export',
    v: 1,
    tenant,
    fromSeq,
    toSeq,
    prev,
    frontier,
    keys: { keys: keys.keys },
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && isPlainObject(value)
}

const hasMembers = (value: object, count: number) => Object.keys(value).length === count
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
const isHash = (value: unknown): value is string =>
  typeof value === 'string' && value.length === 2 * HASH_BYTES && /^[0-9a-f]*$/.test(value)

const QUOTE = 0x22
const COLON = 0x3a
const BACKSLASH = 0x5c
// A header has 4 levels. Deeper nesting could exhaust the stack.
const MAX_DEPTH = 8

/** The number of members of all objects in a JSON text, repeated names included: one for each colon. */
function countMembers(json: string): number {
  let count = 0
  let isInString = false
  for (let i = 0; i < json.length; i++) {
    const code = json.charCodeAt(i)
    if (code === QUOTE) isInString = !isInString
    else if (isInString && code === BACKSLASH) i++
    else if (!isInString && code === COLON) count++
  }
  return count
}

function countMembersOf(value: unknown, depth = 0): number {
  if (typeof value !== 'object' || value === null) return 0
  if (depth === MAX_DEPTH) return Number.NaN
  const members = Object.values(value)
  const own = Array.isArray(value) ? 0 : members.length
  return members.reduce((sum, member) => sum + countMembersOf(member, depth + 1), own)
}
