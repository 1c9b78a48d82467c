import { type DecodedText, decodeJsonText, decodeLongJsonText } from './decode/json-text.js'
import type { WorkTimer } from './work-timer.js'

export interface JudgedText {
  text: string
  /** True when the text is itself JSON. */
  json: boolean
  /** The answer repeats a part of the request here. It is not judged, but redacted values are restored in it. */
  isEcho?: boolean
  /**
   * The kind of text; plain text if omitted. `payload` may be bytes in base64, and is not judged if they are not text. `fixed` is a word, a
   * number or a header that cannot be replaced, so a finding that must be redacted blocks the call. `model` is the same, but the name of the
   * requested model is not judged. `number` is redacted as a whole.
   */
  kind?: 'text' | 'payload' | 'fixed' | 'model' | 'number'
}

/** Generated ids: words followed by random letters and digits, or a UUID. It does not match `EMP-123456` or any number. */
const machineId =
  /^(?:[a-z]{1,16}[-_]){0,3}(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|fp_[0-9a-f]{10}|(?=[A-Za-z]*[0-9])(?=[0-9]*[A-Za-z])[A-Za-z0-9]{4,80})$/
/** The characters that names of models consist of. */
const modelName = /^[a-z0-9][\w.:/@-]{0,127}$/i

/** True when a text is a generated id or the name of a model. */
export const isId = ({ kind, text }: JudgedText): boolean =>
  (kind === 'fixed' && machineId.test(text)) || (kind === 'model' && modelName.test(text))

/** Vendors add the date of a model's version to its name. */
const version = /^[-@:](?:\d{1,8}|\d{4}-\d{2}-\d{2}|[\d.]{1,6})$/

/** True when a text is a name of the requested model. Policies about models judge that name. */
export const isNameOfModel = ({ kind, text }: JudgedText, names: readonly string[]): boolean =>
  kind === 'model' &&
  names.some(
    (name) => text.startsWith(name) && (text.length === name.length || version.test(text.slice(name.length))),
  )

/** Decoding so many characters takes a few milliseconds at most. */
const maxUnyieldingChars = 65_536

/** Decodes a text as its reader understands it: JSON without its escapes. */
export async function decodeText(text: JudgedText, timer: WorkTimer): Promise<DecodedText> {
  return text.json && text.text.length > maxUnyieldingChars
    ? await decodeLongJsonText(text.text, timer)
    : decodeShortText(text)
}

/** Decodes a text without yielding. */
export const decodeShortText = ({ text, json }: JudgedText): DecodedText =>
  json ? decodeJsonText(text) : { text, positions: undefined }
