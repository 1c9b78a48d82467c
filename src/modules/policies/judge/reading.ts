import type { Run } from './base64-runs.js'

/** What a text, or a part of it, says once it is decoded. It is judged beside the text itself. */
export interface Reading {
  text: string
  /** Which part of the text a part of the reading was read from. */
  toSpan(start: number, end: number): Run
}
