import type { Finding } from '../detect/index.js'
import type { TextFinder } from '../kinds/judge.js'
import { type ReadText, readJsonText, readLongJsonText } from './json-text.js'
import type { Pace } from './pace.js'

export interface JudgedText {
  text: string
  /** Whether the text is itself JSON. */
  json: boolean
  /** The answer repeats here what the request said: nothing to judge, but what was taken out there goes back. */
  isEcho?: boolean
}

const longChars = 65_536

/** The text as its reader will take it: JSON without its escapes. */
export function readText(text: JudgedText, pace: Pace): ReadText | Promise<ReadText> {
  return text.json && text.text.length > longChars ? readLongJsonText(text.text, pace) : readShortText(text)
}

/** The same in one go. */
export const readShortText = ({ text, json }: JudgedText): ReadText =>
  json ? readJsonText(text) : { text, positions: undefined }

/** What a finder finds in a text, at the places of the text as it is written. Long ones are gone through in strides. */
export function scan(
  read: ReadText,
  finder: TextFinder,
  isPlain: boolean,
  pace: Pace,
): Finding[] | Promise<Finding[]> {
  const { text } = read
  // Nearly all texts are short: a promise for each would cost as much as the look itself.
  if (text.length <= finder.atOnce) return toWritten(finder.find(text, 0, text.length, isPlain), read)
  return scanLong(read, finder, isPlain, pace)
}

async function scanLong(
  read: ReadText,
  finder: TextFinder,
  isPlain: boolean,
  pace: Pace,
): Promise<Finding[]> {
  const { text } = read
  const found: Finding[] = []
  for (let from = 0; from < text.length; from += finder.stride) {
    const looked = finder.find(text, from, Math.min(text.length, from + finder.stride), isPlain)
    for (const finding of toWritten(looked, read)) found.push(finding)
    if (pace.isDue()) await pace.rest()
  }
  return found
}

function toWritten(found: Finding[], { positions }: ReadText): Finding[] {
  if (positions === undefined) return found
  return found.map((finding) => ({
    ...finding,
    start: positions[finding.start] ?? 0,
    end: positions[finding.end] ?? 0,
  }))
}
