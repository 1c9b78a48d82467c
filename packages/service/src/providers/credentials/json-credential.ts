import { type JsonObject, parseObject } from '@tallystick/record/json'

/**
 * Parses a credential with several parts, which is a JSON object. Null for a plain key. Text that starts like an
 * object but is not valid JSON yields an empty object.
 */
export const readJsonCredential = (value: string): JsonObject | null =>
  value.trimStart().startsWith('{') ? (parseObject(value) ?? {}) : null

/** Returns a required, non-empty text. `credentialFault` has already excluded the case that throws. */
export function requireText(object: JsonObject, name: string): string {
  const value = object[name]
  if (typeof value === 'string' && value !== '') return value
  throw new Error(`The credential has no ${name}`)
}

/** Returns a message that lists the missing texts; null when none is missing. */
export function findMissingFields(object: JsonObject, names: readonly string[]): string | null {
  const missing = names.filter((name) => typeof object[name] !== 'string' || object[name] === '')
  return missing.length === 0 ? null : `must be a JSON object with ${names.join(', ')}`
}

/** Returns why a plain key cannot be sent in a header; null when it can. */
export const findKeyFault = (value: string): string | null =>
  /^[\x21-\x7e]{1,16384}$/.test(value) ? null : 'must be a key of printable ASCII characters without spaces'
