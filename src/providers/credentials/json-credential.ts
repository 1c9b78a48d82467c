import { type JsonObject, parseObject } from '../../json/index.js'

/** A credential of several parts is a JSON object; null for a plain key. What begins like one and is none has no parts. */
export const readJsonCredential = (value: string): JsonObject | null =>
  value.trimStart().startsWith('{') ? (parseObject(value) ?? {}) : null

/** A text that is there and not empty; throws otherwise, which `credentialFault` has ruled out. */
export function requireText(object: JsonObject, name: string): string {
  const value = object[name]
  if (typeof value === 'string' && value !== '') return value
  throw new Error(`The credential has no ${name}`)
}

/** Which of these texts are missing, in words; null when none is. */
export function faultOfTexts(object: JsonObject, names: readonly string[]): string | null {
  const missing = names.filter((name) => typeof object[name] !== 'string' || object[name] === '')
  return missing.length === 0 ? null : `must be a JSON object with ${names.join(', ')}`
}

/** A plain key goes into a header. */
export const faultOfKey = (value: string): string | null =>
  /^[\x21-\x7e]{1,16384}$/.test(value) ? null : 'must be a key of printable ASCII without blanks'
