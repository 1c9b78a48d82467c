import { type CapturedText, type ContentCapture, captureBytes } from '../../resources/content/index.js'
import { scopeIdsOf } from '../../resources/keys/index.js'
import { responseJsonOf, type ToolAnswer } from './answer.js'
import type { EndedToolAttempt, ToolContent } from './call.js'

const refusedNote = 'Not captured: the call was not forwarded, so not all policies may have judged it'

/**
 * Captures the arguments and the result of a tool call, up to a maximum size. Called after the receipt was written, and only for tenants
 * that capture content. Messages during the call, such as progress, are not captured. Never fails.
 */
export function keepContent(
  { receivedAt, ...options }: ToolContent,
  {
    attempt: { call, entitlements, number },
    answer: { response, redactedJson, forwarded },
  }: EndedToolAttempt,
  capture: Pick<ContentCapture, 'add'>,
): void {
  const { tenantId, userId } = scopeIdsOf(entitlements)
  const { method } = call.request
  const isFull = options.mode === 'full'
  const params = isFull ? call.paramsJson : forwarded
  capture.add({
    ...options,
    tenantId,
    requestId: call.id,
    attempt: number,
    userId,
    capturedAt: receivedAt,
    request:
      params === null ? withheld : captureText(`{"method":${JSON.stringify(method)},"params":${params}}`),
    answer: readAnswer(response, isFull ? responseJsonOf(response) : redactedJson),
  })
}

const withheld: CapturedText = { text: '', bytes: 0, truncated: false, note: refusedNote }

/** An error of this service is not captured in redacted mode, because its message may repeat what a policy found. */
function readAnswer(response: ToolAnswer['response'], text: string | null): CapturedText | null {
  if (response === null || text === null) return null
  return captureText(`{"${'resultJson' in response ? 'result' : 'error'}":${text}}`)
}

const captureText = (json: string): CapturedText => captureBytes(Buffer.from(json))
