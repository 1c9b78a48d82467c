import { canNumberEnd, canNumberStart, endOfRun, isDigit, isHex } from '../characters.js'
import type { Candidate } from '../finding.js'
import { isLabelledIdentifier } from './labels.js'

/** A range of first digits, and how many digits such cards have. */
type Range = readonly [from: string, to: string, lengths: readonly number[]]

const sixteenOrMore = [16, 17, 18, 19] as const

/** Visa's 13 digits are left out: none has been issued for decades, and product barcodes start alike. */
const issuers: readonly Range[] = [
  ['4', '4', [16, 19]], // Visa
  ['51', '55', [16]], // Mastercard
  ['2221', '2720', [16]],
  ['34', '34', [15]], // American Express
  ['37', '37', [15]],
  ['6011', '6011', sixteenOrMore], // Discover
  ['644', '659', sixteenOrMore],
  ['300', '305', [14, 16]], // Diners Club
  ['3095', '3095', [14, 16]],
  ['36', '36', [14, 16]],
  ['38', '39', [14, 16]],
  ['3528', '3589', sixteenOrMore], // JCB
  ['62', '62', sixteenOrMore], // UnionPay
  ['8100', '8171', sixteenOrMore],
  ['5018', '5018', [12, 13, 14, 15, ...sixteenOrMore]], // Maestro
  ['5020', '5020', [12, 13, 14, 15, ...sixteenOrMore]],
  ['5038', '5038', [12, 13, 14, 15, ...sixteenOrMore]],
  ['5893', '5893', [12, 13, 14, 15, ...sixteenOrMore]],
  ['6304', '6304', [12, 13, 14, 15, ...sixteenOrMore]],
  ['6759', '6759', [12, 13, 14, 15, ...sixteenOrMore]],
  ['6761', '6763', [12, 13, 14, 15, ...sixteenOrMore]],
  ['2200', '2204', sixteenOrMore], // Mir
  ['5019', '5019', [16]], // Dankort
  ['508500', '508999', [16]], // RuPay
  ['606985', '607984', [16]],
  ['817200', '820199', [16]],
  ['5067', '5067', [16]], // Elo
  ['509000', '509999', [16]],
  ['506099', '506198', [16, 18, 19]], // Verve
  ['606282', '606282', [16]], // Hipercard
  ['636', '639', sixteenOrMore], // InterPayment, InstaPayment, Elo
  ['9792', '9792', [16]], // Troy
]

const sixteen = [4, 4, 4, 4]
/** How issuers group digits in print. Shorter groupings come first: three digits after a complete number are its security code. */
const groupings = [sixteen, [...sixteen, 3], [4, 6, 5], [4, 6, 4], [6, 13]]

const minDigits = 12

/**
 * Matches the card number that starts at this digit: an issuer could have issued it, and its check digit is right (Luhn). It has no
 * separators, or is grouped as in print by single spaces, hyphens or dots.
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

/** Returns the end of groups of these lengths with this separator, if they start here. */
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

/** True when the digits are not part of something longer: a decimal, a word, a number in more groups, `id-4111…`. */
function isAtBoundaries(text: string, start: number, end: number): boolean {
  if (!canNumberStart(text, start, isJoint) || !canNumberEnd(text, end, isJoint)) return false
  return !isJoint(text.charCodeAt(start - 1)) || !isLabelledIdentifier(text, start)
}

const isJoint = (code: number): boolean => code === 0x2d || code === 0x2e || code === 0x5f

/** True inside a table of four-digit numbers, decimal or hexadecimal, where some sequences of 16 digits are valid by chance. */
function isInTable(text: string, start: number, end: number): boolean {
  const followsGroup = text.charCodeAt(start - 1) === 0x20 && isHex(text.charCodeAt(start - 2))
  if (followsGroup && /(?:^|\W)(?=[a-f]*\d)[\da-f]{4,5} $/i.test(text.slice(Math.max(0, start - 7), start)))
    return true
  const precedesGroup = text.charCodeAt(end) === 0x20 && isHex(text.charCodeAt(end + 1))
  if (precedesGroup && /^ (?=[a-f]*\d)[\da-f]{4,5}(?!\w)/i.test(text.slice(end, end + 7))) return true
  return isProgression(text, start)
}

/** True for counting, such as `6011 6012 6013 6014`, which is sometimes valid by chance. */
function isProgression(text: string, start: number): boolean {
  const [first = 0, second = 0, third = 0, fourth = 0] = [0, 5, 10, 15].map((at) =>
    Number(text.slice(start + at, start + at + 4)),
  )
  return second !== first && third - second === second - first && fourth - third === second - first
}

/** True when an issuer could have issued the digits in this span. */
function isCard(text: string, start: number, end: number): boolean {
  const digits = text.slice(start, end).replace(/\D/g, '')
  return issuers.some(([from, to, lengths]) => {
    const head = digits.slice(0, from.length)
    return head >= from && head <= to && lengths.includes(digits.length)
  })
}

/** True when the check digit is right. This is tested first, because it rejects nine numbers of ten and allocates nothing. */
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
