import { protocolNames, protocolWords } from './protocol-vocabulary.js'

/**
 * What the name of a member implies. Every string and every number is text unless it is known not to be, by its
 * path and its content, never by its path alone. The opposite rule would miss what a vendor adds tomorrow.
 */
export interface MemberName {
  text: string
  /** The protocols define this name. */
  isKnown: boolean
  /** Its value is the type of the object that contains it. */
  isType: boolean
  value: ValueKind
  number: NumberKind
  /** Its value may repeat a text in another form. */
  mayReveal: boolean
  /** If its value is an object, an author chose the names and values in it. */
  opensFreeObject: boolean
  /** The same, also if the value is an array. */
  opensFreeValue: boolean
  /** Its value is an object whose names an author chose: the parameters of a tool. */
  opensSchemaMap: boolean
}

/**
 * The kind of a string in this member: text, text that is itself JSON, a protocol word or an id, the name of a
 * model, or something that may be bytes.
 */
type ValueKind = 'text' | 'json' | 'word' | 'model' | 'payload'
/** The kind of a number in this member: a token count, a point in time, a part of a vector, or any other. */
type NumberKind = 'tokens' | 'timestamp' | 'fraction' | 'any'

const split = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/))

/** Members whose value is a protocol word, or a name that a machine assigned. */
const words = split(`
  action approval_request_id background call_id caller_id connector_id container container_id conversation_id detail
  download_id effort encoding_format environment error_code execution file_id finish_reason format generate_summary id
  inference_geo input_fidelity item_id media_type memory_limit message_id mime_type mode moderation
  native_finish_reason object obfuscation order output_format phase previous_message_id previous_response_id
  prompt_cache_retention quality ranker reasoning_effort request_id require_approval response_id role
  search_content_types search_context_size service_tier size skill_id speed status stop_reason syntax
  system_fingerprint tab_id tool_call_id tool_choice tool_use_id toolset_name truncation ttl tunnel_id type
  user_profile_id verbosity voice workspace_id allowed_callers include modalities
`)

/** Members that may contain an image, a recording, a file or a signature. */
const payloads = split(`
  b64_json data embedding encrypted_content encrypted_index encrypted_stdout file_data file_url image_url
  partial_image_b64 result signature thought_signature url
`)

/** Members whose value is JSON, written as a string. */
const jsonTexts = split('arguments partial_json')
/**
 * The input of a tool, and the metadata that a caller attaches. An array with one of these names has items of the
 * protocol.
 */
const freeObjects = split('input metadata')
/** Values that an author writes into a schema or an example. */
const freeValues = split(
  'arguments attributes const default enum example examples input_examples params variables',
)
const schemaMaps = split('properties patternProperties $defs definitions dependentSchemas')

const timestamps = split('created created_at completed_at expires_at retrieved_at')
const fractions = split(`
  embedding logprob score relevance_score harassment harassment/threatening hate hate/threatening illicit
  illicit/violent self-harm self-harm/instructions self-harm/intent sexual sexual/minors violence
  violence/graphic
`)

export const describeName = (text: string): MemberName => ({
  text,
  isKnown: protocolNames.has(text),
  isType: text === 'type',
  value: valueKindOf(text),
  number: numberKindOf(text),
  mayReveal: text === 'logprobs' || text === 'obfuscation',
  opensFreeObject: freeObjects.has(text),
  opensFreeValue: freeValues.has(text),
  opensSchemaMap: schemaMaps.has(text),
})

function valueKindOf(name: string): ValueKind {
  if (name === 'model') return 'model'
  if (jsonTexts.has(name)) return 'json'
  if (words.has(name)) return 'word'
  return payloads.has(name) ? 'payload' : 'text'
}

function numberKindOf(name: string): NumberKind {
  if (name.endsWith('_tokens')) return 'tokens'
  if (timestamps.has(name)) return 'timestamp'
  return fractions.has(name) ? 'fraction' : 'any'
}

export const isProtocolWord = (text: string): boolean => protocolWords.has(text)

/** No built-in detector looks for fewer digits; only a tenant's own words and patterns may. */
const minDigits = 7

/**
 * True when a number of the protocol has the expected form and so carries no information. It runs for every number
 * of a body, and an embedding has thousands, so it compares in place.
 */
export function isExpectedNumber({ number }: MemberName, json: string, start: number, end: number): boolean {
  const chars = end - start
  if (chars < minDigits) return true
  switch (number) {
    case 'tokens':
      return chars <= 8 && isInteger(json, start, end)
    case 'timestamp':
      // Unix times from 2017 to 2033.
      return chars === 10 && isInteger(json, start, end) && /^1[5-9]/.test(json.slice(start, start + 2))
    case 'fraction':
      return isFraction(json, start, end)
    default:
      return false
  }
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

function isInteger(json: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (!isDigit(json.charCodeAt(at))) return false
  return true
}

/** True for one or two digits before the point, without an exponent that makes it larger. */
function isFraction(json: string, start: number, end: number): boolean {
  let at = json.charCodeAt(start) === 0x2d ? start + 1 : start
  const first = at
  while (at < end && isDigit(json.charCodeAt(at))) at++
  if (at - first > 2) return false
  const exponent = json.slice(at, end).search(/[eE]/)
  return exponent === -1 || json.charCodeAt(at + exponent + 1) === 0x2d
}

/** No meaningful number has more digits. */
const maxPlainDigits = 40

/** Returns a number as it is spelled, and as it is written out around the decimal point: `-4.1e3` is also 4100. */
export function readNumber(spelling: string): string {
  const [, whole = '', fraction = '', sign = '', power = '0'] =
    /^-?(\d+)(?:\.(\d*))?(?:[eE]([+-]?)(\d+))?$/.exec(spelling) ?? []
  if (whole === spelling) return spelling
  const exponent = Math.min(Number(power), maxPlainDigits) * (sign === '-' ? -1 : 1)
  const digits = whole + fraction
  const point = whole.length + exponent
  const plain =
    point <= 0
      ? `0 ${'0'.repeat(-point)}${digits}`
      : `${digits.slice(0, point).padEnd(point, '0')} ${digits.slice(point)}`
  return `${spelling} ${plain.trim()}`
}
