import { ApiError, invalidField, invalidRequest } from '../../shared/errors.js'
import type { YieldToEventLoop } from '../../shared/slice-queue.js'
import { readBodyObject } from '../model/call.js'

/** One line of the input file of a batch. Each is a call. */
export interface BatchLine {
  /** The line number in the file, from 1. */
  number: number
  customId: string
  /** The body of the call, byte for byte. */
  body: Buffer
}

export const maxLines = 10_000
const maxCustomIdChars = 256
const newline = 0x0a
const names = ['custom_id', 'method', 'url', 'body']

/** Reads and validates the lines of an input file. All of them must name `endpoint` as their URL. */
export async function readLines(
  file: Buffer,
  endpoint: string,
  yieldToEventLoop: YieldToEventLoop,
): Promise<BatchLine[]> {
  const lines: BatchLine[] = []
  const seen = new Set<string>()
  let number = 0
  for (let start = 0; start < file.length; ) {
    const found = file.indexOf(newline, start)
    const end = found === -1 ? file.length : found
    const bytes = file.subarray(start, end)
    start = end + 1
    number++
    if (isBlank(bytes)) continue
    if (lines.length === maxLines)
      throw invalidRequest(`The file has more than ${maxLines} lines; split it into several`)
    const line = await atLine(number, () => readLine(number, bytes, endpoint, yieldToEventLoop))
    if (seen.has(line.customId))
      throw invalidRequest(`Line ${number} of the file: custom_id is the same as that of an earlier line`)
    seen.add(line.customId)
    lines.push(line)
  }
  if (lines.length === 0) throw invalidRequest('The file has no lines')
  return lines
}

/** Adds the line number to the message of an `ApiError` that `act` throws. */
export async function atLine<T>(number: number, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new ApiError(error.type, `Line ${number} of the file: ${error.message}`, error.extras, {
      cause: error,
    })
  }
}

async function readLine(
  number: number,
  bytes: Buffer,
  endpoint: string,
  yieldToEventLoop: YieldToEventLoop,
): Promise<BatchLine> {
  const { body: line, members } = await readBodyObject(bytes, { yieldToEventLoop })
  const unknown = members.find(({ name }) => !names.includes(name))
  if (unknown) throw invalidField(unknown.name, 'is not a known member of a line')
  if (members.length !== names.length || Object.keys(line).length !== names.length)
    throw invalidRequest(`A line must have exactly the members ${names.join(', ')}`)
  const { custom_id: customId, method, url } = line
  if (typeof customId !== 'string' || customId === '' || customId.length > maxCustomIdChars)
    throw invalidField('custom_id', `must have 1 to ${maxCustomIdChars} characters`)
  if (method !== 'POST') throw invalidField('method', 'must be POST')
  if (url !== endpoint) throw invalidField('url', `must be ${endpoint}, the endpoint of the batch`)
  const body = members.find(({ name }) => name === 'body')
  if (body === undefined) throw invalidField('body', 'is missing')
  return { number, customId, body: bytes.subarray(body.valueStart, body.valueEnd) }
}

const isBlank = (bytes: Buffer): boolean =>
  bytes.every((byte) => byte === 0x20 || byte === 0x0d || byte === 0x09)
