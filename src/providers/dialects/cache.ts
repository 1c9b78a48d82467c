import type { JsonObject } from '../../json/index.js'

/**
 * Whether a request asks for more than the usual minutes in the vendor's cache: as OpenAI has it, for all of it, or as Anthropic
 * has it, for any part, wherever that stands. In every dialect, since many servers answer one dialect with another vendor's model.
 */
export function mayCacheForHours(body: JsonObject): boolean {
  const { prompt_cache_retention } = body
  if (!usual.some((value) => value === prompt_cache_retention)) return true
  const waiting: unknown[] = [body]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (value === null || typeof value !== 'object') continue
    if ('ttl' in value && value.ttl !== '5m') return true
    for (const member of Object.values(value)) if (typeof member === 'object') waiting.push(member)
  }
  return false
}

const usual = [undefined, null, 'in_memory', 'in-memory']
