import type { ApiError } from '../errors.js'
import type { JsonObject } from '../json/index.js'
import {
  type CapturedText,
  type CaptureTerms,
  type ContentCapture,
  captureBytes,
} from '../modules/content/index.js'
import { type Entitlements, scopeIdsOf } from '../modules/keys/index.js'
import type { Dialect } from '../providers/index.js'

/** What the caller gets to see of an answer, for its content. */
export interface SentAnswer {
  /** As bytes or as an object; `redacted`: without what policies put back for the caller. */
  read(mode: CaptureTerms['mode']): Buffer | JsonObject
  /** Characters that are left out of that already. */
  omittedChars?: number
  /** What a reader must know to understand it. */
  note: string | null
}

interface Ended {
  sent: SentAnswer | null
  error: ApiError | null
}

/** Sent before the answer was complete. */
export const cutNote = 'The caller saw only this much of it'

const refusedNote = 'It was not forwarded, so that not all policies may have judged it: nothing of it is kept'

/**
 * What is kept of a call. Only what was forwarded is without what policies redacted: where that is wanted, nothing is kept of
 * a call that was refused.
 */
export class CallContent {
  readonly mode: CaptureTerms['mode']
  readonly #terms: CaptureTerms
  readonly #requestId: string
  readonly #raw: Buffer
  readonly #dialect: Pick<Dialect, 'errorBody'>
  #entitlements: Entitlements
  readonly #capturedAt = new Date()
  #forwarded: CapturedText | null = null

  constructor(
    terms: CaptureTerms,
    { id, raw, dialect }: { id: string; raw: Buffer; dialect: Pick<Dialect, 'errorBody'> },
    entitlements: Entitlements,
  ) {
    this.mode = terms.mode
    this.#terms = terms
    this.#requestId = id
    this.#raw = raw
    this.#dialect = dialect
    this.#entitlements = entitlements
  }

  /** The request as it goes to the provider, and whose it is by then. */
  forward(body: Buffer, entitlements: Entitlements): void {
    this.#entitlements = entitlements
    if (this.mode === 'redacted') this.#forwarded = captureBytes(body)
  }

  /** The receipt is durable, and the caller has the answer. */
  keep({ sent, error }: Ended, attempt: number, capture: Pick<ContentCapture, 'add'>): void {
    const { tenantId, userId } = scopeIdsOf(this.#entitlements)
    const isFull = this.mode === 'full'
    capture.add({
      ...this.#terms,
      tenantId,
      requestId: this.#requestId,
      attempt,
      userId,
      capturedAt: this.#capturedAt,
      request: isFull ? captureBytes(this.#raw) : (this.#forwarded ?? withheld),
      // Words of our own; a policy's may repeat what it found.
      answer: sent
        ? readSent(sent, this.mode)
        : isFull && error
          ? captureJson(this.#dialect.errorBody(error.toBody()))
          : null,
    })
  }
}

const withheld: CapturedText = { text: '', bytes: 0, truncated: false, note: refusedNote }

const unreadableNote = 'It could not be put together'

/** A provider may send anything. Whatever an error it causes, the call has its end. */
function readSent(sent: SentAnswer, mode: CaptureTerms['mode']): CapturedText {
  try {
    const answer = sent.read(mode)
    const { omittedChars = 0, note } = sent
    const captured = Buffer.isBuffer(answer) ? captureBytes(answer, note) : captureJson(answer, note)
    if (omittedChars === 0) return captured
    return { ...captured, bytes: captured.bytes + omittedChars, truncated: true }
  } catch {
    return { ...withheld, note: unreadableNote }
  }
}

const captureJson = (value: object, note: string | null = null): CapturedText =>
  captureBytes(Buffer.from(JSON.stringify(value)), note)
