import { isUtf8 } from 'node:buffer'
import { invalidRequest } from '../../../shared/errors.js'

/** One part of a form and its position in the body. */
export interface FormPart {
  name: string
  /** Null for fields that are not files. */
  filename: string | null
  contentType: string | null
  contentStart: number
  contentEnd: number
}

// Forms of these endpoints have about ten fields and up to sixteen images.
const maxParts = 64
const maxHeaderBytes = 2_048
const lineEnd = '\r\n'

/**
 * Reads a form strictly. Servers read unusual notations in different ways and could find fields that no policy judged. Throws an error
 * for the caller.
 */
export function readParts(bytes: Buffer, contentType: string): FormPart[] {
  const boundary = readBoundary(contentType)
  const delimiter = `--${boundary}`
  const parts: FormPart[] = []
  if (!startsWith(bytes, 0, delimiter + lineEnd)) throw refuse('does not begin with its boundary')
  let start = delimiter.length + lineEnd.length
  let delimiters = 1
  for (;;) {
    const next = bytes.indexOf(`${lineEnd}${delimiter}`, start)
    if (next === -1) throw refuse('does not end with its boundary')
    delimiters += 1
    parts.push(readPart(bytes, start, next))
    if (parts.length > maxParts) throw refuse(`has more than ${maxParts} parts`)
    const after = next + lineEnd.length + delimiter.length
    if (startsWith(bytes, after, '--')) {
      const rest = bytes.length - after - 2
      if (rest !== 0 && !(rest === 2 && startsWith(bytes, after + 2, lineEnd)))
        throw refuse('goes on after its end')
      break
    }
    if (!startsWith(bytes, after, lineEnd)) throw refuse('has its boundary within a line')
    start = after + lineEnd.length
  }
  // For a server that accepts other line ends, a boundary anywhere else would begin a part too.
  if (countOf(bytes, delimiter) !== delimiters) throw refuse('has its boundary within a part')
  return parts
}

const refuse = (what: string) => invalidRequest(`The form ${what}`)

const boundaryForm = /^multipart\/form-data;\s*boundary=(?:"([\w'()+,./:=? -]{1,70})"|([\w'+./-]{1,70}))$/i

function readBoundary(contentType: string): string {
  const [, quoted, plain] = boundaryForm.exec(contentType.trim()) ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined || boundary.endsWith(' '))
    throw refuse('needs a content-type of multipart/form-data with its boundary, and nothing else')
  return boundary
}

function startsWith(bytes: Buffer, at: number, text: string): boolean {
  return bytes.toString('latin1', at, at + text.length) === text
}

function countOf(bytes: Buffer, text: string): number {
  let count = 0
  for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1)) count += 1
  return count
}

function readPart(bytes: Buffer, start: number, end: number): FormPart {
  const blank = bytes.indexOf(lineEnd + lineEnd, start)
  if (blank === -1 || blank + 4 > end) throw refuse('has a part without an empty line after its headers')
  if (blank - start > maxHeaderBytes) throw refuse('has a part whose headers are too long')
  const head = bytes.subarray(start, blank)
  if (!isUtf8(head)) throw refuse('has a part whose headers are not UTF-8')
  const contentStart = blank + 4
  const headers = readHeaders(head.toString())
  const length = headers.get('content-length')
  if (length !== undefined && length !== String(end - contentStart))
    throw refuse('has a part whose content-length is wrong')
  const { name, filename } = readDisposition(headers.get('content-disposition') ?? '')
  const contentType = headers.get('content-type') ?? null
  if (contentType !== null && !plainType.test(contentType)) throw refuse('has a part of an unusual type')
  return { name, filename, contentType, contentStart, contentEnd: end }
}

const knownHeaders = new Set([
  'content-disposition',
  'content-type',
  'content-length',
  'content-transfer-encoding',
])
const plainType = /^[\w.+-]{1,64}\/[\w.+-]{1,64}(?:;\s?charset="?utf-8"?)?$/i
const identity = /^(?:binary|8bit|7bit)$/i

function readHeaders(head: string): Map<string, string> {
  const headers = new Map<string, string>()
  for (const line of head.split(lineEnd)) {
    const [, name = '', value = ''] = /^([A-Za-z-]{1,64}): ?([^\p{Cc}]*)$/u.exec(line) ?? []
    const known = name.toLowerCase()
    if (!knownHeaders.has(known)) throw refuse('has a part with an unknown header')
    if (headers.has(known)) throw refuse('has a part with the same header twice')
    headers.set(known, value)
  }
  const encoding = headers.get('content-transfer-encoding')
  if (encoding !== undefined && !identity.test(encoding)) throw refuse('has a part that is encoded')
  return headers
}

// Names begin with a letter. Clients mark lists by brackets at the end.
const disposition =
  /^form-data; ?name="([A-Za-z]\w{0,63}(?:\[\])?)"(?:; ?filename="([^"\\/\p{Cc}]{1,255})")?$/u

/** Reads the name and the filename. Other notations such as `filename*` are refused, because servers read them differently. */
function readDisposition(value: string): Pick<FormPart, 'name' | 'filename'> {
  const [, name, filename = null] = disposition.exec(value) ?? []
  if (name === undefined)
    throw refuse('has a part whose content-disposition is not form-data with a plain name and filename')
  if (filename === '.' || filename === '..') throw refuse('has a file without a name')
  return { name, filename }
}
