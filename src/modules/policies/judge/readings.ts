import { hidesText, invisibleRuns } from '../detect/fold.js'
import type { TextFeatures } from '../detect/prefilter.js'
import { findRun, isSpacedBase64, type Run, splitRun } from './base64-runs.js'
import { decodeSlices, mayBeText, stepChars } from './decode-bytes.js'
import { decodeInSteps, decodeJsonText } from './json-text.js'
import { KeptCodes } from './kept-codes.js'
import type { Reading } from './reading.js'
import type { WorkTimer } from './work-timer.js'

/** What is shorter says nothing else. */
const minEncodedChars = 8
const readingsPerStep = 64
/** Each run takes a while longer than its characters. */
const runCharsPerStep = stepChars / 16

/** What was encoded more often than this cannot be judged: nobody does that by mistake. */
const maxDepth = 4

/** False if the features of a text show that there is nothing to decode: nearly always, and it costs little to know. */
export const mayBeEncoded = (text: string, { isPlainAscii, hasTokenRun, hasNumber }: TextFeatures): boolean =>
  hasTokenRun ||
  (!isPlainAscii && hidesText(text)) ||
  (text.includes('%') && /data:/i.test(text)) ||
  (text.includes('\\') && (escaped.test(text) || blank.test(text))) ||
  isSpacedBase64(text) ||
  (hasNumber && spelled.test(text))

/** Of a text so short that nobody waits for it. `isCut`: the start of the text is missing. */
export function readEncoded(text: string, isCut = false): Reading[] {
  const steps = readInSteps(text, isCut, 0)
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

/** The same for a long text, yielding to other calls between steps. */
export async function readLongEncoded(text: string, isCut: boolean, timer: WorkTimer): Promise<Reading[]> {
  const steps = readInSteps(text, isCut, 0)
  let step = steps.next()
  for (; !step.done; step = steps.next()) if (timer.shouldYield()) await timer.yieldToOthers()
  return step.value
}

function* readInSteps(text: string, isCut: boolean, depth: number): Generator<void, Reading[]> {
  const found: Reading[] = []
  if (text.length < minEncodedChars) return found
  for (const direct of [
    readBase64(text, isCut),
    readDataUrls(text),
    readEscapes(text),
    readBlanks(text),
    readInvisible(text),
    readNumbers(text),
  ]) {
    for (const reading of yield* direct) {
      if (depth >= maxDepth) throw new Error('the text is encoded too often to be judged')
      found.push(reading)
      for (const inner of yield* readInSteps(reading.text, false, depth + 1))
        found.push({ text: inner.text, toSpan: (start, end) => throughBoth(reading, inner, start, end) })
      if (found.length % readingsPerStep === 0) yield
    }
  }
  return found
}

function throughBoth(outer: Reading, inner: Reading, start: number, end: number): Run {
  const span = inner.toSpan(start, end)
  return outer.toSpan(span.start, span.end)
}

function* readBase64(text: string, isCut: boolean): Generator<void, Reading[]> {
  const found: Reading[] = []
  let steppedAt = 0
  for (let run = findRun(text, 0); run !== null; run = findRun(text, run.end)) {
    const whole = yield* decodeRun(text, run)
    found.push(...whole)
    if (whole.length === 0)
      for (const part of yield* partsOf(text, run, isCut)) found.push(...(yield* decodeRun(text, part)))
    if (run.end - steppedAt < runCharsPerStep) continue
    steppedAt = run.end
    yield
  }
  if (found.length === 0 && text.length <= stepChars && isSpacedBase64(text))
    found.push(...(yield* decodeRun(text, { start: 0, end: text.length })))
  return found
}

function* partsOf(text: string, run: Run, isCut: boolean): Generator<void, Run[]> {
  const parts: Run[] = isCut && run.start === 0 ? shifted(run) : []
  for (let from = run.start; from < run.end; from += stepChars) {
    parts.push(...splitRun(text, { start: from, end: Math.min(run.end, from + stepChars) }))
    if (from > run.start) yield
  }
  return parts
}

/** Four characters are three bytes: where they start is lost with what was cut off. */
const shifted = ({ end }: Run): Run[] => [1, 2, 3].map((start) => ({ start, end }))

/** Anything that is found in it stands for all of it. Slices that are no text are left out, and separate what they stand between. */
function* decodeRun(text: string, run: Run): Generator<void, Reading[]> {
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

/** JSON within JSON has its escapes twice, and anybody can write some. */
function* readEscapes(text: string): Generator<void, Reading[]> {
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
 * A line end in JSON within JSON, such as the result of a tool, is a backslash and a letter: with that, the word after it would be
 * another one. The same text with line ends in their place, character by character.
 */
function* readBlanks(text: string): Generator<void, Reading[]> {
  // Where others are decoded, these are too.
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

// A media type with its parameters is shorter than this; what has no comma by then is no data URL.
const maxHeadChars = 256
const percent = /%([0-9a-fA-F]{2})/g

/** Those that are written with percent signs: others have base64 in them, which is found anyway. */
function* readDataUrls(text: string): Generator<void, Reading[]> {
  const found: Reading[] = []
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

/** The text without what nobody sees, and with the letters that tag characters stand for. */
function* readInvisible(text: string): Generator<void, Reading[]> {
  if (!hidesText(text)) return []
  const found: Reading[] = []
  for (const readsTags of text.includes('\udb40') ? [true, false] : [false]) {
    const kept = new KeptCodes(text)
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

/** A number that JSON may have instead of plain digits: with a sign, a fraction of nothing, or an exponent. */
const spelled =
  /(?<![\w.)-])(?:-\d{12,40}|-?\d{12,40}\.0{1,40}|-?\d{1,40}(?:\.\d{1,40})?[eE]\+?\d{1,2})(?![\w.])/
const allSpelled = new RegExp(spelled, 'g')
/** As many as cards have, and accounts. Fewer would be prices and years. */
const minDigits = 12

/** The digits that such numbers stand for. */
function* readNumbers(text: string): Generator<void, Reading[]> {
  const found: Reading[] = []
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
