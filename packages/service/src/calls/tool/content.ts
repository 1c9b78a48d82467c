import { type CapturedText, type ContentCapture, captureBytes } from '../../resources/content/index.js'
import { scopeIdsOf } from '../../resources/keys/index.js'
import { givenJson, type ToolAnswer } from './answer.js'
import type { EndedToolAttempt, ToolContent } from './call.js'

const refusedNote = 'It was not forwarded, so that not all policies may have judged it: nothing of it is kept'

/**
 * Captures the arguments and the result of a tool call, up to a maximum size. Called after the receipt was written, and only for tenants
 * that capture content. Messages during the call, such as progress, are not captured. Never fails.
 */
export function keepContent(
  { receivedAt, ...options }: ToolContent,
  { attempt: { call, entitlements, number }, answer: { given, kept, forwarded } }: EndedToolAttempt,
  capture: Pick<ContentCapture, 'add'>,
): void {
  const { tenantId, userId } = scopeIdsOf(entitlements)
  const { method } = call.request
  const isFull = options.mode === 'full'
  const asked = isFull ? call.paramsJson : forwarded
  capture.add({
    ...options,
    tenantId,
    requestId: call.id,
    attempt: number,
    userId,
    capturedAt: receivedAt,
    request:
      asked === null ? withheld : captureText(`{"method":${JSON.stringify(method)},"params":${asked}}`),
    answer: readAnswer(given, isFull ? givenJson(given) : kept),
  })
}

const withheld: CapturedText = { text: '', bytes: 0, truncated: false, note: refusedNote }

/** An error of this service is not captured in redacted mode, because its message may repeat what a policy found. */
function readAnswer(given: ToolAnswer['given'], text: string | null): CapturedText | null {
  if (given === null || text === null) return null
  return captureText(`{"${'resultJson' in given ? 'result' : 'error'}":${text}}`)
}

const captureText = (json: string): CapturedText => captureBytes(Buffer.from(json))
