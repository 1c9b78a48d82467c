import { describeName, type MemberName } from './text-rules.js'

export const noName = describeName('')

/**
 * Names that were read before, each in the place that its hash gives it. All bodies have the same few dozen, and need
 * not cut them out and look them up in the rules each time.
 */
const known: (MemberName | undefined)[] = Array.from({ length: 4_096 })
const maxKnownLength = 40
const backslash = 0x5c

/** What is known of the name between two places of a JSON text; null for one that is long, or has escapes in it. */
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
  if (found?.text.length === end - start && standsAt(json, start, found.text)) return found
  const name = describeName(copy(json.slice(start, end)))
  known[place] = name
  return name
}

function standsAt(json: string, start: number, text: string): boolean {
  for (let at = 0; at < text.length; at++)
    if (json.charCodeAt(start + at) !== text.charCodeAt(at)) return false
  return true
}

/** A slice keeps all of the text alive that it was cut from. */
const copy = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le')
