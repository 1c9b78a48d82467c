import { promisify } from 'node:util'
import { deflate, inflate } from 'node:zlib'
import { asObject, asText, isObject, parseObject, readCount } from '@tallystick/record/json'
import { type SealedLocation, type Secrets, undecryptable } from '../../secrets/index.js'
import { type CapturedAttempt, type CapturedText, maxSideBytes } from './captured.js'

/** The parts of an attempt that are sealed. */
export type SealedContent = Pick<CapturedAttempt, 'mode' | 'request' | 'answer'>

type ContentId = Pick<CapturedAttempt, 'tenantId' | 'requestId' | 'attempt'>

const locationOf = ({ tenantId, requestId, attempt }: ContentId): SealedLocation => ({
  purpose: 'call_content.sealed',
  tenantId,
  rowId: `${requestId} ${attempt}`,
})

// Runs in the thread pool: half a megabyte takes tens of milliseconds.
const compress = promisify(deflate)
const decompress = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate)

// A character in JSON within JSON takes up to 7 bytes (`\\u0000`), on both sides.
const maxPlainBytes = 2 * 7 * maxSideBytes + 4_096

export async function sealContent(attempt: CapturedAttempt, secrets: Secrets): Promise<Buffer> {
  const { mode, request, answer } = attempt
  const content: SealedContent = { mode, request, answer }
  return await secrets.seal(locationOf(attempt), await compress(JSON.stringify(content)))
}

export async function openContent(
  id: ContentId,
  sealed: Buffer,
  secrets: Secrets,
): Promise<SealedContent | typeof undecryptable> {
  const opened = await secrets.open(locationOf(id), sealed)
  if (opened === undecryptable) return undecryptable
  const plain = await decompress(opened, { maxOutputLength: maxPlainBytes }).catch(() => null)
  return (plain && readContent(plain.toString())) ?? undecryptable
}

function readContent(json: string): SealedContent | null {
  const content = parseObject(json)
  const mode = content?.mode
  if (content === null || (mode !== 'redacted' && mode !== 'full')) return null
  return { mode, request: readText(content.request), answer: readText(content.answer) }
}

function readText(value: unknown): CapturedText | null {
  if (!isObject(value)) return null
  const { text, bytes, truncated, note } = asObject(value)
  return {
    text: asText(text),
    bytes: readCount(bytes) ?? 0,
    truncated: truncated === true,
    note: typeof note === 'string' ? note : null,
  }
}
