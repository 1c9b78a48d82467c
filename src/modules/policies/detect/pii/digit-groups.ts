import { endOfRun, isDigit } from '../characters.js'

/** A number written in groups: how long they are, where they end, and what stands between them. */
export interface DigitGroups {
  digits: string
  lengths: number[]
  ends: number[]
  separators: string[]
}

const mostGroups = 8
const mostDigits = 17

/** What people put between the groups of a telephone number. */
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

/** Whether so many digits come before anything but digits and separators. Asked first, for it makes nothing. */
export function hasDigits(text: string, start: number, enough: number): boolean {
  let count = 0
  for (let index = start; count < enough; index++) {
    const code = text.charCodeAt(index)
    if (isDigit(code)) count += 1
    else if (!isSeparator(code) || index - start > mostDigits * 2) return false
  }
  return true
}

/** The groups from this digit on, as far as a telephone number can go and a little further. */
export function readDigitGroups(text: string, start: number): DigitGroups {
  const groups: DigitGroups = { digits: '', lengths: [], ends: [], separators: [] }
  let index = start
  for (;;) {
    const end = endOfRun(text, index, isDigit, mostDigits + 1)
    groups.lengths.push(end - index)
    groups.ends.push(end)
    groups.digits += text.slice(index, end)
    const next = endOfRun(text, end, isSeparator, 4)
    const separator = text.slice(end, next)
    if (!isDigit(text.charCodeAt(next)) || !separators.has(separator)) return groups
    if (groups.digits.length > mostDigits || groups.lengths.length === mostGroups) return groups
    groups.separators.push(separator)
    index = next
  }
}
