import { endOfRun, isBase64, isBase64Url, isSpace } from '../characters.js'
import type { Candidate } from '../finding.js'

const opening = '-----BEGIN '
const label = /(?:[A-Z0-9]{1,10} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y
/** `Proc-Type: 4,ENCRYPTED`, `Version: GnuPG v2`, with line ends that may be written out as `\n`. */
const headers = /(?:(?:\s|\\[nr]){1,4}[A-Z][A-Za-z-]{2,16}: [\w ,.:()/-]{1,64}){0,3}/y
const closing = /-----END [A-Z0-9 ]{3,40}-----/y

/** No key that is in use is longer: an RSA key of 8,192 bits takes 6,400 characters. */
export const mostKeyLength = 8192

/** A line of key material has 64 or 76 characters; shorter than this is the last line, or a word of the text that follows. */
const shortestLine = 32

/** Private keys in PEM, from the first line to the last, or as far as there is key material when the end is missing. */
export function findPrivateKeys(text: string): Candidate[] {
  const found: Candidate[] = []
  for (let start = text.indexOf(opening); start >= 0; start = text.indexOf(opening, start + 1)) {
    const body = endOf(label, text, start + opening.length)
    if (body === undefined) continue
    const end = endOfMaterial(text, endOf(headers, text, body) ?? body, start + mostKeyLength)
    if (end !== undefined) found.push({ start, end, entity: 'secret:private_key' })
  }
  return found
}

function endOf(expression: RegExp, text: string, from: number): number | undefined {
  expression.lastIndex = from
  const match = expression.exec(text)
  return match === null ? undefined : from + match[0].length
}

function endOfMaterial(text: string, from: number, limit: number): number | undefined {
  let end: number | undefined
  let index = skipBetween(text, from)
  while (index < limit) {
    const runEnd = endOfRun(text, index, isBase64, limit - index)
    const padded = endOfRun(text, runEnd, (code) => code === 0x3d, 2)
    const length = runEnd - index
    const isLine =
      length >= shortestLine && !isBase64Url(text.charCodeAt(padded)) && text.charCodeAt(padded) !== 0x2e
    if (!isLine && !(end !== undefined && endsAfter(text, padded))) break
    end = padded
    index = skipBetween(text, padded)
    if (!isLine) break
  }
  if (end === undefined) return undefined
  return endOf(closing, text, skipBetween(text, end)) ?? end
}

/** The short last line of a key counts only where the closing line follows, with a checksum line of PGP between at most. */
function endsAfter(text: string, place: number): boolean {
  return text.startsWith('-----END', skipBetween(text, place))
}

/** Line ends, also written out, indentation, and what code and quotes put around lines. */
function skipBetween(text: string, from: number): number {
  let index = from
  while (index - from < 48) {
    const code = text.charCodeAt(index)
    if (isSpace(code) || code === 0x22 || code === 0x27 || code === 0x2c || code === 0x3e || code === 0x23)
      index += 1
    else if (code === 0x5c && /[nrt\\]/.test(text.charAt(index + 1))) index += 2
    else if (code === 0x2b && isSpace(text.charCodeAt(index + 1))) index += 1
    else break
  }
  return index
}
