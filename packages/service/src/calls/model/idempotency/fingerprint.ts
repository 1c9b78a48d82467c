import type { AnswerKeys } from '../../../resources/idempotency/index.js'
import type { YieldToEventLoop } from '../../../shared/slice-queue.js'
import { updateYielding } from '../../core/index.js'
import type { IncomingCall } from '../call.js'

type SentRequest = Pick<IncomingCall, 'url' | 'headers'> & { body: Buffer }

/**
 * Returns a fingerprint of the path, query and body of a request. Boundaries of forms are left out, because clients choose new ones for
 * each request.
 */
export async function fingerprintOf(
  { url, headers, body }: SentRequest,
  keys: AnswerKeys,
  yieldToEventLoop: YieldToEventLoop,
): Promise<Buffer> {
  const hash = keys.startFingerprint().update(`${url}\n`)
  for (const part of splitForm(body, headers['content-type'])) {
    hash.update(`${part.length}\n`)
    await updateYielding(hash, part, yieldToEventLoop)
  }
  return hash.digest()
}

// Far more parts than a form has. Further parts are compared including their boundaries.
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
