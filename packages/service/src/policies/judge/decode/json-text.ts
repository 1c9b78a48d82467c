import type { WorkTimer } from '../work-timer.js'

/** A text with its escapes decoded, and the position of each character in the encoded text. */
export interface DecodedText {
  text: string
  /** Undefined if both texts are the same. Has one more entry than the text, for its end. */
  positions: Int32Array | undefined
}

const escapedCharacters: Record<string, string> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  '"': '"',
  '\\': '\\',
  '/': '/',
}

/**
 * Decodes the escapes of a text that is JSON: `a\\u0040b.example` is an address in it, and a key has its line ends as `\\n`.
 * Escapes that are not valid, because they are cut off or the text is not JSON, are kept as they are.
 */
export function decodeJsonText(encoded: string): DecodedText {
  if (!encoded.includes('\\')) return { text: encoded, positions: undefined }
  const steps = decodeInSteps(encoded)
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

/** Decodes a long text and yields to other calls between steps. */
export async function decodeLongJsonText(encoded: string, timer: WorkTimer): Promise<DecodedText> {
  if (!encoded.includes('\\')) return { text: encoded, positions: undefined }
  const steps = decodeInSteps(encoded)
  let step = steps.next()
  for (; !step.done; step = steps.next()) if (timer.shouldYield()) await timer.yieldToOthers()
  return step.value
}

const escapesPerStep = 4_096

/** Decodes a text step by step. */
export function* decodeInSteps(encoded: string): Generator<void, DecodedText> {
  const positions = new Int32Array(encoded.length + 1)
  const decodedSteps: string[] = []
  let pieces: string[] = []
  let length = 0
  let at = 0
  for (let escapes = 1; at < encoded.length; escapes++) {
    const backslash = encoded.indexOf('\\', at)
    const end = backslash === -1 ? encoded.length : backslash
    pieces.push(encoded.slice(at, end))
    while (at < end) positions[length++] = at++
    if (backslash === -1) break
    const { character, width } = decodeEscape(encoded, backslash)
    pieces.push(character)
    positions[length++] = backslash
    at = backslash + width
    if (escapes % escapesPerStep !== 0) continue
    decodedSteps.push(pieces.join(''))
    pieces = []
    yield
  }
  positions[length] = encoded.length
  return { text: decodedSteps.join('') + pieces.join(''), positions }
}

function decodeEscape(encoded: string, at: number): { character: string; width: number } {
  const code = encoded.slice(at + 2, at + 6)
  if (encoded[at + 1] === 'u' && /^[0-9a-fA-F]{4}$/.test(code))
    return { character: String.fromCharCode(Number.parseInt(code, 16)), width: 6 }
  const character = escapedCharacters[encoded[at + 1] ?? '']
  return character === undefined ? { character: '\\', width: 1 } : { character, width: 2 }
}

/** A span of JSON. If it is within a number, the whole number is replaced by a string. */
export interface WidenedSpan {
  start: number
  end: number
  isNumber?: boolean
}

/** Widens spans within a JSON number to the whole number. The spans must be in order. */
export function widenNumbers<T extends WidenedSpan>(text: string, spans: readonly T[]): T[] {
  let nextQuote = text.indexOf('"')
  let isInString = false
  // Many spans may be in one run of digits, which is only read once.
  let run = { start: 0, end: 0, isNumber: false }
  return spans.map((span) => {
    for (; nextQuote !== -1 && nextQuote < span.start; nextQuote = text.indexOf('"', nextQuote + 1))
      if (!isInString || !isEscaped(text, nextQuote)) isInString = !isInString
    if (isInString) return span
    if (span.end > run.end) run = findNumber(text, span)
    return run.isNumber ? { ...span, ...run } : span
  })
}

function findNumber(text: string, span: WidenedSpan): { start: number; end: number; isNumber: boolean } {
  let { start, end } = span
  while (isOfNumber(text.charAt(start - 1))) start--
  while (isOfNumber(text.charAt(end))) end++
  return { start, end, isNumber: /^-?\d[\d.eE+-]*$/.test(text.slice(start, end)) }
}

const isOfNumber = (character: string): boolean => character !== '' && '0123456789.eE+-'.includes(character)

function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0
  while (text[quote - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}

/** Encodes a text for use inside a JSON string. */
export const encodeJsonText = (text: string): string => JSON.stringify(text).slice(1, -1)
