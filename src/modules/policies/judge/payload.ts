import { decodeSlices, stepChars } from './decode-bytes.js'
import type { JudgedText } from './judged-text.js'
import type { WorkTimer } from './work-timer.js'

/** Shorter ones could be a secret, and cost little to judge. */
const minPayloadChars = 256
const dataUrl = /^data:[^,\s]{0,256};base64,/i
const lines = /^[A-Za-z0-9+/_\r\n-]*$/
const lastLines = /^[A-Za-z0-9+/_\r\n-]*={0,2}[\r\n]*$/

/**
 * What must be judged of a text that may be bytes: all of it, unless it is base64 of something that is no text. Then only
 * what stands before that, such as its media type.
 */
export function trimPayload(text: JudgedText): JudgedText {
  if (text.sort !== 'payload') return text
  const steps = measureInSteps(text.text)
  let step = steps.next()
  while (!step.done) step = steps.next()
  return trim(text, step.value)
}

/** The same for a long text, yielding to other calls between steps. */
export async function trimLongPayload(text: JudgedText, timer: WorkTimer): Promise<JudgedText> {
  const steps = measureInSteps(text.text)
  let step = steps.next()
  for (; !step.done; step = steps.next()) if (timer.shouldYield()) await timer.yieldToOthers()
  return trim(text, step.value)
}

/** Nothing can be put in the place of a part of it. */
const trim = ({ text, json, isEcho = false, sort = 'payload' }: JudgedText, length: number): JudgedText =>
  length === text.length
    ? { text, json, isEcho, sort }
    : { text: text.slice(0, length), json, isEcho, sort: 'fixed' }

function* measureInSteps(text: string): Generator<void, number> {
  if (text.length < minPayloadChars) return text.length
  const head = dataUrl.exec(text)?.[0].length ?? 0
  for (let at = head; at < text.length; at += stepChars) {
    const slice = text.slice(at, at + stepChars)
    if (!(at + stepChars < text.length ? lines : lastLines).test(slice)) return text.length
    if (at > head) yield
  }
  const said = yield* decodeSlices(text.slice(head))
  return said.length > 0 || head === text.length ? text.length : head
}
