import { canNumberEnd, canNumberStart, endOfRun, isDigit, isHex } from '../characters.js'
import type { Candidate } from '../finding.js'
import { isLabelledIdentifier } from './labels.js'

/** The range of the first digits, and how many digits such cards have. */
type Range = readonly [from: string, to: string, lengths: readonly number[]]

const sixteenUp = [16, 17, 18, 19] as const

/** Visa's 13 digits are left out: none has been issued for decades, and product barcodes start alike. */
const issuers: readonly Range[] = [
  ['4', '4', [16, 19]], // Visa
  ['51', '55', [16]], // Mastercard
  ['2221', '2720', [16]],
  ['34', '34', [15]], // American Express
  ['37', '37', [15]],
  ['6011', '6011', sixteenUp], // Discover
  ['644', '659', sixteenUp],
  ['300', '305', [14, 16]], // Diners Club
  ['3095', '3095', [14, 16]],
  ['36', '36', [14, 16]],
  ['38', '39', [14, 16]],
  ['3528', '3589', sixteenUp], // JCB
  ['62', '62', sixteenUp], // UnionPay
  ['8100', '8171', sixteenUp],
  ['5018', '5018', [12, 13, 14, 15, ...sixteenUp]], // Maestro
  ['5020', '5020', [12, 13, 14, 15, ...sixteenUp]],
  ['5038', '5038', [12, 13, 14, 15, ...sixteenUp]],
  ['5893', '5893', [12, 13, 14, 15, ...sixteenUp]],
  ['6304', '6304', [12, 13, 14, 15, ...sixteenUp]],
  ['6759', '6759', [12, 13, 14, 15, ...sixteenUp]],
  ['6761', '6763', [12, 13, 14, 15, ...sixteenUp]],
  ['2200', '2204', sixteenUp], // Mir
  ['5019', '5019', [16]], // Dankort
  ['508500', '508999', [16]], // RuPay
  ['606985', '607984', [16]],
  ['817200', '820199', [16]],
  ['5067', '5067', [16]], // Elo
  ['509000', '509999', [16]],
  ['506099', '506198', [16, 18, 19]], // Verve
  ['606282', '606282', [16]], // Hipercard
  ['636', '639', sixteenUp], // InterPayment, InstaPayment, Elo
  ['9792', '9792', [16]], // Troy
]

const sixteen = [4, 4, 4, 4]
/** How issuers group digits in print. The shorter first: three digits after a whole number are its security code. */
const groupings = [sixteen, [...sixteen, 3], [4, 6, 5], [4, 6, 4], [6, 13]]

const minDigits = 12

/**
 * The card number that starts at this digit: one that an issuer could have issued and whose check digit is right (Luhn). In
 * one piece, or in the groups of print, separated by single spaces, hyphens or dots.
 */
export function matchCard(text: string, start: number, groupLength: number): Candidate | undefined {
  if (groupLength >= minDigits) {
    const end = start + groupLength
    if (!passesLuhn(text, start, end) || !isCard(text, start, end)) return undefined
    return isAtBoundaries(text, start, end) ? card(start, end) : undefined
  }
  const separator = text.charCodeAt(start + groupLength)
  if (
    (groupLength !== 4 && groupLength !== 6) ||
    (separator !== 0x20 && separator !== 0x2d && separator !== 0x2e)
  ) {
    return undefined
  }
  for (const grouping of groupings) {
    const end = grouping[0] === groupLength ? endOfGroups(text, start, grouping, separator) : undefined
    if (
      end === undefined ||
      !passesLuhn(text, start, end) ||
      (separator === 0x20 && isInTable(text, start, end))
    )
      continue
    if (isCard(text, start, end) && isAtBoundaries(text, start, end)) return card(start, end)
  }
  return undefined
}

const card = (start: number, end: number): Candidate => ({ start, end, entity: 'credit_card' })

/** Where groups of these lengths with this separator end, if they start here. */
function endOfGroups(
  text: string,
  start: number,
  lengths: readonly number[],
  separator: number,
): number | undefined {
  let index = start
  for (const length of lengths) {
    if (index > start) {
      if (text.charCodeAt(index) !== separator) return undefined
      index += 1
    }
    const end = endOfRun(text, index, isDigit, length + 1)
    if (end - index !== length) return undefined
    index = end
  }
  return index
}

/** Not part of something longer: a decimal, a word, a number in more groups, `id-4111…`. */
function isAtBoundaries(text: string, start: number, end: number): boolean {
  if (!canNumberStart(text, start, isJoint) || !canNumberEnd(text, end, isJoint)) return false
  return !isJoint(text.charCodeAt(start - 1)) || !isLabelledIdentifier(text, start)
}

const isJoint = (code: number): boolean => code === 0x2d || code === 0x2e || code === 0x5f

/** In a table of four-digit numbers, decimal or hexadecimal, some sixteen digits pass by chance. */
function isInTable(text: string, start: number, end: number): boolean {
  const followsGroup = text.charCodeAt(start - 1) === 0x20 && isHex(text.charCodeAt(start - 2))
  if (followsGroup && /(?:^|\W)(?=[a-f]*\d)[\da-f]{4,5} $/i.test(text.slice(Math.max(0, start - 7), start)))
    return true
  const precedesGroup = text.charCodeAt(end) === 0x20 && isHex(text.charCodeAt(end + 1))
  if (precedesGroup && /^ (?=[a-f]*\d)[\da-f]{4,5}(?!\w)/i.test(text.slice(end, end + 7))) return true
  return isProgression(text, start)
}

/** `6011 6012 6013 6014`: counting, which sometimes passes. */
function isProgression(text: string, start: number): boolean {
  const [first = 0, second = 0, third = 0, fourth = 0] = [0, 5, 10, 15].map((at) =>
    Number(text.slice(start + at, start + at + 4)),
  )
  return second !== first && third - second === second - first && fourth - third === second - first
}

/** Whether an issuer could have issued the digits between two places. */
function isCard(text: string, start: number, end: number): boolean {
  const digits = text.slice(start, end).replace(/\D/g, '')
  return issuers.some(([from, to, lengths]) => {
    const head = digits.slice(0, from.length)
    return head >= from && head <= to && lengths.includes(digits.length)
  })
}

/** Whether the check digit is right. Checked first, because it rejects nine of ten and allocates nothing. */
function passesLuhn(text: string, start: number, end: number): boolean {
  let sum = 0
  let doubled = false
  for (let index = end - 1; index >= start; index--) {
    const digit = text.charCodeAt(index) - 0x30
    if (digit < 0) continue
    sum += doubled ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit
    doubled = !doubled
  }
  return sum % 10 === 0
}
