import type { Buffer } from 'node:buffer'

/** What is kept of one side of a call. */
export interface CapturedText {
  /** JSON, unless it was cut or is something else. */
  text: string
  /** How long it was in UTF-8, before it was cut. */
  bytes: number
  /** Only the beginning is kept. */
  truncated: boolean
  /** What else a reader must know to understand it. */
  note: string | null
}

/** One attempt of a call, to be kept. */
export interface CapturedAttempt {
  tenantId: string
  requestId: string
  attempt: number
  /** Whose call it is, as in its receipt. */
  userId: string | null
  capturedAt: Date
  mode: 'redacted' | 'full'
  /** The entry of the record that announced the mode. */
  modeSeq: number
  /** The last erasure that was known when the call began. */
  erasedTo: number
  /** Null where nothing of it may be kept, or there was none. */
  request: CapturedText | null
  answer: CapturedText | null
}

/** Of one side. Longer requests are mostly files and pictures in base64. */
export const maxSideBytes = 256 * 1024

/** Copies what is kept: the bytes themselves may be many more, and are let go with the call. */
export function captureBytes(bytes: Buffer, note: string | null = null): CapturedText {
  const truncated = bytes.length > maxSideBytes
  const kept = truncated ? bytes.subarray(0, endOfCharacter(bytes, maxSideBytes)) : bytes
  return { text: kept.toString(), bytes: bytes.length, truncated, note }
}

/** The largest position up to `max` that is not inside a character. */
function endOfCharacter(bytes: Buffer, max: number): number {
  let end = max
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return end
}
