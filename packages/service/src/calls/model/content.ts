import type { JsonObject } from '@tallystick/record/json'
import type { Endpoint } from '../../providers/index.js'
import {
  type CapturedText,
  type CaptureSettings,
  type ContentCapture,
  captureBytes,
} from '../../resources/content/index.js'
import { type Entitlements, scopeIdsOf } from '../../resources/keys/index.js'
import type { ApiError } from '../../shared/errors.js'

/** What the caller sees of an answer, for content capture. */
export interface SentAnswer {
  /** Returns the answer. In `redacted` mode it lacks the values that policies restored for the caller. */
  read(mode: CaptureSettings['mode']): Buffer | JsonObject
  /** The number of characters that were already left out. */
  omittedChars?: number
  /** A note for the reader. Null when there is none. */
  note: string | null
}

interface Ended {
  sent: SentAnswer | null
  error: ApiError | null
}

/** The note for an answer that was cut short. */
export const cutNote = 'Incomplete: the caller received only this part'

const refusedNote = 'Not captured: the call was not forwarded, so not all policies may have judged it'

/**
 * Captures the content of a call. In `redacted` mode the request is captured as it was forwarded, so nothing is captured of a call that was
 * refused.
 */
export class CallContent {
  readonly mode: CaptureSettings['mode']
  readonly #settings: CaptureSettings
  readonly #requestId: string
  readonly #raw: Buffer
  readonly #endpoint: Pick<Endpoint, 'errorBody'>
  #entitlements: Entitlements
  readonly #capturedAt = new Date()
  #forwarded: CapturedText | null = null

  constructor(
    settings: CaptureSettings,
    { id, raw, endpoint }: { id: string; raw: Buffer; endpoint: Pick<Endpoint, 'errorBody'> },
    entitlements: Entitlements,
  ) {
    this.mode = settings.mode
    this.#settings = settings
    this.#requestId = id
    this.#raw = raw
    this.#endpoint = endpoint
    this.#entitlements = entitlements
  }

  /** Called with the forwarded request and the current entitlements. */
  forward(body: Buffer, entitlements: Entitlements): void {
    this.#entitlements = entitlements
    if (this.mode === 'redacted') this.#forwarded = captureBytes(body)
  }

  /** Stores the content. Called once the receipt is durable and the caller has the answer. */
  keep({ sent, error }: Ended, attempt: number, capture: Pick<ContentCapture, 'add'>): void {
    const { tenantId, userId } = scopeIdsOf(this.#entitlements)
    const isFull = this.mode === 'full'
    capture.add({
      ...this.#settings,
      tenantId,
      requestId: this.#requestId,
      attempt,
      userId,
      capturedAt: this.#capturedAt,
      request: isFull ? captureBytes(this.#raw) : (this.#forwarded ?? withheld),
      // Errors of this service are captured only in `full` mode, because a policy's message may repeat what it found.
      answer: sent
        ? readSent(sent, this.mode)
        : isFull && error
          ? captureJson(this.#endpoint.errorBody(error.toBody()))
          : null,
    })
  }
}

const withheld: CapturedText = { text: '', bytes: 0, truncated: false, note: refusedNote }

const unreadableNote = 'The answer could not be assembled'

/** Reads the answer. Never throws, although a provider may send anything. */
function readSent(sent: SentAnswer, mode: CaptureSettings['mode']): CapturedText {
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
