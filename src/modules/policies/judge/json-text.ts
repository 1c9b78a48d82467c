import type { Pace } from './pace.js'

/** A text as it is read, and where each of its characters stands in the text as it is written. */
export interface ReadText {
  text: string
  /** Undefined where both are the same. Has one more entry than the text: where it ends. */
  positions: Int32Array | undefined
}

const meanings: Record<string, string> = {
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
 * Reads what a JSON text says: `a\\u0040b.example` is an address in it, and a key has its line ends as `\\n`. What is not
 * valid, because it is cut off or no JSON after all, stands for itself.
 */
export function readJsonText(written: string): ReadText {
  if (!written.includes('\\')) return { text: written, positions: undefined }
  const reading = readInSteps(written)
  let step = reading.next()
  while (!step.done) step = reading.next()
  return step.value
}

/** The same for a long one: others get their turn meanwhile. */
export async function readLongJsonText(written: string, pace: Pace): Promise<ReadText> {
  if (!written.includes('\\')) return { text: written, positions: undefined }
  const reading = readInSteps(written)
  let step = reading.next()
  for (; !step.done; step = reading.next()) if (pace.isDue()) await pace.rest()
  return step.value
}

const escapesPerStep = 4_096

function* readInSteps(written: string): Generator<void, ReadText> {
  const positions = new Int32Array(written.length + 1)
  const steps: string[] = []
  let pieces: string[] = []
  let length = 0
  let at = 0
  for (let escapes = 1; at < written.length; escapes++) {
    const backslash = written.indexOf('\\', at)
    const end = backslash === -1 ? written.length : backslash
    pieces.push(written.slice(at, end))
    while (at < end) positions[length++] = at++
    if (backslash === -1) break
    const { character, width } = readEscape(written, backslash)
    pieces.push(character)
    positions[length++] = backslash
    at = backslash + width
    if (escapes % escapesPerStep !== 0) continue
    steps.push(pieces.join(''))
    pieces = []
    yield
  }
  positions[length] = written.length
  return { text: steps.join('') + pieces.join(''), positions }
}

function readEscape(written: string, at: number): { character: string; width: number } {
  const code = written.slice(at + 2, at + 6)
  if (written[at + 1] === 'u' && /^[0-9a-fA-F]{4}$/.test(code))
    return { character: String.fromCharCode(Number.parseInt(code, 16)), width: 6 }
  const meaning = meanings[written[at + 1] ?? '']
  return meaning === undefined ? { character: '\\', width: 1 } : { character: meaning, width: 2 }
}

/** What must stand in a JSON text for it to say this. */
export const writeJsonText = (text: string): string => JSON.stringify(text).slice(1, -1)
