import { hash, randomBytes } from 'node:crypto'
import { type Dispatcher, request } from 'undici'
import { readTimeStampResponse, type TimeStamp, writeTimeStampRequest } from './time-stamp.js'

const timeoutMs = 10_000
// A token with its certificates has 2 to 10 kB.
const maxBytes = 256 * 1024
const nonceBytes = 16

/** Requests a time stamp for a signed checkpoint. Follows no redirect: the operator chose the authority. */
export async function requestTimeStamp(
  url: string,
  note: string,
  dispatcher?: Dispatcher,
): Promise<TimeStamp> {
  const digest = hash('sha256', note, 'buffer')
  const nonce = randomBytes(nonceBytes)
  const { statusCode, headers, body } = await request(url, {
    method: 'POST',
    ...(dispatcher && { dispatcher }),
    headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
    body: writeTimeStampRequest(digest, nonce),
    signal: AbortSignal.timeout(timeoutMs),
  })
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    const piece = Buffer.from(chunk)
    size += piece.length
    if (size > maxBytes) throw new Error('The time-stamp authority sent more than a time-stamp')
    chunks.push(piece)
  }
  if (statusCode !== 200) throw new Error(`The time-stamp authority answered ${statusCode}`)
  if (!String(headers['content-type']).startsWith('application/timestamp-reply'))
    throw new Error('The time-stamp authority answered with something else than a time-stamp')
  return readTimeStampResponse(Buffer.concat(chunks), { digest, nonce })
}
