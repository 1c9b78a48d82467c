import { endOfRun, isDigit, isMidWord, isWord } from '../characters.js'
import type { Candidate } from '../finding.js'

/** First digits from and to, and how many digits such cards have. */
type Range = readonly [from: string, to: string, lengths: readonly number[]]

const sixteenUp = [16, 17, 18, 19] as const

/** Visa's 13 digits are left out: none has been issued for decades, and product barcodes begin alike. */
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

/** How issuers group digits in print. */
const groupings = ['4-4-4-4', '4-6-5', '4-6-4', '4-4-4-4-3', '6-13']

const mostDigits = 19

/**
 * The card number that begins at this digit: one that an issuer could have issued and whose last digit is right (Luhn), in
 * one piece or in the groups of print, parted by single spaces, hyphens or dots.
 */
export function matchCard(text: string, start: number): Candidate | undefined {
  const before = text.charCodeAt(start - 1)
  if (isMidWord(text, start) || before === 0x2e || (before === 0x2d && isWord(text.charCodeAt(start - 2))))
    return undefined
  let end = endOfRun(text, start, isDigit, mostDigits + 1)
  let digits = text.slice(start, end)
  if (digits.length >= 12) return endsWell(text, end) && isCard(digits) ? card(start, end) : undefined
  const separator = text.charCodeAt(end)
  if (digits.length !== 4 && digits.length !== 6) return undefined
  if (separator !== 0x20 && !isTight(separator)) return undefined
  if (separator === 0x20 && followsGroupOfFour(text, start)) return undefined
  let grouping = String(digits.length)
  while (digits.length < mostDigits && text.charCodeAt(end) === separator) {
    const next = endOfRun(text, end + 1, isDigit, mostDigits)
    if (next === end + 1) return undefined
    grouping += `-${next - end - 1}`
    digits += text.slice(end + 1, next)
    end = next
    // The shortest that fits: a group of three after a whole number is its security code.
    if (groupings.includes(grouping) && isCard(digits)) {
      const alone =
        !isProgression(digits) &&
        endsWell(text, end) &&
        !(separator === 0x20 && precedesGroupOfFour(text, end))
      return alone ? card(start, end) : undefined
    }
  }
  return undefined
}

const card = (start: number, end: number): Candidate => ({ start, end, entity: 'credit_card' })

const isTight = (code: number): boolean => code === 0x2d || code === 0x2e

/** Not in the middle of something longer: a decimal, a name, an identifier. */
function endsWell(text: string, end: number): boolean {
  const after = text.charCodeAt(end)
  return !isWord(after) && !(isTight(after) && isWord(text.charCodeAt(end + 1)))
}

/** In a table of four-digit numbers, decimal or hexadecimal, some sixteen digits are right by chance. */
const followsGroupOfFour = (text: string, start: number): boolean =>
  /(?:^|\W)(?=[a-f]*\d)[\da-f]{4,5} $/i.test(text.slice(Math.max(0, start - 7), start))

const precedesGroupOfFour = (text: string, end: number): boolean =>
  /^ (?=[a-f]*\d)[\da-f]{4,5}(?!\w)/i.test(text.slice(end, end + 7))

/** `6011 6012 6013 6014`: counting, which now and then comes out right. */
function isProgression(digits: string): boolean {
  const [first = 0, second = 0, third = 0, fourth = 0] = [0, 4, 8, 12].map((at) =>
    Number(digits.slice(at, at + 4)),
  )
  return second !== first && third - second === second - first && fourth - third === second - first
}

export function isCard(digits: string): boolean {
  return (
    digits.length >= 12 &&
    digits.length <= mostDigits &&
    passesLuhn(digits) &&
    issuers.some(([from, to, lengths]) => {
      const head = digits.slice(0, from.length)
      return head >= from && head <= to && lengths.includes(digits.length)
    })
  )
}

function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - 0x30
    const doubled = index % 2 === 0 ? digit : digit * 2
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}
