import { matchesName } from '../../../policies/index.js'

// Longer names are never permitted.
const maxNameLength = 512
const maxDecodings = 4

/** True when a pattern permits the prompt. */
export const mayUsePrompt = (name: string, patterns: readonly string[]): boolean =>
  name.length <= maxNameLength && patterns.some((pattern) => matchesName(name, pattern))

/**
 * True when the patterns permit every way in which a server may read the URI. `file:///docs/../secrets` begins like a permitted document,
 * but a server may resolve it to another one.
 */
export const mayReadResource = (uri: string, patterns: readonly string[]): boolean =>
  [...readingsOf(uri)].every((reading) => mayUsePrompt(reading, patterns))

/** Returns the URI as written, and as servers may read it after decoding escapes and resolving dot segments. */
function readingsOf(uri: string): Set<string> {
  const readings = new Set<string>()
  let text = uri
  for (let i = 0; i < maxDecodings; i++) {
    for (const start of starts) readings.add(followDots(text, start))
    readings.add(text)
    const decoded = decodeEscapes(text)
    if (decoded === text) return readings
    text = decoded
  }
  // A URI that is escaped this often is refused, since no pattern permits the empty string.
  return readings.add('')
}

/** Decodes the escapes of characters that change where a path leads. */
const decodeEscapes = (text: string): string =>
  text.replaceAll(/%(2e|2f|5c|25)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/** The two ways to find the start of the path: after the host, or directly after the scheme. */
const starts = [/^[a-z][a-z0-9+.-]*:(?:\/\/[^/]*)?/i, /^[a-z][a-z0-9+.-]*:(?:\/\/)?/i]

function followDots(uri: string, start: RegExp): string {
  const slashed = uri.replaceAll('\\', '/')
  const head = start.exec(slashed)?.[0] ?? ''
  const path = slashed.slice(head.length)
  const kept: string[] = []
  for (const segment of path.split('/')) {
    if (segment === '..') kept.pop()
    else if (segment !== '.') kept.push(segment)
  }
  const followed = kept.join('/')
  return path.startsWith('/') && !followed.startsWith('/') ? `${head}/${followed}` : `${head}${followed}`
}
