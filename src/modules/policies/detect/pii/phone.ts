import { endOfRun, isDigit, isMidWord, isWord } from '../characters.js'
import type { Candidate } from '../finding.js'
import { callBy, findCaller, isCalled, isCalledIdentifier } from './context.js'
import { isInternational, isNorthAmerican } from './dialling-codes.js'
import { type DigitGroups, hasDigits, isSeparator, readDigitGroups } from './digit-groups.js'

const fewestDigits = 7
const mostDigits = 15

/** The number with a country code that begins at this `+`: `+44 (0)20 7946 0958`. */
export function matchInternational(text: string, plus: number): Candidate | undefined {
  const before = text.charCodeAt(plus - 1)
  const first = text.charCodeAt(plus + 1) === 0x28 ? plus + 2 : plus + 1
  const digit = text.charCodeAt(first)
  if (isMidWord(text, plus) || before === 0x2b || !isDigit(digit) || digit === 0x30) return undefined
  if (!hasDigits(text, first, fewestDigits)) return undefined
  const groups = readDigitGroups(text, first)
  // In `(+44) 20 …` the bracket before the plus belongs to the number.
  const bracketed = before === 0x28 && closesBracket(groups)
  return findLongest(text, groups, bracketed ? plus - 1 : plus, ({ digits }) => isInternational(digits))
}

/** The number in a national form that begins at this digit or at the bracket before it: `(415) 555-0132`, `020 7946 0958`. */
export function matchNational(text: string, digit: number, groupLength: number): Candidate | undefined {
  const bracketed = text.charCodeAt(digit - 1) === 0x28
  const start = bracketed ? digit - 1 : digit
  if (!hasDigits(text, digit, fewestDigits)) return undefined
  const formed = canBegin(text, digit, groupLength, bracketed)
  const named = findCalling(text, start)
  if ((!formed && named === undefined) || !beginsApart(text, start) || isDate(text, digit)) return undefined
  const groups = readDigitGroups(text, digit)
  if (bracketed && !closesBracket(groups)) return undefined
  if (named === undefined && isCalledIdentifier(text, start)) return undefined
  const follows = text.charCodeAt(start - 1) === 0x20 && isDigit(text.charCodeAt(start - 2))
  return findLongest(text, groups, start, ({ digits, shape, end }) => {
    if (named !== undefined && digits.length >= named.fewest && digits.length <= mostDigits) return true
    // Groups in a longer row of groups: an account number, a table.
    if (!/[-.)/]/.test(shape) && (follows || isFollowedByDigit(text, end))) return false
    return isFromAbroad(digits, shape) || isPhoneShape(bracketed ? `(${shape}` : shape, digits)
  })
}

/** Whether one of the forms below can begin like this. Most numbers of a text are turned away here, before any is read. */
function canBegin(text: string, digit: number, length: number, bracketed: boolean): boolean {
  const first = text.charCodeAt(digit)
  if (length > 5 || (length === 1 && first !== 0x31 && first !== 0x38)) return false
  const second = endOfRun(text, digit + length, isSeparator, 3)
  const secondEnd = endOfRun(text, second, isDigit, 9)
  if (second === digit + length || secondEnd === second) return false
  if (bracketed) return length > 1 && text.charCodeAt(second - 1) !== 0x28
  if (first === 0x30) return length > 1
  if (length === 1) return secondEnd - second === 3
  const third = endOfRun(text, secondEnd, isSeparator, 1)
  return length === 3 && third > secondEnd && endOfRun(text, third, isDigit, 5) - third === 4
}

/** The beginning of a number: its digits so far, the same with lengths in place of groups (`3-3-4`), and where it ends. */
interface Beginning {
  digits: string
  shape: string
  end: number
}

/** The longest run of whole groups that is accepted and stands apart from what follows. */
function findLongest(
  text: string,
  { digits, lengths, ends, separators }: DigitGroups,
  start: number,
  accepts: (beginning: Beginning) => boolean,
): Candidate | undefined {
  let longest: Candidate | undefined
  const beginning: Beginning = { digits: '', shape: '', end: start }
  let index = 0
  for (const [group, length] of lengths.entries()) {
    const part = digits.slice(index, index + length)
    index += length
    const before = separators[group - 1] ?? ''
    beginning.shape += before + length
    // The trunk digit in brackets is for callers within the country: +44 (0)20.
    if (part !== '0' || !before.endsWith('(')) beginning.digits += part
    beginning.end = ends[group] ?? start
    if (standsApart(text, beginning.end) && accepts(beginning))
      longest = { start, end: beginning.end, entity: 'phone' }
  }
  return longest
}

/** Not followed by more of the same: a digit behind a hyphen or dot, a letter, unless that begins an extension. */
function standsApart(text: string, end: number): boolean {
  const after = text.charCodeAt(end)
  if (isWord(after)) return /^(?:x|ext)\.? ?\d/.test(text.slice(end, end + 8))
  return !(isTight(after) && isWord(text.charCodeAt(end + 1))) && after !== 0x25
}

const isTight = (code: number): boolean => code === 0x2d || code === 0x2e || code === 0x2f

const closesBracket = ({ separators }: DigitGroups): boolean => separators[0]?.startsWith(')') ?? false

/** A digit, or two characters as a dump of bytes has them. */
const isFollowedByDigit = (text: string, end: number): boolean =>
  text.charCodeAt(end) === 0x20 && /^(?:\d|[0-9a-f]{2}(?!\w))/.test(text.slice(end + 1, end + 4))

function beginsApart(text: string, start: number): boolean {
  const before = text.charCodeAt(start - 1)
  if (isMidWord(text, start) || before === 0x2b || isCurrency(before)) return false
  return !(isTight(before) && isWord(text.charCodeAt(start - 2)))
}

const isCurrency = (code: number): boolean =>
  code === 0x24 || code === 0x20ac || code === 0xa3 || code === 0xa5

/** These stand before other numbers too: `call 1000000 times`. */
const verbs = new Set(['call', 'ring', 'text', 'dial'])

const phones = callBy(
  'phone phones telephone tel tél cell cellphone mobile mobil móvil movil fax whatsapp sms hotline helpline landline handy ' +
    'telefon telefono teléfono téléphone celular portable gsm viber rufnummer telefonnummer handynummer msisdn тел телефон моб ' +
    '电话 手机 電話 携帯 전화 call ring text dial',
  'number numbers no num nr nummer is at on me us him her them back or home work office my our the 号码 号 番号',
)

const someone = callBy('me us him her them at on back', '')

/** Whether a word says that this is a telephone number, and how many digits it must have then. */
function findCalling(text: string, start: number): { fewest: number } | undefined {
  const word = findCaller(text, start, phones)
  if (word === undefined) return undefined
  return { fewest: verbs.has(word) && !isCalled(text, start, someone) ? 10 : fewestDigits }
}

/** `00 44 20 …` and, from North America, `011 44 20 …`. */
function isFromAbroad(digits: string, shape: string): boolean {
  // Code points and other tables of four-digit numbers.
  if (/^4(?: 4)+$/.test(shape)) return false
  if (digits.startsWith('011')) return isInternational(digits.slice(3))
  return digits.startsWith('00') && isInternational(digits.slice(2))
}

const northAmerica = /^(?:1[ .-])?(?:3-3-|3\.3\.|3 3[ -]|3\/3-|\(3\)[ .-]?3[ .-])4$/

/** Forms that are told as telephone numbers without a word that says so. */
const forms: readonly { shape: RegExp; digits: RegExp }[] = [
  // A trunk 0, the area, then one long group or up to four shorter: most of Europe, Asia, Africa, Oceania.
  {
    shape:
      /^(?:\([2-5]\) ?|[2-5](?:[ ./-]| [/-] ))(?:[4-8]|[34][ .-][34]|3[ .-]2[ .-]2|2[ .-]2[ .-]2(?:[ .-]2)?)$/,
    digits: /^0[1-9]\d{7,10}$/,
  },
  // An area in brackets without a trunk digit: Latin America.
  { shape: /^\([2-3]\) ?[3-5][ -]4$/, digits: /^[1-9]\d{8,10}$/ },
  // Russia and its neighbours, from inside.
  { shape: /^1[ -]?(?:\(3\)|3)[ -]?3[ -]2[ -]2$/, digits: /^8[3489]/ },
  // Mobiles of China.
  { shape: /^3[ -]4[ -]4$/, digits: /^1[3-9]/ },
]

function isPhoneShape(shape: string, digits: string): boolean {
  if (northAmerica.test(shape) && /^1?\d{10}$/.test(digits) && isNorthAmerican(digits.slice(-10))) return true
  // A ZIP code with its four digits more, 02110-1301; bytes or days counted up.
  if (shape === '5-4' || digits === '0102030405') return false
  return forms.some((form) => form.shape.test(shape) && form.digits.test(digits))
}

/** `2024-01-15`, `20240115`, `15.01.2024`, `01/15/2024`, alone or with a time behind it. */
const isDate = (text: string, start: number): boolean =>
  /^(?:(?:19|20)\d\d[-./ ]?(?:0?[1-9]|1[0-2])[-./ ]?[0-3]?\d(?!\d)|[0-3]?\d[-./ ][0-3]?\d[-./ ](?:19|20)\d\d)/.test(
    text.slice(start, start + 10),
  )
