import { endOfRun, isBase64Url, isMidWord } from '../characters.js'
import type { Candidate } from '../finding.js'
import { type FoldedText, positionAfter } from '../fold.js'

const maxHeaderLength = 384
/** Longer tokens do not fit into HTTP headers, for which they are made. */
const maxTokenLength = 8192

/**
 * Finds JSON web tokens by their first part, which decodes to an object that names an algorithm. The second part must also start like
 * an object, unless the token is encrypted. That is enough, so a stream need not wait for the end of a long token.
 */
export function findJwts(folded: FoldedText): Candidate[] {
  const { text } = folded
  const found: Candidate[] = []
  for (let start = text.indexOf('eyJ'); start >= 0; start = text.indexOf('eyJ', start + 1)) {
    // The second part of a token also starts with `eyJ`, but is not the start of another token.
    const before = text.charCodeAt(start - 1)
    if (isMidWord(text, start) || before === 0x2d || before === 0x2e) continue
    const dot = endOfRun(text, start, isBase64Url, maxHeaderLength)
    if (text.charCodeAt(dot) !== 0x2e) continue
    const header = readHeader(text.slice(start, dot))
    if (header === undefined || !(header.encrypted || startsObject(text, dot + 1))) continue
    const end = endOfToken(
      text,
      dot + 1,
      positionAfter(folded, start, maxTokenLength),
      header.encrypted ? 4 : 2,
    )
    found.push({ start, end, entity: 'secret:jwt' })
  }
  return found
}

function readHeader(part: string): { encrypted: boolean } | undefined {
  try {
    const header: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    if (typeof header !== 'object' || header === null || !('alg' in header)) return undefined
    return typeof header.alg === 'string' ? { encrypted: 'enc' in header } : undefined
  } catch {
    return undefined
  }
}

/** True for base64 of `{"` or `{}`, followed by plain text. */
function startsObject(text: string, from: number): boolean {
  const end = endOfRun(text, from, isBase64Url, 48)
  const plain = Buffer.from(text.slice(from, end), 'base64url').toString('latin1')
  return /^\{\s{0,4}["}][\s\P{Cc}]*$/u.test(plain)
}

/** Returns the end of a token with this many dots. Five consecutive hyphens belong to what follows: a line, or the end of a key. */
function endOfToken(text: string, from: number, limit: number, dots: number): number {
  let index = from
  let dotsLeft = dots - 1
  while (index < limit) {
    const code = text.charCodeAt(index)
    const isDot = code === 0x2e && dotsLeft > 0 && isBase64Url(text.charCodeAt(index + 1))
    if (isDot) dotsLeft -= 1
    else if (!isBase64Url(code) || (code === 0x2d && text.startsWith('-----', index))) break
    index += 1
  }
  return index
}
