import { asObject, type JsonObject } from '@tallystick/record/json'

/**
 * True when a request asks the vendor to cache longer than the usual minutes: in OpenAI's form for the whole
 * request, or in Anthropic's form for any part of it. This is checked in every dialect, because many servers serve
 * one vendor's model in another vendor's dialect.
 */
export function mayCacheForAnHour(body: JsonObject): boolean {
  const { prompt_cache_retention } = body
  if (!usualRetentions.some((value) => value === prompt_cache_retention)) return true
  const waiting: unknown[] = [body]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (value === null || typeof value !== 'object') continue
    if (Array.isArray(value)) {
      for (const item of value) if (typeof item === 'object') waiting.push(item)
      continue
    }
    const object = asObject(value)
    // An object from JSON inherits nothing that is enumerable. A list of its values would take three times as long.
    for (const name in object) {
      const member = object[name]
      if (name === 'ttl' && member !== '5m') return true
      if (typeof member === 'object') waiting.push(member)
    }
  }
  return false
}

const usualRetentions = [undefined, null, 'in_memory', 'in-memory']
