import { describeName, type MemberName } from './text-rules.js'

export const noName = describeName('')

/**
 * A hash table of names that were read before. All bodies share the same few dozen names, which then need not be
 * sliced and looked up in the rules each time.
 */
const known: (MemberName | undefined)[] = Array.from({ length: 4_096 })
const maxKnownLength = 40
const backslash = 0x5c

/**
 * Returns what is known of the name between two positions of a JSON text; null for one that is long or contains
 * escapes.
 */
export function nameAt(json: string, start: number, end: number): MemberName | null {
  if (end - start > maxKnownLength) return null
  let hash = 0
  for (let at = start; at < end; at++) {
    const code = json.charCodeAt(at)
    if (code === backslash) return null
    hash = (Math.imul(hash, 31) + code) | 0
  }
  const place = hash & (known.length - 1)
  const found = known[place]
  if (found?.text.length === end - start && matchesAt(json, start, found.text)) return found
  const name = describeName(copy(json.slice(start, end)))
  known[place] = name
  return name
}

function matchesAt(json: string, start: number, text: string): boolean {
  for (let at = 0; at < text.length; at++)
    if (json.charCodeAt(start + at) !== text.charCodeAt(at)) return false
  return true
}

/** A slice would keep the whole text in memory. */
const copy = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le')
