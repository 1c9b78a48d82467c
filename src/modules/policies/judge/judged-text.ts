import { type DecodedText, decodeJsonText, decodeLongJsonText } from './json-text.js'
import type { WorkTimer } from './work-timer.js'

export interface JudgedText {
  text: string
  /** Whether the text is itself JSON. */
  json: boolean
  /** The answer repeats a part of the request here. It is not judged, but what was redacted from the request is restored. */
  isEcho?: boolean
  /**
   * What else it is; plain text, if left out. `payload`: it may be bytes, written as base64, and is left alone if they are no
   * text. `fixed`: a word, a number or a header that nothing can be put in the place of, so what must be redacted from it
   * blocks the call. `model`: the same, but the name of the model that was asked is not judged. `number`: it is redacted as a whole.
   */
  sort?: 'text' | 'payload' | 'fixed' | 'model' | 'number'
}

/** Words and then random letters and digits, or a UUID: what machines make. `EMP-123456` is none, nor is any number. */
const machineId =
  /^(?:[a-z]{1,16}[-_]){0,3}(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|fp_[0-9a-f]{10}|(?=[A-Za-z]*[0-9])(?=[0-9]*[A-Za-z])[A-Za-z0-9]{4,80})$/
/** As models are called, by whoever names one. */
const modelName = /^[a-z0-9][\w.:/@-]{0,127}$/i

/** Whether a text is the id that a machine gave to something, or the name of a model. */
export const isId = ({ sort, text }: JudgedText): boolean =>
  (sort === 'fixed' && machineId.test(text)) || (sort === 'model' && modelName.test(text))

/** Vendors add the date of a model's version to its name. */
const version = /^[-@:](?:\d{1,8}|\d{4}-\d{2}-\d{2}|[\d.]{1,6})$/

/** Whether a text is a name of the model that is asked. Other policies judge that. */
export const isNameOfModel = ({ sort, text }: JudgedText, names: readonly string[]): boolean =>
  sort === 'model' &&
  names.some(
    (name) => text.startsWith(name) && (text.length === name.length || version.test(text.slice(name.length))),
  )

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
