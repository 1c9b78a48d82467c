import { isUtf8 } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { invalidField } from '../../errors.js'
import { asArray, isObject, type JsonObject, parseObject } from '../../json/index.js'
import type { FormShape, UploadedFile } from '../../providers/index.js'
import { type FormPart, readParts } from './read-parts.js'

// A prompt has some hundred words.
const maxFieldBytes = 256 * 1024

/** A field as it stands in the JSON: a text, a number, a switch, or what is said of a file. */
type FieldValue = string | number | boolean | { filename: string; content_type?: string }

interface Field {
  part: FormPart
  value: FieldValue
}

/**
 * A body that is a form. Everything that governs a call reads and changes JSON: here it gets the fields as JSON, without the contents
 * of files, and the form that goes out is written from what became of that. Only the contents of files are passed on as they came: the
 * boundary and the headers of the parts are our own, because nothing in the JSON says, and no policy judges, how a caller wrote them.
 */
export class MultipartForm {
  /** As the caller sent it. */
  readonly bytes: Buffer
  readonly files: readonly UploadedFile[]
  /** The fields. */
  readonly json: Buffer
  /** Of what `write` returns. */
  readonly contentType: string
  /** Random, and chosen after the form was sent: nothing in it can contain this. */
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

  /** The form with the fields as they are in this JSON. */
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

/** The headers of a part, up to its content. `file`: what the JSON says of one. */
function headOf(name: string, file?: JsonObject): string {
  const disposition = `Content-Disposition: form-data; name="${name}"`
  if (file === undefined) return `${disposition}\r\n\r\n`
  const { filename, content_type: type } = file
  const typeLine = typeof type === 'string' ? `\r\nContent-Type: ${type}` : ''
  return `${disposition}; filename="${escapeName(String(filename))}"${typeLine}\r\n\r\n`
}

/** As browsers do. */
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
    // Other ways to write a number are read as another one by some servers.
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
    else if (name.endsWith('[]')) throw invalidField(name, 'is no list')
    else if (Object.hasOwn(object, name)) throw invalidField(name, 'must not be given twice')
    else object[name] = value
  }
  return object
}
