import type { JsonObject } from '../../../json/index.js'

/** Whether any part of a request asks for more than the usual minutes in the vendor's cache, wherever it stands. */
export function mayAskForHours(body: JsonObject): boolean {
  const waiting: unknown[] = [body]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (value === null || typeof value !== 'object') continue
    if ('ttl' in value && value.ttl !== '5m') return true
    for (const member of Object.values(value)) if (typeof member === 'object') waiting.push(member)
  }
  return false
}
