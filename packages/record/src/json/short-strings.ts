/**
 * Short strings that were read before, each at the index that its hash gives. All bodies contain the same few dozen names and words, and
 * creating a string for each again would take most of the time.
 */
const cache: string[] = Array.from({ length: 1_024 }, () => '')
const maxCachedLength = 32
/** Longer strings are not read here. Reading byte by byte takes longer than searching for their end. */
export const maxShortString = maxCachedLength

/** Returns a string of the text, from the cache where possible. `hash` is computed from its bytes. */
export function readShortString(json: Buffer, start: number, stop: number, hash: number): string {
  if (stop - start > maxCachedLength) return json.toString('utf8', start, stop)
  const index = hash & (cache.length - 1)
  const cached = cache[index] ?? ''
  if (cached.length === stop - start && matchesAt(json, start, cached)) return cached
  const text = json.toString('utf8', start, stop)
  cache[index] = text
  return text
}

/** Returns whether the bytes at a position are this text. Always false for a text that is not ASCII. */
export function matchesAt(json: Buffer, start: number, text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code > 0x7f || json[start + at] !== code) return false
  }
  return true
}
