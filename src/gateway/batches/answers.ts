import { asObject, isObject, parseObject } from '../../json/index.js'
import type { WaitForTurn } from '../../turns.js'

/** What the provider answered to a line. */
export interface LineAnswer {
  status: number
  body: Buffer
}

const prefix = 'line-'

/** The id of a line at the provider: not the caller's, whose words no policy has read. */
export const upstreamLineId = (line: number): string => prefix + line

function lineOf(id: unknown): number | null {
  if (typeof id !== 'string' || !id.startsWith(prefix)) return null
  const line = Number(id.slice(prefix.length))
  return Number.isSafeInteger(line) && line > 0 ? line : null
}

/**
 * The answers in a file of the provider's, by line. What cannot be read is left out: such a line counts as not answered. Of two answers
 * to one line the first stands.
 */
export async function readAnswers(
  file: Buffer,
  answers: Map<number, LineAnswer>,
  waitForTurn: WaitForTurn,
): Promise<void> {
  for (let start = 0; start < file.length; ) {
    const found = file.indexOf(0x0a, start)
    const end = found === -1 ? file.length : found
    const given = parseObject(file.subarray(start, end).toString())
    start = end + 1
    await waitForTurn()
    const line = given && lineOf(given.custom_id)
    if (!given || line === null || answers.has(line)) continue
    const { status_code: status, body } = asObject(given.response)
    if (typeof status === 'number' && Number.isSafeInteger(status) && isObject(body))
      answers.set(line, { status, body: Buffer.from(JSON.stringify(body)) })
  }
}

/** A line of the file that the caller gets. */
export function writeAnswer(options: {
  callId: string
  customId: string
  status: number
  /** JSON. */
  body: string
}): string {
  const { callId, customId, status, body } = options
  const head = JSON.stringify({ id: callId, custom_id: customId }).slice(0, -1)
  const response = `{"status_code":${status},"request_id":${JSON.stringify(callId)},"body":${body}}`
  return `${head},"response":${response},"error":null}\n`
}

/** A line of the file of errors: there is no answer to it. */
export const writeError = (callId: string, customId: string, code: string, message: string): string =>
  `${JSON.stringify({ id: callId, custom_id: customId, response: null, error: { code, message } })}\n`
