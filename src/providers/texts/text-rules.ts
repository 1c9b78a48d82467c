/** What a string in a body is to someone who looks for text: nothing, text, or text that is itself JSON. */
export type StringSort = 'none' | 'text' | 'json'

type Path = readonly (string | number)[]

/**
 * Every string is text, unless it is known not to be. The other way round, what a vendor adds tomorrow would go
 * unseen. Words of the protocol are passed over only while they look like such: a sentence in `role` is text.
 */
export function sortString(
  path: Path,
  isName: boolean,
  string: { read(): string },
  free: Freedom,
): StringSort {
  if (isName) return free.names || !isWord(string.read()) ? 'text' : 'none'
  if (free.values) return 'text'
  const name = nameOf(path)
  if (isJsonText(name)) return 'json'
  if (words.has(name)) return isWord(string.read()) ? 'none' : 'text'
  if (payloads.has(name)) return isPayload(string.read()) ? 'none' : 'text'
  return 'text'
}

const longestWord = 200
const wordCharacters = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\w.:/+-]/.test(String.fromCharCode(code)) ? 1 : 0,
)

/** One look at each character: there is a name or a word every few characters of an event. */
function isWord(value: string): boolean {
  if (value.length === 0 || value.length > longestWord) return false
  for (let at = 0; at < value.length; at++) if (wordCharacters[value.charCodeAt(at)] !== 1) return false
  return true
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

const dataUrl = /^data:[\w.+-]*\/?[\w.+-]*(?:;[\w.=+-]+)*;base64,/
const base64 = /^[A-Za-z0-9+/_=\s-]*$/
// Shorter ones cost nothing to look at, and could be a secret on its own.
const shortestPayload = 256

function isPayload(value: string): boolean {
  if (value.length < shortestPayload) return false
  const [head = ''] = dataUrl.exec(value) ?? []
  return base64.test(value.slice(head.length)) && !hasWords(value.slice(head.length))
}

/** The alphabet of base64 is also that of prose without marks: blanks between words tell them apart. */
const hasWords = (text: string): boolean => /[^\s=] [^\s=]/.test(text.slice(0, 4 * shortestPayload))

/** Members whose value is JSON, written as a string. */
const isJsonText = (name: string): boolean => name === 'arguments' || name === 'partial_json'

/** Objects whose names and values are the author's own: a tool's input, and what a caller files a call under. */
const isFreeObject = (name: string | number | undefined): boolean => name === 'input' || name === 'metadata'

/** A name or value in a tool's input, wherever that stands. `input` at the top is the conversation itself. */
function isFree(path: Path): boolean {
  for (let at = 0; at < path.length - 1; at++) {
    if (!isFreeObject(path[at]) || isSchemaMap(path[at - 1])) continue
    // An array of items has the protocol's words in it; an object of the author's has not.
    if (typeof path[at + 1] === 'string') return true
  }
  return false
}

const schemaMaps = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])
const isSchemaMap = (name: string | number | undefined) => typeof name === 'string' && schemaMaps.has(name)

/** What somebody chose, in an object or an array: it is text, whatever it looks like. */
export interface Freedom {
  /** Of a tool's parameters, or within a free object. */
  names: boolean
  values: boolean
}

/** The same for all that stands in one object or array. */
export function freedomAt(path: Path): Freedom {
  const values = isFree(path)
  return { names: values || isSchemaMap(path[path.length - 2]), values }
}

/** The nearest name: items of an array are called as the array is. */
function nameOf(path: Path): string {
  for (let at = path.length - 1; at >= 0; at--) {
    const name = path[at]
    if (typeof name === 'string') return name
  }
  return ''
}
