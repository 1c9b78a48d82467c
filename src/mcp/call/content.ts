import {
  type CapturedText,
  type CaptureTerms,
  type ContentCapture,
  captureBytes,
} from '../../modules/content/index.js'
import { scopeIdsOf } from '../../modules/keys/index.js'
import type { Ended } from './exchange.js'
import type { ReceivedTool } from './received.js'

/** How a call of a tool ended, for what is kept of it. */
export interface KeptTool {
  /** Which attempt it was, from 1. */
  number: number
  /** The params as they went to the server; null where nothing was forwarded. */
  forwarded: string | null
  ended: Pick<Ended, 'given' | 'kept'>
}

const refusedNote = 'It was not forwarded, so that not all policies may have judged it: nothing of it is kept'

/**
 * Keeps what a call of a tool said, where its tenant wants that: arguments and result, in bounds, after its receipt. What was sent to the
 * server and to the caller on the way, such as progress, is not kept. Never fails.
 */
export function keepContent(
  terms: CaptureTerms,
  { id, request: { method }, paramsJson, entitlements, receivedAt }: ReceivedTool,
  { number, forwarded, ended: { given, kept } }: KeptTool,
  capture: Pick<ContentCapture, 'add'>,
): void {
  const { tenantId, userId } = scopeIdsOf(entitlements)
  const isFull = terms.mode === 'full'
  const asked = isFull ? paramsJson : forwarded
  capture.add({
    ...terms,
    tenantId,
    requestId: id,
    attempt: number,
    userId,
    capturedAt: receivedAt,
    request:
      asked === null ? withheld : captureText(`{"method":${JSON.stringify(method)},"params":${asked}}`),
    answer: readAnswer(given, isFull ? textOf(given) : kept),
  })
}

const withheld: CapturedText = { text: '', bytes: 0, truncated: false, note: refusedNote }

/** Words of our own are not kept beside what policies redacted: they may repeat what was found. */
function readAnswer(given: Ended['given'], text: string | null): CapturedText | null {
  if (given === null || text === null) return null
  return captureText(`{"${'resultJson' in given ? 'result' : 'error'}":${text}}`)
}

const textOf = (given: Ended['given']): string | null =>
  given === null ? null : 'resultJson' in given ? given.resultJson : given.errorJson

const captureText = (json: string): CapturedText => captureBytes(Buffer.from(json))
