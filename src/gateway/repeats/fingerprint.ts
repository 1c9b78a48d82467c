import { addInTurns } from '../../governed/index.js'
import type { AnswerKeys } from '../../modules/idempotency/index.js'
import type { WaitForTurn } from '../../turns.js'
import type { IncomingCall } from '../call.js'

type Asked = Pick<IncomingCall, 'url' | 'headers'> & { body: Buffer }

/** What recognises the same request: its path, query and body, byte for byte but for the boundary of a form, which clients choose anew. */
export async function fingerprintOf(
  { url, headers, body }: Asked,
  keys: AnswerKeys,
  waitForTurn: WaitForTurn,
): Promise<Buffer> {
  const hash = keys.startFingerprint().update(`${url}\n`)
  for (const part of splitForm(body, headers['content-type'])) {
    hash.update(`${part.length}\n`)
    await addInTurns(hash, part, waitForTurn)
  }
  return hash.digest()
}

// Far more than a form has: what is beyond that is compared with its boundaries.
const maxParts = 1_000
const boundaryOf = /^multipart\/form-data\b.*?;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i

function* splitForm(body: Buffer, contentType = ''): Generator<Buffer> {
  const found = boundaryOf.exec(contentType)
  const boundary = found?.[1] ?? found?.[2]
  let at = 0
  for (let parts = 1; boundary !== undefined && parts < maxParts; parts++) {
    const end = body.indexOf(`--${boundary}`, at, 'latin1')
    if (end === -1) break
    yield body.subarray(at, end)
    at = end + boundary.length + 2
  }
  yield body.subarray(at)
}
