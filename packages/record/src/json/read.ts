/** Reading of JSON that somebody else made: every step may find something else than expected. */
export type JsonObject = Record<string, unknown>

export function isObject(value: unknown): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

export const asObject = (value: unknown): JsonObject => (isObject(value) ? value : {})
export const asArray = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
export const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** No call takes more tokens. A larger figure is a mistake or a lie, and would spoil every sum that it entered. */
export const maxCount = 1_000_000_000

/** A count that somebody reports. Null for anything but a whole number that can be true: it says nothing. */
export function readCount(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= maxCount
    ? value
    : null
}

export const asCount = (value: unknown): number => readCount(value) ?? 0

/** The name of a model as a provider gives it. It enters the record: one that is no plain name is not kept. */
export function readModelName(value: unknown): string | null {
  return typeof value === 'string' && /^[\x21-\x7e]{1,200}$/.test(value) ? value : null
}

/** Null for text that is not a JSON object. */
export function parseObject(text: string): JsonObject | null {
  // Every stream ends with a `[DONE]`: to throw and catch an error for it takes as long as to parse four events.
  if (!/^\s*\{/.test(text)) return null
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

/** Every text in a value, at any depth, in its order, but for what stands in members of these names. */
export function stringsIn(value: unknown, except: ReadonlySet<string> = nothing): string[] {
  const found: string[] = []
  const waiting: unknown[] = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next === 'string') found.push(next)
    else if (typeof next === 'object' && next !== null)
      for (const [name, member] of Object.entries(next).reverse()) if (!except.has(name)) waiting.push(member)
  }
  return found
}

// Bounded: stays empty.
const nothing: ReadonlySet<string> = new Set()

/** The value as text, to be counted. JSON that can be parsed can still be nested too deeply to be written again. */
export function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}
