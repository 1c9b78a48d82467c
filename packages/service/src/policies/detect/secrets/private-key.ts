import { endOfRun, isBase64, isSpace } from '../characters.js'
import type { Candidate } from '../finding.js'
import { type FoldedText, positionAfter } from '../fold.js'

const opening = '-----BEGIN '
const label = /(?:[A-Z0-9]{1,10} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y
/** Matches headers, such as `Proc-Type: 4,ENCRYPTED` and `Version: GnuPG v2`. Line ends may be written as `\n`. */
const headers = /(?:(?:\s|\\[nr]){1,4}[A-Z][A-Za-z-]{2,16}: [\w ,.:()/-]{1,64}){0,3}/y
/** Matches the closing line, with PGP's checksum before it. */
const closing = /(?:=[A-Za-z0-9+/]{4}(?:\s|\\[nr]){1,4})?-----END [A-Z0-9 ]{3,40}-----/y

/** Keys that are in use are shorter: an RSA key of 8,192 bits takes 6,400 characters. */
const maxKeyLength = 8192

/** A line of key material has 64 or 76 characters. A shorter one is the last line, or a word of the text that follows. */
const minLineLength = 32

/** Finds private keys in PEM, from the first line to the last, or to the end of the key material if the last line is missing. */
export function findPrivateKeys(folded: FoldedText): Candidate[] {
  const { text } = folded
  const found: Candidate[] = []
  for (let start = text.indexOf(opening); start >= 0; start = text.indexOf(opening, start + 1)) {
    const body = endOf(label, text, start + opening.length)
    if (body === undefined) continue
    const end = endOfMaterial(
      text,
      endOf(headers, text, body) ?? body,
      positionAfter(folded, start, maxKeyLength),
    )
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
  for (let index = skipBetween(text, from); index < limit; index = skipBetween(text, end)) {
    const ending = end === undefined ? undefined : endOf(closing, text, index)
    if (ending !== undefined) return ending
    const runEnd = endOfRun(text, index, isBase64, limit - index)
    const padded = endOfRun(text, runEnd, (code) => code === 0x3d, 2)
    const isOtherToken = isUrlSafe(text.charCodeAt(padded)) && !text.startsWith('-----END', padded)
    const isLine = runEnd - index >= minLineLength && !isOtherToken
    if (!isLine) {
      // A short line counts as the last if the closing line follows, or as the first if it starts as keys do.
      const closed = endOf(closing, text, skipBetween(text, padded))
      if (end !== undefined || isShortKey(text.slice(index, runEnd), closed !== undefined))
        return closed ?? end ?? padded
      return undefined
    }
    end = padded
  }
  return end
}

/** True for short key material: it starts like DER or an OpenSSH key, or the closing line follows and it is not a word. */
const isShortKey = (line: string, closed: boolean): boolean =>
  /^(?:MI[A-Za-z0-9+/]{10}|b3BlbnNzaC)/.test(line) ||
  (closed && /^(?=.*[A-Z])(?=.*[a-z])(?=.*\d).{12}/.test(line))

/** A run before one of these characters is a token in the URL-safe alphabet of base64, not a line of a key. */
const isUrlSafe = (code: number): boolean => code === 0x2e || code === 0x5f || code === 0x2d

/** Skips line ends, also written as `\\n`, indentation, and what code and quotes put around lines. */
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
