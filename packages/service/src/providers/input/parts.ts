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
export function createPartReader({ parts }: EndpointShape, attachments: Attachments): PartReader {
  return (part, path, omit) => {
    const rule = parts.get(asText(part.type))
    if (rule !== undefined) readPart(rule, part, attachments, path, omit)
  }
}

function readPart(
  rule: PartRule,
  part: JsonObject,
  attachments: Attachments,
  path: () => string,
  omit: Omit,
): void {
  const container = 'in' in rule && rule.in !== undefined ? asObject(part[rule.in]) : part
  switch (rule.kind) {
    case 'image': {
      const { in: member, url, detail, mayBeString } = rule
      const isUrl = mayBeString === true && member !== undefined && typeof part[member] === 'string'
      const at = isUrl ? part : container
      readImage(at, isUrl ? member : url, detail === undefined ? undefined : at[detail], attachments, omit)
      break
    }
    case 'image bytes': {
      const data = readBase64(asText(part[rule.member]), '')
      if (attachments.addImage(data) && data !== null) omit(part, rule.member)
      break
    }
    case 'image source':
      readSourceImage(container, attachments, omit)
      break
    case 'document source':
      readSourceDocument(container, attachments, path, omit)
      break
    case 'file':
      readFile(container, attachments, path, omit)
      break
    case 'audio':
      readAudio(container, attachments, path, omit)
      break
    case 'stored file':
      attachments.addUnmeasured(path(), 'is a file that the provider stores')
      break
  }
}

function readImage(
  container: JsonObject,
  member: string,
  detail: unknown,
  attachments: Attachments,
  omit: Omit,
): void {
  const url = asText(container[member])
  const data = readDataUrl(url)
  const isImage = attachments.addImage(data, detail === 'low')
  if (isImage && data !== null) omit(container, member)
}

function readSourceImage(source: JsonObject, attachments: Attachments, omit: Omit): void {
  const data = source.type === 'base64' ? readBase64(asText(source.data), asText(source.media_type)) : null
  const isImage = attachments.addImage(data)
  if (isImage && data !== null) omit(source, 'data')
}

function readSourceDocument(
  source: JsonObject,
  attachments: Attachments,
  path: () => string,
  omit: Omit,
): void {
  // The text of these sources is in the body and counted there.
  if (source.type === 'text' || source.type === 'content') return
  const data = source.type === 'base64' ? readBase64(asText(source.data), asText(source.media_type)) : null
  if (data === null)
    attachments.addUnmeasured(
      path(),
      'is a document that is given by its address or id, or that cannot be read',
    )
  else {
    omit(source, 'data')
    attachments.addPdf(data, path())
  }
}

function readFile(file: JsonObject, attachments: Attachments, path: () => string, omit: Omit): void {
  const text = asText(file.file_data)
  const data = text === '' ? null : (readDataUrl(text) ?? readBase64(text, ''))
  const isReference = file.file_id !== undefined || file.file_url !== undefined || data === null
  if (isReference)
    attachments.addUnmeasured(path(), 'is a file that is given by its address or id, or that cannot be read')
  if (data === null) return
  omit(file, 'file_data')
  const content = readTextFile(data, asText(file.filename))
  if (content === null) attachments.addPdf(data, path())
  else attachments.texts.push(content)
}

/**
 * Returns the text of files that vendors read unchanged. Tables are excluded, because a vendor describes them to
 * the model in its own words.
 */
function readTextFile({ bytes, mediaType }: InlineData, filename: string): string | null {
  const isText = /^(?:text\/(?!csv|tab-|tsv)|application\/(?:json|xml|javascript)$)/.test(mediaType)
  if (!isText || /\.(?:csv|tsv|xlsx?|ods|pdf)$/i.test(filename) || bytes.includes('%PDF-')) return null
  return isUtf8(bytes) && !bytes.includes(0) ? bytes.toString() : null
}

function readAudio(audio: JsonObject, attachments: Attachments, path: () => string, omit: Omit): void {
  const data = readBase64(asText(audio.data), '')
  if (data === null) attachments.addUnmeasured(path(), 'is a recording that cannot be read')
  else {
    omit(audio, 'data')
    attachments.addAudio(data, asText(audio.format), path())
  }
}

/**
 * Reads input that is only referred to: objects that the vendor stores, and tools whose results it reads itself.
 */
export function readVendorInput(body: JsonObject, shape: EndpointShape, attachments: Attachments): void {
  if (shape.description.hasNoToolsOrReferences) return
  for (const reference of findReferences(body, shape)) attachments.addVendorInput(reference)
  if (isObject(body.prompt)) attachments.addVendorInput({ kind: 'prompt', id: asText(body.prompt.id) })
  for (const [i, tool] of asArray(body.tools).map(asObject).entries())
    readTool(tool, `tools.${i}`, shape, attachments)
  for (const server of asArray(body.mcp_servers).map(asObject))
    attachments.addVendorInput({ kind: 'tool', id: asText(server.name) || 'mcp' })
  for (const [member, tool] of shape.enabledTools)
    if (isObject(body[member])) attachments.addVendorInput({ kind: 'tool', id: tool })
}

function readTool(tool: JsonObject, path: string, shape: EndpointShape, attachments: Attachments): void {
  const type = asText(tool.type)
  if (/^(?:|function|custom)$/.test(type)) return
  if (type === 'namespace') {
    for (const [i, inner] of asArray(tool.tools).map(asObject).entries())
      readTool(inner, `${path}.tools.${i}`, shape, attachments)
    return
  }
  attachments.addVendorTool()
  if (shape.description.callerTools?.test(type)) return
  attachments.addVendorInput({ kind: 'tool', id: type })
  if (tool.vector_store_ids !== undefined)
    attachments.addUnmeasured(path, 'searches files that the provider stores')
  if (asArray(asObject(tool.container).file_ids).length > 0)
    attachments.addUnmeasured(path, 'reads files that the provider stores')
}
