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
