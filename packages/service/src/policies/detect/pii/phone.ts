import {
  canNumberEnd,
  canNumberStart,
  endOfRun,
  isAlphanumeric,
  isDigit,
  isLetter,
  isUnderscore,
  isWord,
} from '../characters.js'
import type { Candidate } from '../finding.js'
import { isInternational, isNorthAmerican } from './dialling-codes.js'
import { type DigitGroups, hasDigits, isSeparator, readDigitGroups } from './digit-groups.js'
import { createLabels, findLabel, isLabelled, isLabelledIdentifier } from './labels.js'

const minDigits = 7
const maxDigits = 15

/** Matches the number with a country code that starts at this `+`: `+44 (0)20 7946 0958`. */
export function matchInternational(text: string, plus: number): Candidate | undefined {
  const before = text.charCodeAt(plus - 1)
  const first = text.charCodeAt(plus + 1) === 0x28 ? plus + 2 : plus + 1
  const digit = text.charCodeAt(first)
  if (!canNumberStart(text, plus, isUnderscore) || before === 0x2b || !isDigit(digit) || digit === 0x30)
    return undefined
  if (!hasDigits(text, first, minDigits)) return undefined
  const groups = readDigitGroups(text, first)
  // In `(+44) 20 …` the bracket before the plus belongs to the number.
  const inBrackets = before === 0x28 && closesBracket(groups)
  return findLongest(text, groups, inBrackets ? plus - 1 : plus, ({ digits }) => isInternational(digits))
}

/** Matches the number in a national form that starts at this digit or at the bracket before it: `(415) 555-0132`, `020 7946 0958`. */
export function matchNational(text: string, digit: number, groupLength: number): Candidate | undefined {
  // Other brackets hold the whole number: `(415-555-0132)`.
  const inBrackets = text.charCodeAt(digit - 1) === 0x28 && closesFirstGroup(text, digit + groupLength)
  const start = inBrackets ? digit - 1 : digit
  const canHaveForm = canStartForm(text, digit, groupLength, inBrackets)
  // In `call_0301234567` the word before is a part of a name.
  const label = isJoined(text, start) ? undefined : findPhoneLabel(text, start)
  if ((!canHaveForm && label === undefined) || !startsAtBoundary(text, start) || isDate(text, digit))
    return undefined
  const groups = readDigitGroups(text, digit)
  if (label === undefined && isLabelledIdentifier(text, start)) return undefined
  const followsDigit = text.charCodeAt(start - 1) === 0x20 && isDigit(text.charCodeAt(start - 2))
  return findLongest(text, groups, start, ({ digits, shape, end }) => {
    if (label !== undefined && digits.length >= label.minDigits && digits.length <= maxDigits) return true
    // Without other separators, groups next to further digits are an account number or a table.
    if (!/[-.)/]/.test(shape) && (followsDigit || isFollowedByDigit(text, end))) return false
    return hasExitCode(digits, shape) || isPhoneShape(inBrackets ? `(${shape}` : shape, digits)
  })
}

/**
 * True when one of the forms below can start like this. It rejects most numbers before their groups are read: without it, `findPii`
 * took 1.9 times as long on tables of numbers.
 */
function canStartForm(text: string, digit: number, length: number, inBrackets: boolean): boolean {
  const first = text.charCodeAt(digit)
  if (length > 5 || (length === 1 && first !== 0x31 && first !== 0x38)) return false
  const second = endOfRun(text, digit + length, isSeparator, 3)
  const secondEnd = endOfRun(text, second, isDigit, 9)
  if (second === digit + length || secondEnd === second) return false
  if (inBrackets) return length > 1 && text.charCodeAt(second - 1) !== 0x28
  if (first === 0x30) return length > 1
  if (length === 1) return secondEnd - second === 3
  const third = endOfRun(text, secondEnd, isSeparator, 1)
  return length === 3 && third > secondEnd && endOfRun(text, third, isDigit, 5) - third === 4
}

/** The first groups of a number. */
interface FirstGroups {
  digits: string
  /** The lengths of the groups and what separates them: `3-3-4`. */
  shape: string
  end: number
}

/** Returns the longest sequence of complete groups that is accepted and ends at a boundary. */
function findLongest(
  text: string,
  { digits, lengths, ends, separators }: DigitGroups,
  start: number,
  accepts: (groups: FirstGroups) => boolean,
): Candidate | undefined {
  let longest: Candidate | undefined
  const first: FirstGroups = { digits: '', shape: '', end: start }
  let index = 0
  for (const [group, length] of lengths.entries()) {
    const part = digits.slice(index, index + length)
    index += length
    const before = separators[group - 1] ?? ''
    first.shape += before + length
    // The trunk digit in brackets is not dialled from abroad: +44 (0)20.
    if (part !== '0' || !before.endsWith('(')) first.digits += part
    first.end = ends[group] ?? start
    if (endsAtBoundary(text, first.end) && accepts(first))
      longest = { start, end: first.end, entity: 'phone' }
  }
  return longest
}

/** True unless a letter (other than an extension), a digit (also after a hyphen or dot), or a hyphen with a letter follows. */
function endsAtBoundary(text: string, end: number): boolean {
  const after = text.charCodeAt(end)
  if (isAlphanumeric(after)) return /^(?:x|ext)\.? ?\d/.test(text.slice(end, end + 8))
  // The number is part of a path or a UUID.
  if ((after === 0x2f || after === 0x2d) && isLetter(text.charCodeAt(end + 1))) return false
  return canNumberEnd(text, end, isJoint) && after !== 0x25
}

const isJoint = (code: number): boolean => code === 0x2d || code === 0x2e || code === 0x2f || code === 0x5f

const closesFirstGroup = (text: string, end: number): boolean => text.charCodeAt(end) === 0x29

const closesBracket = ({ separators }: DigitGroups): boolean => separators[0]?.startsWith(')') ?? false

/** True when a digit follows, or two characters as in a hex dump. */
const isFollowedByDigit = (text: string, end: number): boolean =>
  text.charCodeAt(end) === 0x20 && /^(?:\d|[0-9a-f]{2}(?!\w))/.test(text.slice(end + 1, end + 4))

function startsAtBoundary(text: string, start: number): boolean {
  const before = text.charCodeAt(start - 1)
  if (before === 0x2b && !isLetter(text.charCodeAt(start - 2))) return false
  if (before === 0x2f && isWord(text.charCodeAt(start - 2))) return false
  return canNumberStart(text, start, isJoint) && !isCurrency(before)
}

const isJoined = (text: string, start: number): boolean =>
  isJoint(text.charCodeAt(start - 1)) && isLetter(text.charCodeAt(start - 2))

const isCurrency = (code: number): boolean =>
  code === 0x24 || code === 0x20ac || code === 0xa3 || code === 0xa5

/** Labels that also come before other numbers: `call 1000000 times`. */
const verbs = new Set(['call', 'ring', 'text', 'dial'])

const phones = createLabels(
  'phone phones telephone tel tél cell cellphone mobile mobil móvil movil fax whatsapp sms hotline helpline landline handy ' +
    'telefon telefono teléfono téléphone celular portable gsm viber rufnummer telefonnummer handynummer msisdn тел телефон моб ' +
    '电话 手机 電話 携帯 전화 call ring text dial',
  'number numbers no num nr nummer is at on me us him her them back or home work office my our the 号码 号 番号',
)

const persons = createLabels('me us him her them at on back', '')

/** Returns how many digits the number must have if a label says that it is a phone number; undefined without a label. */
function findPhoneLabel(text: string, start: number): { minDigits: number } | undefined {
  const label = findLabel(text, start, phones)
  if (label === undefined) return undefined
  return { minDigits: verbs.has(label) && !isLabelled(text, start, persons) ? 10 : minDigits }
}

/** True for numbers with an exit code: `00 44 20 …` and, from North America, `011 44 20 …`. */
function hasExitCode(digits: string, shape: string): boolean {
  // Tables of four-digit numbers, such as code points, are not phone numbers.
  if (/^4(?: 4)+$/.test(shape)) return false
  if (digits.startsWith('011')) return isInternational(digits.slice(3))
  return digits.startsWith('00') && isInternational(digits.slice(2))
}

const northAmerica = /^(?:1[ .-])?(?:3-3-|3\.3\.|3 3[ -]|3\/3-|\(3\)[ .-]?3[ .-])4$/

/** Forms that are recognized without a label. */
const forms: readonly { shape: RegExp; digits: RegExp }[] = [
  // Most of Europe, Asia, Africa and Oceania: a trunk 0, the area, then one long group or up to four shorter ones.
  {
    shape:
      /^(?:\([2-5]\) ?|[2-5](?:[ ./-]| [/-] ))(?:[4-8]|[34][ .-][34]|3[ .-]2[ .-]2|2[ .-]2[ .-]2(?:[ .-]2)?)$/,
    digits: /^0[1-9]\d{7,10}$/,
  },
  // Latin America: an area in brackets without a trunk digit.
  { shape: /^\([2-3]\) ?[3-5][ -]4$/, digits: /^[1-9]\d{8,10}$/ },
  // Russia and its neighbours: domestic numbers.
  { shape: /^1[ -]?(?:\(3\)|3)[ -]?3[ -]2[ -]2$/, digits: /^8[3489]/ },
  // China: mobile numbers.
  { shape: /^3[ -]4[ -]4$/, digits: /^1[3-9]/ },
]

function isPhoneShape(shape: string, digits: string): boolean {
  if (northAmerica.test(shape) && /^1?\d{10}$/.test(digits) && isNorthAmerican(digits.slice(-10))) return true
  // Excludes ZIP+4 codes, such as 02110-1301, and counted bytes or days.
  if (shape === '5-4' || digits === '0102030405') return false
  return forms.some((form) => form.shape.test(shape) && form.digits.test(digits))
}

/** True for dates, with or without a time: `2024-01-15`, `20240115`, `15.01.2024`, `01/15/2024`. */
const isDate = (text: string, start: number): boolean =>
  /^(?:(?:19|20)\d\d[-./ ]?(?:0?[1-9]|1[0-2])[-./ ]?[0-3]?\d(?!\d)|[0-3]?\d[-./ ][0-3]?\d[-./ ](?:19|20)\d\d)/.test(
    text.slice(start, start + 10),
  )
