import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import { findReferences, hasSplitReference } from './pdf-references.js'

/** The measures of a PDF that bound its tokens. */
export interface PdfContent {
  pages: number
  /** The inflated bytes of all streams that can contain text. */
  textBytes: number
  /** How many characters one of those bytes can represent, according to the fonts. */
  charactersPerByte: number
}

/** The most bytes that a call may inflate for all its documents together. */
export const maxInflatedBytes = 16 * 1024 * 1024
// Scanning this many bytes takes a few hundred milliseconds, with pauses for other work.
const maxBytes = 8 * 1024 * 1024
const maxStreams = 5_000
const maxHeadChars = 16 * 1024
// A ligature has three letters. A code for more characters was made to hide the real length.
const maxCharactersPerCode = 4

/**
 * Counts the pages and the text of a PDF from its bytes. Null when it cannot be understood or can be longer than it
 * looks: content that is used twice, forms that are drawn repeatedly, filters other than Flate, encryption, text
 * that is stored elsewhere.
 */
export async function readPdf(bytes: Buffer, budget: { left: number }): Promise<PdfContent | null> {
  if (bytes.length > maxBytes) return null
  // In a PDF, a zero byte is white space.
  const raw = bytes.toString('latin1').replaceAll('\0', ' ')
  if (!raw.slice(0, 1024).includes('%PDF-')) return null
  const streams = findStreams(raw)
  if (streams === null) return null
  const objects = [raw]
  for (const stream of streams) {
    // Some readers require nothing but the number of objects.
    if (!/\/(?:ObjStm|First|N)\b/.test(stream.head)) continue
    const inner = await decode(bytes, stream, budget)
    if (inner === null) return null
    objects.push(inner)
  }
  const structure = objects.join('\n')
  await nextTurn()
  if (isEvasive(structure) || hasSplitReference(structure)) return null
  await nextTurn()
  const references = findReferences(structure)
  await nextTurn()
  const pages = countPages(structure)
  if (pages === null || !hasOwnContents(references, streams)) return null
  let textBytes = 0
  let charactersPerByte = 1
  for (const stream of streams) {
    const uses = references.get(stream.object) ?? []
    if (isNeverText(stream, uses)) continue
    const text = await decode(bytes, stream, budget)
    if (text === null) return null
    if (uses.length > 0 && uses.every((use) => use === 'ToUnicode')) {
      charactersPerByte = Math.max(charactersPerByte, charactersPerCode(text))
      continue
    }
    // Content shared by several pages would count only once.
    if (uses.length > 1) return null
    textBytes += text.length
  }
  return charactersPerByte > maxCharactersPerCode ? null : { pages, textBytes, charactersPerByte }
}

interface PdfStream {
  object: number
  /** From the object's number to the start of its data. */
  head: string
  start: number
  end: number
}

function findStreams(raw: string): PdfStream[] | null {
  const streams: PdfStream[] = []
  let end = -1
  let seen = 0
  for (const match of raw.matchAll(/(?<!end)stream\r?\n/g)) {
    const start = match.index + match[0].length
    const headStart = raw.lastIndexOf(' obj', match.index)
    const number = /(\d{1,10})\s{1,4}\d{1,5}$/.exec(
      raw.slice(Math.max(0, headStart - 24), Math.max(0, headStart)),
    )
    if (end < start) end = raw.indexOf('endstream', start)
    seen += 1
    if (headStart < 0 || end < 0 || number === null || seen > maxStreams) return null
    if (match.index - headStart > maxHeadChars) return null
    const head = raw.slice(headStart, match.index)
    // The header of another object, or two filters of which only one applies.
    if (head.includes('endobj') || head.split('/Filter').length > 2) return null
    streams.push({ object: Number(number[1]), head, start, end })
  }
  return streams
}

/** Returns the text of a stream without a filter, or with Flate alone. */
async function decode(bytes: Buffer, stream: PdfStream, budget: { left: number }): Promise<string | null> {
  const data = bytes.subarray(stream.start, stream.end)
  const filter = /\/Filter\s*(\[[^\]]*\]|\/[^\s/<>[\]()]+|.)/s.exec(stream.head)?.[1]
  if (filter === undefined) {
    budget.left -= data.length
    return budget.left < 0 || /\/F\b/.test(stream.head) ? null : data.toString('latin1')
  }
  const isFlateAlone = /^(?:\[\s*)?\/FlateDecode(?:\s*\])?$/.test(filter)
  // With a predictor, the inflated bytes are not the final content.
  if (!isFlateAlone || /\/(?:DecodeParms|DP)\b/.test(stream.head) || budget.left <= 0) return null
  try {
    const inflated = await inflateBytes(data, { maxOutputLength: budget.left })
    budget.left -= inflated.length
    return inflated.toString('latin1')
  } catch {
    return null
  }
}

const inflateBytes = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate)

/**
 * True for escaped names, data that begin elsewhere than they should, encryption, forms that are drawn repeatedly,
 * and text that replaces other text.
 */
const isEvasive = (structure: string): boolean => evasions.some((evasion) => evasion.test(structure))

const evasions = [
  /\/[A-Za-z0-9]*#[0-9A-Fa-f]{2}/,
  /(?<![A-Za-z])stream(?!\r?\n|[A-Za-z])/,
  /\/(?:Encrypt|Form|ActualText|XFA)\b/,
  /\/uni[0-9A-Fa-f]{8}/,
  /\/[A-Za-z0-9]+(?:_[A-Za-z0-9]+){3}/,
  /\/(?:Contents|Kids|Type|Filter|Count|N|First)\s*%/,
]

/** True for fonts, colour profiles and images, judged by their type and by every use of them. */
function isNeverText({ head }: PdfStream, uses: readonly string[]): boolean {
  // Tables that locate the other objects are not referenced by anything.
  if (uses.length === 0) return /\/Type\s*\/(?:XRef|ObjStm)\b/.test(head)
  if (uses.every((use) => /^FontFile[23]?$|^ICCBased$/.test(use))) return true
  if (!/\/Subtype\s*\/Image\b/.test(head)) return false
  return uses.every((use) => use !== '' && use !== 'Contents' && use !== 'Kids')
}

/** Returns the largest of the pages present, the declared counts and the lists of children. */
function countPages(structure: string): number | null {
  const children: number[] = []
  for (let at = structure.indexOf('/Kids'); at >= 0; ) {
    const end = structure.indexOf(']', at)
    const list = structure.slice(at + 5, end)
    // The list is stored elsewhere, or contains something other than references.
    if (end < 0 || !/^\s*\[(?:\s*\d{1,10}\s{1,4}\d{1,5}\s{1,4}R)*\s*$/.test(list)) return null
    for (const [, object] of list.matchAll(/(\d+)\s+\d+\s+R/g)) children.push(Number(object))
    at = structure.indexOf('/Kids', end)
  }
  // A page, or a branch of pages, is listed twice, in any spelling.
  if (new Set(children).size < children.length) return null
  let pages = Math.max(children.length, structure.match(/\/Type\s*\/Page(?![A-Za-z])/g)?.length ?? 0)
  for (const [, count] of structure.matchAll(/\/Count\s+(\d{1,10})/g)) pages = Math.max(pages, Number(count))
  return pages > 0 ? pages : null
}

/** A separately stored list of contents could be shown on several pages. */
function hasOwnContents(
  references: ReadonlyMap<number, readonly string[]>,
  streams: readonly PdfStream[],
): boolean {
  const numbers = new Set(streams.map(({ object }) => object))
  for (const [object, uses] of references) if (uses.includes('Contents') && !numbers.has(object)) return false
  return true
}

/** Returns the longest text that a font code represents. A two-byte code counts like a one-byte code. */
function charactersPerCode(map: string): number {
  let longest = 1
  for (const [digits] of map.matchAll(/<[0-9A-Fa-f\s]*>/g))
    longest = Math.max(longest, Math.ceil(digits.replace(/[\s<>]/g, '').length / 4))
  return longest
}
