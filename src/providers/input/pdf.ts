import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import { findReferences, hasSplitReference } from './pdf-references.js'

/** What bounds the tokens of a PDF. */
export interface PdfContent {
  pages: number
  /** Bytes of all streams that can hold text, inflated. */
  textBytes: number
  /** How many characters one byte of those can stand for, by the fonts. */
  charactersPerByte: number
}

/** What a call may inflate of all its documents together. */
export const maxInflatedBytes = 16 * 1024 * 1024
// Looking through this many bytes takes some hundred milliseconds, in turns.
const maxBytes = 8 * 1024 * 1024
const maxStreams = 5_000
const maxHeadChars = 16 * 1024
// A ligature has three letters. What stands for more was made to be longer than it looks.
const maxCharactersPerCode = 4

/**
 * Counts the pages and the text of a PDF from its bytes. Null for what is not understood or can be longer than it looks: content
 * that is used twice, forms that are drawn repeatedly, other filters than Flate, encryption, text that is kept elsewhere.
 */
export async function readPdf(bytes: Buffer, budget: { left: number }): Promise<PdfContent | null> {
  if (bytes.length > maxBytes) return null
  // In a PDF, zero is white space.
  const raw = bytes.toString('latin1').replaceAll('\0', ' ')
  if (!raw.slice(0, 1024).includes('%PDF-')) return null
  const streams = findStreams(raw)
  if (streams === null) return null
  const objects = [raw]
  for (const stream of streams) {
    // Some readers ask for nothing but the number of objects.
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
    // The same content on several pages would count once.
    if (uses.length > 1) return null
    textBytes += text.length
  }
  return charactersPerByte > maxCharactersPerCode ? null : { pages, textBytes, charactersPerByte }
}

interface PdfStream {
  object: number
  /** From the object's number to where the data begins. */
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
    // The head of another object, or two filters of which only one is true.
    if (head.includes('endobj') || head.split('/Filter').length > 2) return null
    streams.push({ object: Number(number[1]), head, start, end })
  }
  return streams
}

/** Text of a stream without a filter, or with Flate alone. */
async function decode(bytes: Buffer, stream: PdfStream, budget: { left: number }): Promise<string | null> {
  const data = bytes.subarray(stream.start, stream.end)
  const filter = /\/Filter\s*(\[[^\]]*\]|\/[^\s/<>[\]()]+|.)/s.exec(stream.head)?.[1]
  if (filter === undefined) {
    budget.left -= data.length
    return budget.left < 0 || /\/F\b/.test(stream.head) ? null : data.toString('latin1')
  }
  const isFlateAlone = /^(?:\[\s*)?\/FlateDecode(?:\s*\])?$/.test(filter)
  // With a predictor the bytes are not what they decode to.
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

/** Names in another spelling, data that begin elsewhere than they should, encryption, forms that are drawn again and again, text that stands for other text. */
const isEvasive = (structure: string): boolean => evasions.some((evasion) => evasion.test(structure))

const evasions = [
  /\/[A-Za-z0-9]*#[0-9A-Fa-f]{2}/,
  /(?<![A-Za-z])stream(?!\r?\n|[A-Za-z])/,
  /\/(?:Encrypt|Form|ActualText|XFA)\b/,
  /\/uni[0-9A-Fa-f]{8}/,
  /\/[A-Za-z0-9]+(?:_[A-Za-z0-9]+){3}/,
  /\/(?:Contents|Kids|Type|Filter|Count|N|First)\s*%/,
]

/** Fonts, profiles of colour, and pictures: by what they are and by every use that is made of them. */
function isNeverText({ head }: PdfStream, uses: readonly string[]): boolean {
  // Not referenced by anything: the tables that find the others.
  if (uses.length === 0) return /\/Type\s*\/(?:XRef|ObjStm)\b/.test(head)
  if (uses.every((use) => /^FontFile[23]?$|^ICCBased$/.test(use))) return true
  if (!/\/Subtype\s*\/Image\b/.test(head)) return false
  return uses.every((use) => use !== '' && use !== 'Contents' && use !== 'Kids')
}

/** By the pages that there are, by the counts that are declared and by the lists of children: the largest of them. */
function countPages(structure: string): number | null {
  const children: number[] = []
  for (let at = structure.indexOf('/Kids'); at >= 0; ) {
    const end = structure.indexOf(']', at)
    const list = structure.slice(at + 5, end)
    // A list that is elsewhere, or has something else than references in it.
    if (end < 0 || !/^\s*\[(?:\s*\d{1,10}\s{1,4}\d{1,5}\s{1,4}R)*\s*$/.test(list)) return null
    for (const [, object] of list.matchAll(/(\d+)\s+\d+\s+R/g)) children.push(Number(object))
    at = structure.indexOf('/Kids', end)
  }
  // A page, or a branch of pages, that is listed twice, in whatever spelling.
  if (new Set(children).size < children.length) return null
  let pages = Math.max(children.length, structure.match(/\/Type\s*\/Page(?![A-Za-z])/g)?.length ?? 0)
  for (const [, count] of structure.matchAll(/\/Count\s+(\d{1,10})/g)) pages = Math.max(pages, Number(count))
  return pages > 0 ? pages : null
}

/** A list of contents that stands by itself could be shown on several pages. */
function hasOwnContents(
  references: ReadonlyMap<number, readonly string[]>,
  streams: readonly PdfStream[],
): boolean {
  const numbers = new Set(streams.map(({ object }) => object))
  for (const [object, uses] of references) if (uses.includes('Contents') && !numbers.has(object)) return false
  return true
}

/** The longest text that a code of a font stands for. A code that is two bytes long stands for as many as one that is one. */
function charactersPerCode(map: string): number {
  let longest = 1
  for (const [digits] of map.matchAll(/<[0-9A-Fa-f\s]*>/g))
    longest = Math.max(longest, Math.ceil(digits.replace(/[\s<>]/g, '').length / 4))
  return longest
}
