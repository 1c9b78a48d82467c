import type { Run } from './base64-runs.js'

/** A decoded form of a text or of a part of it. It is judged in addition to the text itself. */
export interface Decoding {
  text: string
  /** Maps a span of the decoded text to the span of the original that it was decoded from. */
  toSpan(start: number, end: number): Run
}
