/**
 * Text as the detectors read it: digits of other scripts and full-width forms as ASCII, all kinds of spaces and dashes as
 * one, without invisible characters.
 */
export interface FoldedText {
  text: string
  /** Where each character stands in the original; undefined if nothing had to change, which is nearly always so. */
  positions: Int32Array | undefined
}

interface Span {
  start: number
  end: number
}

/**
 * Invisible characters are dropped in runs up to this length. A longer run stays and separates what stands around it.
 * Without a bound, two neighbours could be any distance apart, and no slice of a text could be scanned on its own.
 */
const maxInvisibleRun = 2

const foldable =
  /[\ufe00-\ufe0f\u034f\u180b-\u180e\u00a0\u00ad\u061c\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0e50-\u0e59\u2000-\u2013\u2024\u2028-\u202f\u2044\u205f-\u206f\u2212\u3000\ufe52\ufe58\ufe63\ufe6b\ufeff\uff01-\uff5e]|\ud835[\udfce-\udfff]|\udb40[\udc00-\udc7f]/

/** Whether folding changes nothing in a text. */
export const isPlain = (text: string): boolean => !foldable.test(text)

export const asPlain = (text: string): FoldedText => ({ text, positions: undefined })

export function fold(original: string): FoldedText {
  if (isPlain(original)) return asPlain(original)
  const codes = new Uint16Array(original.length)
  const positions = new Int32Array(original.length)
  let length = 0
  let index = 0
  while (index < original.length) {
    const invisible = countInvisible(original, index)
    if (invisible > 0 && invisible <= maxInvisibleRun) {
      index += invisible
      continue
    }
    // A long run is kept whole: which part of it to drop would depend on where the slice starts.
    const keptRun = invisible > maxInvisibleRun ? invisible : 0
    for (const end = index + keptRun; index < end; index++) {
      codes[length] = original.charCodeAt(index)
      positions[length++] = index
    }
    if (keptRun > 0) continue
    const mathDigit = readMathDigit(original, index)
    codes[length] = mathDigit ?? foldCode(original.charCodeAt(index))
    positions[length++] = index
    index += mathDigit === undefined ? 1 : 2
  }
  const bytes = Buffer.from(codes.buffer, 0, length * 2)
  return { text: bytes.toString('utf16le'), positions: positions.subarray(0, length) }
}

/** Where a span of the folded text stands in the original. */
export function unfold(original: string, { positions }: FoldedText, span: Span): Span {
  if (positions === undefined) return span
  const { start, end } = span
  const last = positions[end - 1] ?? 0
  const width = readMathDigit(original, last) === undefined ? 1 : 2
  return { start: positions[start] ?? 0, end: last + width }
}

/** The position in the folded text that is `distance` characters of the original after another, or its end. */
export function positionAfter({ text, positions }: FoldedText, start: number, distance: number): number {
  if (positions === undefined) return Math.min(text.length, start + distance)
  const target = (positions[start] ?? 0) + distance
  let low = start
  let high = text.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((positions[middle] ?? target) < target) low = middle + 1
    else high = middle
  }
  return low
}

/** The length of the run of invisible characters that starts here, in code units. */
function countInvisible(text: string, from: number): number {
  let index = from
  while (index < text.length) {
    const code = text.charCodeAt(index)
    if (isInvisible(code)) index += 1
    else if (code === 0xdb40 && isTag(text.charCodeAt(index + 1))) index += 2
    else break
  }
  return index - from
}

const isTag = (low: number): boolean => low >= 0xdc00 && low <= 0xdc7f

/** Zero-width and soft hyphens, joiners, directional marks and overrides, variation selectors. */
function isInvisible(code: number): boolean {
  if (code < 0xad) return false
  if (code >= 0x2000) {
    if (code <= 0x206f) {
      return (code >= 0x200b && code <= 0x200f) || (code >= 0x202a && code <= 0x202e) || code >= 0x2060
    }
    return code === 0xfeff || (code >= 0xfe00 && code <= 0xfe0f)
  }
  return code === 0xad || code === 0x34f || code === 0x61c || (code >= 0x180b && code <= 0x180e)
}

/** Mathematical digits (𝟏𝟐𝟑, bold, double-struck, monospace …) are written as surrogate pairs. */
function readMathDigit(text: string, index: number): number | undefined {
  if (text.charCodeAt(index) !== 0xd835) return undefined
  const low = text.charCodeAt(index + 1)
  if (!(low >= 0xdfce && low <= 0xdfff)) return undefined
  return 0x30 + ((low - 0xdfce) % 10)
}

const digitZeros = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50]

function foldCode(code: number): number {
  if (code < 0xa0) return code
  if (code < 0x2000) {
    if (code === 0xa0) return 0x20
    if (code < 0x660 || code > 0xe59) return code
    const zero = digitZeros.find((digit) => code >= digit && code <= digit + 9)
    return zero === undefined ? code : 0x30 + code - zero
  }
  if (code <= 0x200a || code === 0x202f || code === 0x205f || code === 0x3000) return 0x20
  if ((code >= 0x2010 && code <= 0x2013) || code === 0x2212 || code === 0xfe58 || code === 0xfe63) return 0x2d
  if (code === 0x2028 || code === 0x2029) return 0x0a
  if (code === 0x2024 || code === 0xfe52) return 0x2e
  if (code === 0x2044) return 0x2f
  if (code === 0xfe6b) return 0x40
  if (code >= 0xff01 && code <= 0xff5e) return code - 0xfee0
  return code
}
