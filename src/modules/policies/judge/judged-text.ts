import { type DecodedText, decodeJsonText, decodeLongJsonText } from './json-text.js'
import type { WorkTimer } from './work-timer.js'

export interface JudgedText {
  text: string
  /** Whether the text is itself JSON. */
  json: boolean
  /** The answer repeats a part of the request here. It is not judged, but what was redacted from the request is restored. */
  isEcho?: boolean
}

/** Decoding as much takes some milliseconds at most. */
const maxUnyieldingChars = 65_536

/** The text as its reader will understand it: JSON without its escapes. */
export async function decodeText(text: JudgedText, timer: WorkTimer): Promise<DecodedText> {
  return text.json && text.text.length > maxUnyieldingChars
    ? await decodeLongJsonText(text.text, timer)
    : decodeShortText(text)
}

/** The same without yielding. */
export const decodeShortText = ({ text, json }: JudgedText): DecodedText =>
  json ? decodeJsonText(text) : { text, positions: undefined }
