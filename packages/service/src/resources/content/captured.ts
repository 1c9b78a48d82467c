import type { Buffer } from 'node:buffer'

/** The stored content of one side of a call. */
export interface CapturedText {
  /** JSON, unless it was cut or is something else. */
  text: string
  /** Its length in UTF-8 before it was cut. */
  bytes: number
  /** True when only the beginning is stored. */
  truncated: boolean
  /** Further information that a reader needs to understand it. */
  note: string | null
}

/** One attempt of a call, to be stored. */
export interface CapturedAttempt {
  tenantId: string
  requestId: string
  attempt: number
  /** The user of the call, as in its receipt. */
  userId: string | null
  capturedAt: Date
  mode: 'redacted' | 'full'
  /** The entry of the record that announced the mode. */
  modeSeq: number
  /** The last erasure that was known when the call began. */
  erasedTo: number
  /** Null when nothing may be stored, or there was none. */
  request: CapturedText | null
  answer: CapturedText | null
}

/** The maximum for one side. Longer requests mostly contain files and images in base64. */
export const maxSideBytes = 256 * 1024

/** Copies the part that is stored, so that the whole body can be released with the call. */
export function captureBytes(bytes: Buffer, note: string | null = null): CapturedText {
  const truncated = bytes.length > maxSideBytes
  const kept = truncated ? bytes.subarray(0, endOfCharacter(bytes, maxSideBytes)) : bytes
  return { text: kept.toString(), bytes: bytes.length, truncated, note }
}

/** Returns the largest position up to `max` that is not inside a character. */
function endOfCharacter(bytes: Buffer, max: number): number {
  let end = max
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return end
}
