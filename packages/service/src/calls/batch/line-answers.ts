import { asObject, isObject, parseObject } from '@tallystick/record/json'
import type { YieldToEventLoop } from '../../shared/slice-queue.js'

/** The provider's answer to a line. */
export interface LineAnswer {
  status: number
  body: Buffer
}

const prefix = 'line-'

/** Returns the id of a line at the provider. The caller's own id is not sent, because no policy has judged it. */
export const upstreamLineId = (line: number): string => prefix + line

function lineOf(id: unknown): number | null {
  if (typeof id !== 'string' || !id.startsWith(prefix)) return null
  const line = Number(id.slice(prefix.length))
  return Number.isSafeInteger(line) && line > 0 ? line : null
}

/**
 * Reads the answers in a file of the provider into `answers`, by line number. Lines that cannot be read are skipped and count as
 * unanswered. The first of two answers to one line is kept.
 */
export async function readAnswers(
  file: Buffer,
  answers: Map<number, LineAnswer>,
  yieldToEventLoop: YieldToEventLoop,
): Promise<void> {
  for (let start = 0; start < file.length; ) {
    const found = file.indexOf(0x0a, start)
    const end = found === -1 ? file.length : found
    const given = parseObject(file.subarray(start, end).toString())
    start = end + 1
    await yieldToEventLoop()
    const line = given && lineOf(given.custom_id)
    if (!given || line === null || answers.has(line)) continue
    const { status_code: status, body } = asObject(given.response)
    if (typeof status === 'number' && Number.isSafeInteger(status) && isObject(body))
      answers.set(line, { status, body: Buffer.from(JSON.stringify(body)) })
  }
}

/** Returns a line of the output file for the caller. */
export function writeAnswer(options: {
  callId: string
  customId: string
  status: number
  /** The body as JSON. */
  body: string
}): string {
  const { callId, customId, status, body } = options
  const head = JSON.stringify({ id: callId, custom_id: customId }).slice(0, -1)
  const response = `{"status_code":${status},"request_id":${JSON.stringify(callId)},"body":${body}}`
  return `${head},"response":${response},"error":null}\n`
}

/** Returns a line of the error file, for a line without an answer. */
export const writeError = (callId: string, customId: string, code: string, message: string): string =>
  `${JSON.stringify({ id: callId, custom_id: customId, response: null, error: { code, message } })}\n`
