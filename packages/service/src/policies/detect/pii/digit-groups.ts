import { endOfRun, isDigit } from '../characters.js'

/** A number in groups of digits: the lengths and ends of the groups, and what separates them. */
export interface DigitGroups {
  digits: string
  lengths: number[]
  ends: number[]
  separators: string[]
}

const maxGroups = 8
const maxDigits = 17

/** The separators that people write between the groups of a phone number. */
const separators = new Set([
  ' ',
  '-',
  '.',
  '/',
  ') ',
  ')',
  ' (',
  '(',
  ')-',
  ' - ',
  ' / ',
  '-(',
  ')(',
  ') (',
  ' -',
  '- ',
])

export const isSeparator = (code: number): boolean =>
  code === 0x20 || code === 0x2d || code === 0x2e || code === 0x28 || code === 0x29 || code === 0x2f

/** True when this many digits come before anything else than digits and separators. Tested first, because it allocates nothing. */
export function hasDigits(text: string, start: number, minDigits: number): boolean {
  let count = 0
  for (let index = start; count < minDigits; index++) {
    const code = text.charCodeAt(index)
    if (isDigit(code)) count += 1
    else if (!isSeparator(code) || index - start > maxDigits * 2) return false
  }
  return true
}

/** Reads the groups that start at this digit, up to a little more than the longest phone number. */
export function readDigitGroups(text: string, start: number): DigitGroups {
  const groups: DigitGroups = { digits: '', lengths: [], ends: [], separators: [] }
  let index = start
  for (;;) {
    const end = endOfRun(text, index, isDigit, maxDigits + 1)
    groups.lengths.push(end - index)
    groups.ends.push(end)
    groups.digits += text.slice(index, end)
    const next = endOfRun(text, end, isSeparator, 4)
    const separator = text.slice(end, next)
    if (!isDigit(text.charCodeAt(next)) || !separators.has(separator)) return groups
    if (groups.digits.length > maxDigits || groups.lengths.length === maxGroups) return groups
    groups.separators.push(separator)
    index = next
  }
}
