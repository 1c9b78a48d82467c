import { matchesName } from '../../modules/policies/index.js'

// A longer name is in no list.
const maxNameLength = 512
const maxDecodings = 4

/** Whether the list of a server's prompts has this. */
export const mayPrompt = (name: string, patterns: readonly string[]): boolean =>
  name.length <= maxNameLength && patterns.some((pattern) => matchesName(name, pattern))

/**
 * Whether the list of a server's resources has this URI, however the server may read it: `file:///docs/../secrets` begins like a document,
 * and is none.
 */
export const mayRead = (uri: string, patterns: readonly string[]): boolean =>
  [...readingsOf(uri)].every((reading) => mayPrompt(reading, patterns))

/** The URI as it is written, and as whoever decodes it and follows its dots may understand it. */
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
  // Nobody writes it so often over itself but to hide something.
  return readings.add('')
}

/** Of escapes that are characters of paths: others do not change where it leads. */
const decodeEscapes = (text: string): string =>
  text.replaceAll(/%(2e|2f|5c|25)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/** Where the path begins: after the host, or in place of it. */
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
