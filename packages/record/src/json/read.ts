// Reads JSON values that another party wrote, and that may have any type.

export type JsonObject = Record<string, unknown>

export function isObject(value: unknown): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

export const asObject = (value: unknown): JsonObject => (isObject(value) ? value : {})
export const asArray = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
export const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** No call uses more tokens. A larger number is wrong, and would distort every sum that includes it. */
export const maxCount = 1_000_000_000

/** Reads a reported count. Null for anything but a plausible whole number. */
export function readCount(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= maxCount
    ? value
    : null
}

export const asCount = (value: unknown): number => readCount(value) ?? 0

/** Reads the name of a model that a provider reports. Null for anything but a plain name, because it becomes part of the record. */
export function readModelName(value: unknown): string | null {
  return typeof value === 'string' && /^[\x21-\x7e]{1,200}$/.test(value) ? value : null
}

/** Parses a JSON object. Null for any other text. */
export function parseObject(text: string): JsonObject | null {
  // Every stream ends with `[DONE]`. Throwing and catching an error for it takes as long as parsing four events.
  if (!/^\s*\{/.test(text)) return null
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

/** Returns every text in a value, at any depth and in order, except in members with these names. */
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
