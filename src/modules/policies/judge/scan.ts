import type { Finding } from '../detect/index.js'
import type { TextFinder } from '../kinds/judge.js'
import { type ReadText, readJsonText } from './json-text.js'
import type { Pace } from './pace.js'

export interface JudgedText {
  text: string
  /** Whether the text is itself JSON. */
  json: boolean
  /** The answer repeats here what the request said: nothing to judge, but what was taken out there goes back. */
  isEcho?: boolean
}

/** The text as its reader will take it: JSON without its escapes. */
export const readText = ({ text, json }: JudgedText): ReadText =>
  json ? readJsonText(text) : { text, positions: undefined }

/** What a finder finds in a text, at the places of the text as it is written. Long ones are gone through in strides. */
export function scan(read: ReadText, finder: TextFinder, pace: Pace): Finding[] | Promise<Finding[]> {
  const { text } = read
  // Nearly all texts are short: a promise for each would cost as much as the look itself.
  if (text.length <= finder.stride) return toWritten(finder.find(text, 0, text.length), read)
  return scanLong(read, finder, pace)
}

async function scanLong(read: ReadText, finder: TextFinder, pace: Pace): Promise<Finding[]> {
  const { text } = read
  const found: Finding[] = []
  for (let from = 0; from < text.length; from += finder.stride) {
    for (const finding of finder.find(text, from, Math.min(text.length, from + finder.stride)))
      found.push(finding)
    if (pace.isDue()) await pace.rest()
  }
  return toWritten(found, read)
}

function toWritten(found: Finding[], { positions }: ReadText): Finding[] {
  if (positions === undefined) return found
  return found.map((finding) => ({
    ...finding,
    start: positions[finding.start] ?? 0,
    end: positions[finding.end] ?? 0,
  }))
}
