import { isMark } from './characters.js'

/**
 * A text as the detectors read it: in compatibility form and composed (NFKC), with digits of other scripts as ASCII, with one kind of
 * space and of dash, and without invisible characters.
 */
export interface FoldedText {
  text: string
  /** The position of each character in the original; undefined if nothing had to change, which is the usual case. */
  positions: Int32Array | undefined
  /** The end of each character in the original. */
  ends: Int32Array | undefined
}

interface Span {
  start: number
  end: number
}

/**
 * Runs of invisible characters are dropped up to this length. A longer run is kept and separates the text around it. Without this
 * limit, two neighbours could be any distance apart, and no slice of a text could be scanned separately.
 */
const maxInvisibleRun = 2

/**
 * Characters that are displayed as nothing: what Unicode calls ignorable by default (zero-width and soft hyphens, joiners, directional
 * marks, fillers, variation selectors, tags), control characters except spaces and line ends, all other format characters without a
 * shape (annotations, joiners of hieroglyphs), noncharacters, and the braille pattern without dots. Those above the first plane are
 * surrogate pairs, below.
 */
const invisible =
  '\\0-\\x08\\x0e-\\x1f\\x7f-\\x84\\x86-\\x9f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ufdd0-\\ufdef\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb\\ufffe\\uffff'
const invisiblePairs =
  '\\ud80d[\\udc30-\\udc3f]|\\ud82f[\\udca0-\\udca3]|\\ud834[\\udd73-\\udd7a]|[\\udb40-\\udb43][\\udc00-\\udfff]|[\\ud83f\\ud87f\\ud8bf\\ud8ff\\ud93f\\ud97f\\ud9bf\\ud9ff\\uda3f\\uda7f\\udabf\\udaff\\udb3f\\udb7f\\udbbf\\udbff][\\udffe\\udfff]'
const invisibleCode = new RegExp(`[${invisible}]`)
const invisiblePair = new RegExp(`^(?:${invisiblePairs})`)
const anyInvisible = `(?:[${invisible}]|${invisiblePairs})`

/** Characters that are folded although they are the same in compatibility form, such as dashes and the digits of other scripts. */
const foldable = new RegExp(
  `[${invisible}\\u0660-\\u0669\\u06f0-\\u06f9\\u0966-\\u096f\\u09e6-\\u09ef\\u0e50-\\u0e59\\u2010-\\u2013\\u2028\\u2029\\u2044\\u2212]|${invisiblePairs}`,
)
/** Matches any character that is not printable ASCII or white space. */
const untyped = /[^\t-\r\x20-\x7e]/

/** True when folding changes nothing in a text. */
export const isPlain = (text: string): boolean =>
  !untyped.test(text) || (!foldable.test(text) && text.normalize('NFKC') === text)

export const asPlain = (text: string): FoldedText => ({ text, positions: undefined, ends: undefined })

/** Matches runs of invisible characters. */
export const invisibleRuns = new RegExp(`${anyInvisible}+`, 'g')
const anyOfThem = new RegExp(anyInvisible)
const hiding = new RegExp(
  `[A-Za-z0-9+/=]${anyInvisible}+[A-Za-z0-9+/=]|${anyInvisible}{${maxInvisibleRun + 1}}|\\udb40[\\udc20-\\udc7e]`,
)

/** True when folding drops some characters. */
export const hasInvisible = (text: string): boolean => untyped.test(text) && anyOfThem.test(text)

/** True when a text has invisible characters that folding does not remove. */
export const hidesText = (text: string): boolean => untyped.test(text) && hiding.test(text)

/** Returns the code of the ASCII letter that the tag character here represents; null for any other character. */
export function readTag(text: string, at: number): number | null {
  if (text.charCodeAt(at) !== 0xdb40) return null
  const low = text.charCodeAt(at + 1)
  return low >= 0xdc20 && low <= 0xdc7e ? low - 0xdc00 : null
}

export const fold = (original: string): FoldedText => foldDropping(original, maxInvisibleRun)

/** Folds everything else, and keeps invisible characters: they separate what stands on both sides. */
export const foldVisible = (original: string): FoldedText => foldDropping(original, 0)

/** Drops runs of invisible characters up to this length. */
function foldDropping(original: string, maxRun: number): FoldedText {
  if (isPlain(original)) return asPlain(original)
  const folded = new Folding(original.length)
  let index = 0
  while (index < original.length) {
    const invisible = countInvisible(original, index)
    if (invisible > maxRun) {
      // A long run is kept completely: otherwise, which part of it is dropped would depend on where the slice starts.
      for (const end = index + invisible; index < end; index++)
        folded.add(original.charCodeAt(index), index, index + 1)
    } else if (invisible > 0) index += invisible
    else if (original.charCodeAt(index) < 0x80 && !isExtended(original, index + 1, maxRun)) {
      folded.add(original.charCodeAt(index), index, index + 1)
      index += 1
    } else {
      const end = endOfCluster(original, index, maxRun)
      folded.addCluster(original, index, end)
      index = end
    }
  }
  return folded.finish()
}

/** Maps a span of the folded text to the original. */
export function unfold({ positions, ends }: FoldedText, span: Span): Span {
  if (positions === undefined || ends === undefined) return span
  return { start: positions[span.start] ?? 0, end: ends[span.end - 1] ?? 0 }
}

/** A character whose compatibility form is longer than this is not folded: that of one Arabic character is a sentence. */
const maxGrowth = 4

class Folding {
  readonly #codes: Uint16Array
  readonly #positions: Int32Array
  readonly #ends: Int32Array
  #length = 0

  constructor(originalLength: number) {
    this.#codes = new Uint16Array(maxGrowth * originalLength)
    this.#positions = new Int32Array(maxGrowth * originalLength)
    this.#ends = new Int32Array(maxGrowth * originalLength)
  }

  add(code: number, start: number, end: number): void {
    this.#codes[this.#length] = code
    this.#positions[this.#length] = start
    this.#ends[this.#length++] = end
  }

  /** Adds a letter with its marks as one composed letter. */
  addCluster(original: string, start: number, end: number): void {
    const single = end - start === 1 ? composedCode(original.charCodeAt(start)) : manyCodes
    if (single !== manyCodes) {
      this.add(single, start, end)
      return
    }
    const cluster = original.slice(start, end)
    const composed = compose(cluster)
    const text = composed.length <= maxGrowth * cluster.length ? composed : cluster
    for (let at = 0; at < text.length; at++) this.add(foldCode(text.charCodeAt(at)), start, end)
  }

  finish(): FoldedText {
    const bytes = Buffer.from(this.#codes.buffer, 0, this.#length * 2)
    return {
      text: bytes.toString('utf16le'),
      positions: this.#positions.subarray(0, this.#length),
      ends: this.#ends.subarray(0, this.#length),
    }
  }
}

const compose = (cluster: string): string =>
  (cluster.length === 1 ? cluster : cluster.replace(invisibleRuns, '')).normalize('NFKC')

const manyCodes = 0xffff
/** Caches what single characters are folded to; 0 for those not computed yet. Computing it each time takes 30 times as long. */
const cachedCodes = new Uint16Array(0x10000)

function composedCode(code: number): number {
  if (cachedCodes[code] === 0) {
    const composed = String.fromCharCode(code).normalize('NFKC')
    cachedCodes[code] = composed.length === 1 ? foldCode(composed.charCodeAt(0)) : manyCodes
  }
  return cachedCodes[code] ?? manyCodes
}

/** No letter of any language has this many marks. */
const maxClusterChars = 12

/** Returns the end of the letter that starts here, including the marks that follow it. */
function endOfCluster(text: string, start: number, maxRun: number): number {
  const first = text.codePointAt(start) ?? 0
  let end = start + (first > 0xffff ? 2 : 1)
  while (end - start < maxClusterChars && isExtended(text, end, maxRun)) {
    end += countInvisible(text, end)
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  }
  return end
}

/** True when the character here belongs to the letter before it: a mark, or a vowel or final of a Korean syllable. */
function isExtended(text: string, at: number, maxRun: number): boolean {
  const code = text.charCodeAt(at)
  if (Number.isNaN(code)) return false
  if (invisibleCodes[code] === 0 && (code < 0xd800 || code > 0xdbff)) return isExtension(code)
  const skipped = countInvisible(text, at)
  return skipped <= maxRun && isExtension(text.codePointAt(at + skipped) ?? 0)
}

const isExtension = (point: number): boolean => (point >= 0x1161 && point <= 0x11ff) || isMark(point)

/** Returns the position in the folded text that is `distance` original characters after `start`, or the end of the text. */
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

/** Returns the length of the run of invisible characters that starts here, in code units. */
function countInvisible(text: string, from: number): number {
  let at = from
  for (let width = invisibleWidth(text, at); width > 0; width = invisibleWidth(text, at)) at += width
  return at - from
}

/** 1 for each code unit that is an invisible character. With an expression instead of a table, folding took six times as long. */
const invisibleCodes = Uint8Array.from({ length: 0x10000 }, (_, code) =>
  invisibleCode.test(String.fromCharCode(code)) ? 1 : 0,
)

function invisibleWidth(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (!(code >= 0xd800 && code <= 0xdbff)) return invisibleCodes[code] ?? 0
  if (code >= 0xdb40 && code <= 0xdb43) return 2
  return startsInvisiblePair[code] === 1 && invisiblePair.test(text.slice(at, at + 2)) ? 2 : 0
}

/** 1 for each high surrogate with which some invisible pair starts. */
const startsInvisiblePair = Uint8Array.from({ length: 0x10000 }, (_, code) =>
  code >= 0xd800 &&
  code <= 0xdbff &&
  ['\udc30', '\udca0', '\udd73', '\udffe'].some((half) =>
    invisiblePair.test(String.fromCharCode(code) + half),
  )
    ? 1
    : 0,
)

const digitZeros = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50]

/** Folds a character that is already in compatibility form, in which spaces and full-width letters are plain ones. */
function foldCode(code: number): number {
  if (code < 0xa0) return code
  if (code < 0x2000) {
    if (code < 0x660 || code > 0xe59) return code
    const zero = digitZeros.find((digit) => code >= digit && code <= digit + 9)
    return zero === undefined ? code : 0x30 + code - zero
  }
  if ((code >= 0x2010 && code <= 0x2013) || code === 0x2212) return 0x2d
  if (code === 0x2028 || code === 0x2029) return 0x0a
  if (code === 0x2044) return 0x2f
  return code
}
