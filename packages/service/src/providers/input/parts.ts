import { isUtf8 } from 'node:buffer'
import { asArray, asObject, asText, isObject, type JsonObject } from '@tallystick/record/json'
import { findReferences } from '../references/index.js'
import type { EndpointShape, PartRule } from '../shapes/index.js'
import type { Attachments } from './attachments.js'
import type { PartReader } from './body-walk.js'
import { type InlineData, readBase64, readDataUrl } from './inline-data.js'

type Omit = (from: object, member: string) => void

/**
 * Creates a reader for the parts that are not text, as the endpoint describes them. Only base64 that the vendor is
 * known to count by its own formula is left out of the texts; everything else in a part also counts as text.
 */
export function createPartReader({ parts }: EndpointShape, to: Attachments): PartReader {
  return (part, path, omit) => {
    const rule = parts.get(asText(part.type))
    if (rule !== undefined) readPart(rule, part, to, path, omit)
  }
}

function readPart(rule: PartRule, part: JsonObject, to: Attachments, path: () => string, omit: Omit): void {
  const holder = 'in' in rule && rule.in !== undefined ? asObject(part[rule.in]) : part
  switch (rule.kind) {
    case 'image': {
      const { in: member, url, detail, either } = rule
      const isUrl = either === true && member !== undefined && typeof part[member] === 'string'
      const at = isUrl ? part : holder
      readImage(at, isUrl ? member : url, detail === undefined ? undefined : at[detail], to, omit)
      break
    }
    case 'image bytes': {
      const data = readBase64(asText(part[rule.member]), '')
      if (to.addImage(data) && data !== null) omit(part, rule.member)
      break
    }
    case 'image source':
      readSourceImage(holder, to, omit)
      break
    case 'document source':
      readSourceDocument(holder, to, path, omit)
      break
    case 'file':
      readFile(holder, to, path, omit)
      break
    case 'audio':
      readAudio(holder, to, path, omit)
      break
    case 'stored file':
      to.addWindow(path(), 'is a file that the provider holds')
      break
  }
}

function readImage(holder: JsonObject, member: string, detail: unknown, to: Attachments, omit: Omit): void {
  const url = asText(holder[member])
  const data = readDataUrl(url)
  const isImage = to.addImage(data, detail === 'low')
  if (isImage && data !== null) omit(holder, member)
}

function readSourceImage(source: JsonObject, to: Attachments, omit: Omit): void {
  const data = source.type === 'base64' ? readBase64(asText(source.data), asText(source.media_type)) : null
  const isImage = to.addImage(data)
  if (isImage && data !== null) omit(source, 'data')
}

function readSourceDocument(source: JsonObject, to: Attachments, path: () => string, omit: Omit): void {
  // Their text is in the body and counted there.
  if (source.type === 'text' || source.type === 'content') return
  const data = source.type === 'base64' ? readBase64(asText(source.data), asText(source.media_type)) : null
  if (data === null) to.addWindow(path(), 'is a document that is only named, or cannot be read')
  else {
    omit(source, 'data')
    to.addPdf(data, path())
  }
}

function readFile(file: JsonObject, to: Attachments, path: () => string, omit: Omit): void {
  const text = asText(file.file_data)
  const data = text === '' ? null : (readDataUrl(text) ?? readBase64(text, ''))
  const isNamed = file.file_id !== undefined || file.file_url !== undefined || data === null
  if (isNamed) to.addWindow(path(), 'is a file that is only named, or cannot be read')
  if (data === null) return
  omit(file, 'file_data')
  const content = textIn(data, asText(file.filename))
  if (content === null) to.addPdf(data, path())
  else to.texts.push(content)
}

/**
 * Returns the text of files that vendors read unchanged. Tables are excluded: a vendor describes them in its own
 * words.
 */
function textIn({ bytes, mediaType }: InlineData, filename: string): string | null {
  const isText = /^(?:text\/(?!csv|tab-|tsv)|application\/(?:json|xml|javascript)$)/.test(mediaType)
  if (!isText || /\.(?:csv|tsv|xlsx?|ods|pdf)$/i.test(filename) || bytes.includes('%PDF-')) return null
  return isUtf8(bytes) && !bytes.includes(0) ? bytes.toString() : null
}

function readAudio(audio: JsonObject, to: Attachments, path: () => string, omit: Omit): void {
  const data = readBase64(asText(audio.data), '')
  if (data === null) to.addWindow(path(), 'is a recording that cannot be read')
  else {
    omit(audio, 'data')
    to.addAudio(data, asText(audio.format), path())
  }
}

/**
 * Reads input that is only referred to: objects that the vendor stores, and tools whose results it reads itself.
 */
export function readVendorInput(body: JsonObject, shape: EndpointShape, to: Attachments): void {
  if (shape.description.namesNothing) return
  for (const reference of findReferences(body, shape)) to.hold(reference)
  if (isObject(body.prompt)) to.hold({ kind: 'prompt', id: asText(body.prompt.id) })
  for (const [i, tool] of asArray(body.tools).map(asObject).entries()) readTool(tool, `tools.${i}`, shape, to)
  for (const server of asArray(body.mcp_servers).map(asObject))
    to.hold({ kind: 'tool', id: asText(server.name) || 'mcp' })
  for (const [member, tool] of shape.enabledTools)
    if (isObject(body[member])) to.hold({ kind: 'tool', id: tool })
}

function readTool(tool: JsonObject, path: string, shape: EndpointShape, to: Attachments): void {
  const type = asText(tool.type)
  if (/^(?:|function|custom)$/.test(type)) return
  if (type === 'namespace') {
    for (const [i, inner] of asArray(tool.tools).map(asObject).entries())
      readTool(inner, `${path}.tools.${i}`, shape, to)
    return
  }
  to.addVendorTool()
  if (shape.description.toolsOfCaller?.test(type)) return
  to.hold({ kind: 'tool', id: type })
  if (tool.vector_store_ids !== undefined) to.addWindow(path, 'searches files that the provider holds')
  if (asArray(asObject(tool.container).file_ids).length > 0)
    to.addWindow(path, 'reads files that the provider holds')
}
