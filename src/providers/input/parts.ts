import { isUtf8 } from 'node:buffer'
import { asArray, asObject, asText, isObject, type JsonObject } from '../../json/index.js'
import { findReferences } from '../references/index.js'
import type { Attachments } from './attachments.js'
import type { PartReader } from './body-walk.js'
import { type InlineData, readBase64, readDataUrl } from './inline-data.js'

type Omit = (from: object, member: string) => void
type ReadPart = (part: JsonObject, to: Attachments, path: () => string, omit: Omit) => void

/**
 * Parts that are no text, by dialect and by their type. Only base64 that is known to be read by the vendor's own formula is left
 * out of the texts; everything else of a part counts as text besides.
 */
const readers: Readonly<Record<string, Readonly<Record<string, ReadPart>>>> = {
  chat: {
    image_url(part, to, _, omit) {
      const nested = asObject(part.image_url)
      if (typeof part.image_url === 'string') readImage(part, 'image_url', part.detail, to, omit)
      else readImage(nested, 'url', nested.detail, to, omit)
    },
    input_audio: (part, to, path, omit) => readAudio(asObject(part.input_audio), to, path, omit),
    file: (part, to, path, omit) => readFile(asObject(part.file), to, path, omit),
  },
  messages: {
    image: (part, to, _, omit) => readSourceImage(asObject(part.source), to, omit),
    document: (part, to, path, omit) => readSourceDocument(asObject(part.source), to, path, omit),
    container_upload: (_, to, path) => to.addWindow(path(), 'is a file that the provider holds'),
  },
  responses: {
    input_image: (part, to, _, omit) => readImage(part, 'image_url', part.detail, to, omit),
    computer_screenshot: (part, to, _, omit) => readImage(part, 'image_url', part.detail, to, omit),
    image_generation_call(part, to, _, omit) {
      const data = readBase64(asText(part.result), '')
      if (to.addImage(data) && data !== null) omit(part, 'result')
    },
    input_file: readFile,
    input_audio: (part, to, path, omit) => readAudio(asObject(part.input_audio), to, path, omit),
  },
  moderations: {
    image_url: (part, to, _, omit) => readImage(asObject(part.image_url), 'url', undefined, to, omit),
  },
}

export function createPartReader(dialect: string, to: Attachments): PartReader {
  const byType = readers[dialect] ?? {}
  return (part, path, omit) => {
    const type = asText(part.type)
    if (Object.hasOwn(byType, type)) byType[type]?.(part, to, path, omit)
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
  // Their text is in the body, and counted there.
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

/** Files that are read as they are. Tables are not: a vendor describes them in words of its own. */
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

/** Dialects without tools, and without anything that the vendor holds. */
const inputsAlone = new Set([
  ...['embeddings', 'completions', 'moderations', 'rerank', 'speech', 'transcriptions', 'translations'],
  ...['image_generations', 'image_edits', 'image_variations'],
])

/** Input that is named: what the vendor holds, and tools whose results it reads by itself. */
export function readHeld(body: JsonObject, dialect: string, to: Attachments): void {
  if (inputsAlone.has(dialect)) return
  for (const reference of findReferences(body, dialect)) to.hold(reference)
  if (isObject(body.prompt)) to.hold({ kind: 'prompt', id: asText(body.prompt.id) })
  for (const [i, tool] of asArray(body.tools).map(asObject).entries())
    readTool(tool, `tools.${i}`, dialect, to)
  for (const server of asArray(body.mcp_servers).map(asObject))
    to.hold({ kind: 'tool', id: asText(server.name) || 'mcp' })
  if (dialect === 'chat' && isObject(body.web_search_options)) to.hold({ kind: 'tool', id: 'web_search' })
}

/** Tools of the vendor that the caller runs: whatever they answer comes in another call. */
const ownTools = {
  openai: /^(?:local_shell|apply_patch|computer(?:_use_preview)?)$/,
  messages: /^(?:bash|text_editor|computer|memory)_\d+$/,
}

function readTool(tool: JsonObject, path: string, dialect: string, to: Attachments): void {
  const type = asText(tool.type)
  if (/^(?:|function|custom)$/.test(type)) return
  if (type === 'namespace') {
    for (const [i, inner] of asArray(tool.tools).map(asObject).entries())
      readTool(inner, `${path}.tools.${i}`, dialect, to)
    return
  }
  to.addVendorTool()
  const own = dialect === 'messages' ? ownTools.messages : ownTools.openai
  if (own.test(type)) return
  to.hold({ kind: 'tool', id: type })
  if (tool.vector_store_ids !== undefined) to.addWindow(path, 'searches files that the provider holds')
  if (asArray(asObject(tool.container).file_ids).length > 0)
    to.addWindow(path, 'reads files that the provider holds')
}
