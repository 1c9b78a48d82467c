import { isUtf8 } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { asArray, isObject, type JsonObject, parseObject } from '@tallystick/record/json'
import type { FormShape, UploadedFile } from '../../../providers/index.js'
import { invalidField } from '../../../shared/errors.js'
import { type FormPart, readParts } from './read-parts.js'

// Prompts in forms have a few hundred words.
const maxFieldBytes = 256 * 1024

/** The value of a field in the JSON form: text, number, flag, or the description of a file. */
type FieldValue = string | number | boolean | { filename: string; content_type?: string }

interface Field {
  part: FormPart
  value: FieldValue
}

/**
 * A body that is a form. Limits and policies work on JSON, so the fields are provided as JSON without the contents of files, and the form
 * to forward is written from that JSON. Only the contents of files are forwarded unchanged. The boundary and the headers of the parts are
 * written again, because no policy has judged the ones that the caller wrote.
 */
export class MultipartForm {
  /** The body as the caller sent it. */
  readonly bytes: Buffer
  readonly files: readonly UploadedFile[]
  /** The fields as JSON. */
  readonly json: Buffer
  /** The content type of what `write` returns. */
  readonly contentType: string
  /** Random and chosen after the form was received, so that nothing in the form can contain it. */
  readonly #boundary = `tallystick-${randomBytes(16).toString('hex')}`
  readonly #fields: readonly Field[]
  readonly #shape: FormShape

  constructor(bytes: Buffer, contentType: string, shape: FormShape) {
    const parts = readParts(bytes, contentType)
    this.bytes = bytes
    this.#shape = shape
    this.contentType = `multipart/form-data; boundary=${this.#boundary}`
    this.#fields = parts.map((part) => ({ part, value: readField(part, bytes, shape) }))
    this.files = parts
      .filter(({ filename }) => filename !== null)
      .map(({ name, contentStart, contentEnd }) => ({
        field: name,
        bytes: bytes.subarray(contentStart, contentEnd),
      }))
    this.json = Buffer.from(JSON.stringify(toObject(this.#fields, shape)))
  }

  /** Returns the form with the fields of this JSON. */
  write(json: Buffer): Buffer {
    const wanted = parseObject(json.toString()) ?? {}
    const pieces: (Buffer | string)[] = []
    const add = (...part: (Buffer | string)[]) => pieces.push(`--${this.#boundary}\r\n`, ...part, '\r\n')
    const seen = new Map<string, number>()
    for (const { part } of this.#fields) {
      const at = seen.get(part.name) ?? 0
      seen.set(part.name, at + 1)
      const now = this.#shape.lists.includes(part.name) ? asArray(wanted[part.name])[at] : wanted[part.name]
      if (now === undefined || now === null) continue
      if (isObject(now)) add(headOf(part.name, now), this.bytes.subarray(part.contentStart, part.contentEnd))
      else add(headOf(part.name), String(now))
    }
    for (const [name, value] of Object.entries(wanted)) if (!seen.has(name)) add(headOf(name), String(value))
    pieces.push(`--${this.#boundary}--\r\n`)
    return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)))
  }
}

/** Returns the headers of a part. `file` is the description of a file in the JSON. */
function headOf(name: string, file?: JsonObject): string {
  const disposition = `Content-Disposition: form-data; name="${name}"`
  if (file === undefined) return `${disposition}\r\n\r\n`
  const { filename, content_type: type } = file
  const typeLine = typeof type === 'string' ? `\r\nContent-Type: ${type}` : ''
  return `${disposition}; filename="${escapeName(String(filename))}"${typeLine}\r\n\r\n`
}

/** Escapes a filename as browsers do. */
const escapeName = (filename: string): string =>
  filename.replace(/[\p{Cc}"\\/]/gu, (character) => encodeURIComponent(character))

function readField(part: FormPart, bytes: Buffer, { files, counts, flags }: FormShape): FieldValue {
  const { name, filename, contentType, contentStart, contentEnd } = part
  if (files.includes(name) !== (filename !== null))
    throw invalidField(name, filename === null ? 'must be a file' : 'must not be a file')
  if (filename !== null) return { filename, ...(contentType !== null && { content_type: contentType }) }
  if (contentType !== null && !/^text\/plain/i.test(contentType))
    throw invalidField(name, 'must be plain text')
  const content = bytes.subarray(contentStart, contentEnd)
  if (content.length > maxFieldBytes) throw invalidField(name, `must have at most ${maxFieldBytes} bytes`)
  if (!isUtf8(content)) throw invalidField(name, 'must be UTF-8')
  const text = content.toString()
  if (counts.includes(name)) {
    // Only plain decimals are accepted, because servers read other notations differently.
    if (!/^(?:0|[1-9]\d{0,8})$/.test(text)) throw invalidField(name, 'must be a whole number')
    return Number(text)
  }
  if (!flags.includes(name)) return text
  if (text !== 'true' && text !== 'false') throw invalidField(name, 'must be true or false')
  return text === 'true'
}

function toObject(fields: readonly Field[], { lists }: FormShape): JsonObject {
  const object: JsonObject = {}
  for (const { part, value } of fields) {
    const { name } = part
    if (lists.includes(name)) object[name] = [...asArray(object[name]), value]
    else if (name.endsWith('[]')) throw invalidField(name, 'is not a list')
    else if (Object.hasOwn(object, name)) throw invalidField(name, 'must not be given twice')
    else object[name] = value
  }
  return object
}
