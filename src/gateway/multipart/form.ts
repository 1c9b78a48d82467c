import { isUtf8 } from 'node:buffer'
import { invalidField } from '../../errors.js'
import { asArray, asObject, isObject, type JsonObject, parseObject } from '../../json/index.js'
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
 * of files, and what became of that is written back. Parts that did not change keep their bytes.
 */
export class MultipartForm {
  readonly bytes: Buffer
  readonly files: readonly UploadedFile[]
  /** The fields. */
  readonly json: Buffer
  readonly contentType: string
  readonly #boundary: string
  readonly #fields: readonly Field[]
  readonly #shape: FormShape

  constructor(bytes: Buffer, contentType: string, shape: FormShape) {
    const { boundary, parts } = readParts(bytes, contentType)
    this.bytes = bytes
    this.#boundary = boundary
    this.#shape = shape
    this.contentType = `multipart/form-data; boundary=${/^[\w'+.-]+$/.test(boundary) ? boundary : `"${boundary}"`}`
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
    if (json.equals(this.json)) return this.bytes
    const wanted = parseObject(json.toString()) ?? {}
    const pieces: Buffer[] = []
    const seen = new Map<string, number>()
    for (const { part, value } of this.#fields) {
      const at = seen.get(part.name) ?? 0
      seen.set(part.name, at + 1)
      const now = this.#isList(part.name) ? asArray(wanted[part.name])[at] : wanted[part.name]
      if (now === undefined || now === null) continue
      pieces.push(
        isSame(now, value) ? this.bytes.subarray(part.start, part.contentEnd) : this.#rewrite(part, now),
      )
    }
    for (const [name, value] of Object.entries(wanted))
      if (!seen.has(name)) pieces.push(this.#checked(`${dispositionOf(name, null)}\r\n\r\n${String(value)}`))
    const delimiter = `--${this.#boundary}`
    return Buffer.concat([
      ...pieces.flatMap((piece) => [Buffer.from(`${delimiter}\r\n`), piece, Buffer.from('\r\n')]),
      Buffer.from(`${delimiter}--\r\n`),
    ])
  }

  #isList(name: string): boolean {
    return this.#shape.lists.includes(name)
  }

  #rewrite({ name, filename, contentStart, contentEnd }: FormPart, now: unknown): Buffer {
    if (filename === null || !isObject(now))
      return this.#checked(`${dispositionOf(name, null)}\r\n\r\n${String(now)}`)
    const type = typeof now.content_type === 'string' ? `\r\nContent-Type: ${now.content_type}` : ''
    const head = this.#checked(`${dispositionOf(name, String(now.filename))}${type}\r\n\r\n`)
    return Buffer.concat([head, this.bytes.subarray(contentStart, contentEnd)])
  }

  /** What was put into it must not end the part. */
  #checked(text: string): Buffer {
    if (text.includes(`--${this.#boundary}`))
      throw new Error('what is put into the form has its boundary in it')
    return Buffer.from(text)
  }
}

const dispositionOf = (name: string, filename: string | null): string =>
  `Content-Disposition: form-data; name="${name}"${filename === null ? '' : `; filename="${escapeName(filename)}"`}`

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

function isSame(now: unknown, before: FieldValue): boolean {
  if (typeof before !== 'object') return now === before
  const { filename, content_type } = asObject(now)
  return filename === before.filename && content_type === before.content_type
}
