import type { JudgedText } from '../judged-text.js'
import type { WorkTimer } from '../work-timer.js'
import type { Run } from './base64-runs.js'
import { decodeSlices, stepChars } from './decode-bytes.js'
import { findReadable, windowChars } from './readable-stretches.js'

/** Shorter payloads may be a secret, and cost little to judge. */
const minPayloadChars = windowChars
const dataUrl = /^data:[^,\s]{0,256};base64,/i
/** Either alphabet, but not both. */
const encoded = /^(?:[A-Za-z0-9+/\r\n]*|[A-Za-z0-9_\r\n-]*)$/
const encodedEnd = /^(?:[A-Za-z0-9+/\r\n]*|[A-Za-z0-9_\r\n-]*)={0,2}[\r\n]*$/
/** The lines that encoders write (MIME, PEM). Lines of any other length are a list of something. */
const firstLine = /^(?:[^\r\n]{64}|[^\r\n]{76})(\r?\n)/

/**
 * Returns the part of a payload that must be judged: all of it, unless it is base64, written as encoders do, of something that is not text.
 * Then only what stands before that, such as its media type, and stretches of it that could be read as they stand.
 */
export function trimPayload(text: JudgedText): JudgedText {
  if (text.kind !== 'payload') return text
  const steps = measureInSteps(text.text)
  let step = steps.next()
  while (!step.done) step = steps.next()
  return trim(text, step.value)
}

/** Trims a long payload and yields to other calls between steps. */
export async function trimLongPayload(text: JudgedText, timer: WorkTimer): Promise<JudgedText> {
  const steps = measureInSteps(text.text)
  let step = steps.next()
  for (; !step.done; step = steps.next()) if (timer.shouldYield()) await timer.yieldToOthers()
  return trim(text, step.value)
}

/** Returns the judged parts as a text that cannot be redacted in part. */
function trim({ text, json, isEcho = false, kind = 'payload' }: JudgedText, judged: Run[]): JudgedText {
  const [first] = judged
  if (first && first.start === 0 && first.end >= text.length) return { text, json, isEcho, kind }
  const parts = judged.map(({ start, end }) => text.slice(start, end))
  return { text: parts.join('\n'), json, isEcho, kind: 'fixed' }
}

/** Returns the parts that must be judged. */
function* measureInSteps(text: string): Generator<void, Run[]> {
  const whole = [{ start: 0, end: text.length }]
  if (text.length < minPayloadChars) return whole
  const head = dataUrl.exec(text)?.[0].length ?? 0
  if (head === text.length || !isInLines(text, head)) return whole
  const readable: Run[] = head === 0 ? [] : [{ start: 0, end: head }]
  for (let at = head; at < text.length; at += stepChars) {
    const to = Math.min(text.length, at + stepChars)
    if (!(to < text.length ? encoded : encodedEnd).test(text.slice(at, to))) return whole
    readable.push(...findReadable(text, at, to))
    if (at > head) yield
  }
  const decoded = yield* decodeSlices(text.slice(head))
  return decoded.length > 0 ? whole : joinStretches(readable)
}

/** True for a single line, or lines of a length that encoders write. */
function isInLines(text: string, from: number): boolean {
  const lineEnd = text.indexOf('\n', from)
  if (lineEnd === -1) return !text.includes('\r', from)
  // A single line end at the end of the text is allowed.
  if (lineEnd >= text.length - 2)
    return (
      text
        .slice(from)
        .trimEnd()
        .search(/[\r\n]/) === -1
    )
  const first = firstLine.exec(text.slice(from, from + 80))
  if (first === null) return false
  const [line, end = '\n'] = first
  const body = text.slice(from).trimEnd()
  for (let at = line.length; at < body.length; at += line.length) {
    const next = body.indexOf(end, at)
    if (next !== -1 && next !== at + line.length - end.length) return false
    if (next === -1 && body.length - at > line.length - end.length) return false
  }
  return true
}

/** Joins stretches that overlap or touch. */
function joinStretches(stretches: readonly Run[]): Run[] {
  const joined: Run[] = []
  for (const { start, end } of stretches) {
    const last = joined.at(-1)
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else joined.push({ start, end })
  }
  return joined
}
