import { endOfRun, isDigit, isMidWord, isWord } from '../characters.js'
import type { Candidate } from '../finding.js'
import { isCalledIdentifier, precedes } from './context.js'

const called =
  /(?:\bssns?|\bs\.s\.n\.?|\bsocial(?:[\s_-]security)?|\bsoc\.? sec\.?|\bss ?#|\btax(?:payer)?[\s_-]id|\btin|\bitin)\b[^\n\d]{0,16}$/i

/** Never given out, but printed on wallets and in advertisements, so seen everywhere. */
const printed = new Set(['078051120', '219099999'])

/**
 * The social security number that begins at this digit. With hyphens the shape is enough, where no word calls it something
 * else; with spaces, dots, or in one piece it must be called one.
 */
export function matchUsSsn(text: string, start: number): Candidate | undefined {
  const separator = text.charCodeAt(start + 3)
  const parted = separator === 0x2d || separator === 0x20 || separator === 0x2e
  const end = parted ? start + 11 : start + 9
  if (parted && text.charCodeAt(start + 6) !== separator) return undefined
  const area = text.slice(start, start + 3)
  const group = parted ? text.slice(start + 4, start + 6) : text.slice(start + 3, start + 5)
  const serial = text.slice(end - 4, end)
  const digits = area + group + serial
  if (digits.length !== 9 || endOfRun(digits, 0, isDigit, 9) !== 9 || !isApart(text, start, end))
    return undefined
  if (area === '000' || area === '666' || area >= '900' || group === '00' || serial === '0000')
    return undefined
  if (printed.has(digits)) return undefined
  const named = precedes(text, start, 40, called)
  if (!named && (separator !== 0x2d || isCalledIdentifier(text, start))) return undefined
  return { start, end, entity: 'us_ssn' }
}

function isApart(text: string, start: number, end: number): boolean {
  const before = text.charCodeAt(start - 1)
  const after = text.charCodeAt(end)
  if (isMidWord(text, start) || isWord(after) || before === 0x2b) return false
  if ((before === 0x2d || before === 0x2e) && isWord(text.charCodeAt(start - 2))) return false
  return !((after === 0x2d || after === 0x2e) && isWord(text.charCodeAt(end + 1)))
}
