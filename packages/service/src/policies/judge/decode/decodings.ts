import { hidesText, invisibleRuns } from '../../detect/fold.js'
import type { TextFeatures } from '../../detect/prefilter.js'
import type { WorkTimer } from '../work-timer.js'
import { findRun, isSpacedBase64, type Run, splitRun } from './base64-runs.js'
import { decodeSlices, mayBeText, stepChars } from './decode-bytes.js'
import type { Decoding } from './decoding.js'
import { FilteredText } from './filtered-text.js'
import { decodeInSteps, decodeJsonText } from './json-text.js'

/** Shorter texts hide nothing. */
const minEncodedChars = 8
const decodingsPerStep = 64
/** Each run has a fixed cost on top of its characters. */
const runCharsPerStep = stepChars / 16

/** A text that is encoded more deeply than this is not judged, because nobody does that by mistake. */
const maxDepth = 4

/** False when the features of a text show that there is nothing to decode, which is the usual case. */
export const mayBeEncoded = (text: string, { isPlainAscii, hasTokenRun, hasNumber }: TextFeatures): boolean =>
  hasTokenRun ||
  (!isPlainAscii && hidesText(text)) ||
  (text.includes('%') && /data:/i.test(text)) ||
  (text.includes('\\') && (escaped.test(text) || blank.test(text))) ||
  isSpacedBase64(text) ||
  (hasNumber && spelled.test(text))

/** Returns the decodings of a short text, without yielding. `isCut` means that the start of the text is missing. */
export function findDecodings(text: string, isCut = false): Decoding[] {
  const steps = findInSteps(text, isCut, 0)
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

/** Returns the decodings of a long text and yields to other calls between steps. */
export async function findDecodingsOfLongText(
  text: string,
  isCut: boolean,
  timer: WorkTimer,
): Promise<Decoding[]> {
  const steps = findInSteps(text, isCut, 0)
  let step = steps.next()
  for (; !step.done; step = steps.next()) if (timer.shouldYield()) await timer.yieldToOthers()
  return step.value
}

function* findInSteps(text: string, isCut: boolean, depth: number): Generator<void, Decoding[]> {
  const found: Decoding[] = []
  if (text.length < minEncodedChars) return found
  for (const direct of [
    readBase64(text, isCut),
    readDataUrls(text),
    readEscapes(text),
    readBlanks(text),
    readInvisible(text),
    readNumbers(text),
  ]) {
    for (const decoding of yield* direct) {
      if (depth >= maxDepth) throw new Error('the text is encoded too often to be judged')
      found.push(decoding)
      for (const inner of yield* findInSteps(decoding.text, false, depth + 1))
        found.push({ text: inner.text, toSpan: (start, end) => composeSpans(decoding, inner, start, end) })
      if (found.length % decodingsPerStep === 0) yield
    }
  }
  return found
}

function composeSpans(outer: Decoding, inner: Decoding, start: number, end: number): Run {
  const span = inner.toSpan(start, end)
  return outer.toSpan(span.start, span.end)
}

function* readBase64(text: string, isCut: boolean): Generator<void, Decoding[]> {
  const found: Decoding[] = []
  let steppedAt = 0
  for (let run = findRun(text, 0); run !== null; run = findRun(text, run.end)) {
    const whole = yield* decodeRun(text, run)
    found.push(...whole)
    if (whole.length === 0)
      for (const part of yield* splitIntoParts(text, run, isCut))
        found.push(...(yield* decodeRun(text, part)))
    if (run.end - steppedAt < runCharsPerStep) continue
    steppedAt = run.end
    yield
  }
  if (found.length === 0 && text.length <= stepChars && isSpacedBase64(text))
    found.push(...(yield* decodeRun(text, { start: 0, end: text.length })))
  return found
}

function* splitIntoParts(text: string, run: Run, isCut: boolean): Generator<void, Run[]> {
  const parts: Run[] = isCut && run.start === 0 ? shifted(run) : []
  for (let from = run.start; from < run.end; from += stepChars) {
    parts.push(...splitRun(text, { start: from, end: Math.min(run.end, from + stepChars) }))
    if (from > run.start) yield
  }
  return parts
}

/** Four characters encode three bytes. When the start is cut off, all alignments are tried. */
const shifted = ({ end }: Run): Run[] => [1, 2, 3].map((start) => ({ start, end }))

/** Decodes a run. A finding in it maps to the whole run. Slices that are not text are left out and separate the texts around them. */
function* decodeRun(text: string, run: Run): Generator<void, Decoding[]> {
  if (!mayBeText(text, run.start, run.end)) return []
  const said = yield* decodeSlices(text.slice(run.start, run.end))
  if (run.start % 64 === 0) yield
  return said.flatMap((decoded) => {
    const toSpan = () => run
    const unescaped = decodeJsonText(decoded).text
    return unescaped === decoded
      ? [{ text: decoded, toSpan }]
      : [
          { text: decoded, toSpan },
          { text: unescaped, toSpan },
        ]
  })
}

const escaped = /\\u[0-9a-fA-F]{4}/

/** Decodes escapes: JSON within JSON is escaped twice, and anybody can write escapes. */
function* readEscapes(text: string): Generator<void, Decoding[]> {
  if (!text.includes('\\u') || !escaped.test(text)) return []
  const { text: decoded, positions } = yield* decodeInSteps(text)
  if (positions === undefined) return []
  return [
    { text: decoded, toSpan: (start, end) => ({ start: positions[start] ?? 0, end: positions[end] ?? 0 }) },
  ]
}

const blank = /\\[bfnrt]/
const allBlanks = new RegExp(blank, 'g')

/**
 * In JSON within JSON, such as a tool result, a line end is a backslash and a letter, which would join the word after it. This returns the
 * text with line ends instead, of the same length.
 */
function* readBlanks(text: string): Generator<void, Decoding[]> {
  // `readEscapes` decodes these too if there are other escapes.
  if (!blank.test(text) || escaped.test(text)) return []
  const pieces: string[] = []
  let from = 0
  let steppedAt = 0
  for (const { index, 0: found } of text.matchAll(allBlanks)) {
    pieces.push(text.slice(from, index), '\n\n')
    from = index + found.length
    if (from - steppedAt < runCharsPerStep) continue
    steppedAt = from
    yield
  }
  pieces.push(text.slice(from))
  return [{ text: pieces.join(''), toSpan: (start, end) => ({ start, end }) }]
}

// The media type and parameters of a data URL are shorter than this.
const maxHeadChars = 256
const percent = /%([0-9a-fA-F]{2})/g

/** Decodes data URLs with percent encoding. Those in base64 are found by `readBase64`. */
function* readDataUrls(text: string): Generator<void, Decoding[]> {
  const found: Decoding[] = []
  const scheme = /data:/gi
  let steppedAt = 0
  for (let match = text.includes('%') ? scheme.exec(text) : null; match; match = scheme.exec(text)) {
    if (match.index - steppedAt >= runCharsPerStep) {
      steppedAt = match.index
      yield
    }
    const comma = text.slice(match.index, match.index + maxHeadChars).indexOf(',')
    if (comma === -1) continue
    const start = match.index + comma + 1
    const length = text.slice(start).search(/[\s"'<>]/)
    const end = length === -1 ? text.length : start + length
    const encoded = text.slice(start, end)
    if (encoded.includes('%')) {
      const bytes = encoded.replace(percent, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      )
      found.push({ text: Buffer.from(bytes, 'latin1').toString('utf8'), toSpan: () => ({ start, end }) })
    }
    scheme.lastIndex = Math.max(scheme.lastIndex, end)
  }
  return found
}

/** Returns the text without invisible characters, and with the letters that tag characters represent. */
function* readInvisible(text: string): Generator<void, Decoding[]> {
  if (!hidesText(text)) return []
  const found: Decoding[] = []
  for (const readsTags of text.includes('\udb40') ? [true, false] : [false]) {
    const kept = new FilteredText(text)
    let from = 0
    let steppedAt = 0
    for (const { index, 0: run } of text.matchAll(invisibleRuns)) {
      kept.addSpan(from, index)
      if (readsTags) kept.addTags(index, index + run.length)
      from = index + run.length
      if (from - steppedAt < runCharsPerStep) continue
      steppedAt = from
      yield
    }
    kept.addSpan(from, text.length)
    found.push(kept.finish())
  }
  return found
}

/** A JSON number that is not plain digits: with a sign, a zero fraction, or an exponent. */
const spelled =
  /(?<![\w.)-])(?:-\d{12,40}|-?\d{12,40}\.0{1,40}|-?\d{1,40}(?:\.\d{1,40})?[eE]\+?\d{1,2})(?![\w.])/
const allSpelled = new RegExp(spelled, 'g')
/** The fewest digits of cards and accounts. Shorter numbers are prices and years. */
const minDigits = 12

/** Returns the plain digits of such numbers. */
function* readNumbers(text: string): Generator<void, Decoding[]> {
  const found: Decoding[] = []
  let steppedAt = 0
  for (const { index, 0: number } of text.matchAll(allSpelled)) {
    const [digits = '', power = '0'] = number.replace('-', '').split(/[eE]\+?/)
    const [whole = '', fraction = ''] = digits.split('.')
    const plain = whole + fraction.padEnd(Number(power), '0').slice(0, Number(power))
    const span = { start: index, end: index + number.length }
    if (plain.length >= minDigits) found.push({ text: plain, toSpan: () => span })
    if (index - steppedAt < runCharsPerStep) continue
    steppedAt = index
    yield
  }
  return found
}
