/**
 * What the name of a member tells of it. Every string is text, unless it is known not to be. The other way round, what a
 * vendor adds tomorrow would go unseen. Words of the protocol are passed over only while they look like such: a sentence in
 * `role` is text.
 */
export interface MemberName {
  text: string
  /** It looks like a word of the protocol. */
  isWord: boolean
  /** What its value is: text, text that is itself JSON, or something that is text only when it does not look like it. */
  value: 'text' | 'json' | 'word' | 'payload'
  /** Its value is an object whose names and values are the author's own. */
  opensFreeObject: boolean
  /** Its value is an object whose names somebody chose: those of a tool's parameters. */
  opensSchemaMap: boolean
}

/** Members whose value is a word of the protocol, or the name that something was given by a machine. */
const words = new Set([
  'action',
  'call_id',
  'container',
  'detail',
  'effort',
  'encoding_format',
  'file_id',
  'finish_reason',
  'format',
  'id',
  'item_id',
  'media_type',
  'mime_type',
  'model',
  'object',
  'obfuscation',
  'phase',
  'previous_response_id',
  'prompt_cache_retention',
  'quality',
  'reasoning_effort',
  'role',
  'search_context_size',
  'service_tier',
  'size',
  'speed',
  'status',
  'stop_reason',
  'system_fingerprint',
  'tool_call_id',
  'tool_use_id',
  'truncation',
  'ttl',
  'type',
  'verbosity',
])

/** Members that may hold a picture, a recording, a file or a signature. */
const payloads = new Set([
  'b64_json',
  'data',
  'encrypted_content',
  'encrypted_index',
  'file_data',
  'file_url',
  'image_url',
  'partial_image_b64',
  'result',
  'signature',
  'thought_signature',
  'url',
])

/** Members whose value is JSON, written as a string. */
const jsonTexts = new Set(['arguments', 'partial_json'])
/** A tool's input, and what a caller files a call under. */
const freeObjects = new Set(['input', 'metadata'])
const schemaMaps = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])

export const describeName = (text: string): MemberName => ({
  text,
  isWord: isWord(text, 0, text.length),
  value: sortOfValue(text),
  opensFreeObject: freeObjects.has(text),
  opensSchemaMap: schemaMaps.has(text),
})

function sortOfValue(name: string): MemberName['value'] {
  if (jsonTexts.has(name)) return 'json'
  if (words.has(name)) return 'word'
  return payloads.has(name) ? 'payload' : 'text'
}

const maxWordLength = 200
const wordCharacters = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\w.:/+-]/.test(String.fromCharCode(code)) ? 1 : 0,
)

/** Compares in place: a body has a name or a word every few characters, and cutting each out would cost more. */
export function isWord(text: string, start: number, end: number): boolean {
  if (end === start || end - start > maxWordLength) return false
  for (let at = start; at < end; at++) if (wordCharacters[text.charCodeAt(at)] !== 1) return false
  return true
}

const dataUrl = /^data:[\w.+-]*\/?[\w.+-]*(?:;[\w.=+-]+)*;base64,/
const base64 = /^[A-Za-z0-9+/_=\s-]*$/
// Shorter ones cost little to judge, and could be a secret.
const minPayloadLength = 256

export function isPayload(value: string): boolean {
  if (value.length < minPayloadLength) return false
  const [head = ''] = dataUrl.exec(value) ?? []
  return base64.test(value.slice(head.length)) && !hasWords(value.slice(head.length))
}

/** The alphabet of base64 is also that of prose without marks: blanks between words tell them apart. */
const hasWords = (text: string): boolean => /[^\s=] [^\s=]/.test(text.slice(0, 4 * minPayloadLength))
