import { endOfRun, isDigit, isLetter, isWord } from '../characters.js'
import type { Candidate } from '../finding.js'
import { isCalledIdentifier, precedes } from './context.js'
import { isInternational, isNorthAmerican } from './dialling-codes.js'

/** Digits, the places where their groups end, and the separators between them, from the first digit on. */
interface Groups {
  lengths: number[]
  ends: number[]
  separators: string[]
  digits: string
}

const mostGroups = 8
const mostDigits = 17

const isSeparator = (code: number): boolean =>
  code === 0x20 || code === 0x2d || code === 0x2e || code === 0x28 || code === 0x29 || code === 0x2f

function readGroups(text: string, start: number): Groups {
  const groups: Groups = { lengths: [], ends: [], separators: [], digits: '' }
  let index = start
  while (groups.lengths.length < mostGroups) {
    const end = endOfRun(text, index, isDigit, mostDigits + 1)
    groups.lengths.push(end - index)
    groups.ends.push(end)
    groups.digits += text.slice(index, end)
    const next = endOfRun(text, end, isSeparator, 3)
    if (groups.digits.length > mostDigits || next === end || !isDigit(text.charCodeAt(next))) break
    groups.separators.push(text.slice(end, next))
    index = next
  }
  return groups
}

const phone = (start: number, end: number): Candidate => ({ start, end, entity: 'phone' })

/** The number with a country code that begins at this `+`: `+44 (0)20 7946 0958`. */
export function matchInternational(text: string, plus: number): Candidate | undefined {
  const before = text.charCodeAt(plus - 1)
  const bracket = text.charCodeAt(plus + 1) === 0x28 ? 1 : 0
  const first = plus + 1 + bracket
  const lead = text.charCodeAt(first)
  if (isWord(before) || before === 0x2b || !isDigit(lead) || lead === 0x30) return undefined
  const groups = readGroups(text, first)
  const opening = before === 0x28 ? 1 : 0
  return longest(text, groups, 0, (digits) => isInternational(digits), plus - (closes(groups) ? opening : 0))
}

/** `(+44) 20 …`: the bracket before the plus belongs to the number when it is closed within it. */
const closes = ({ separators }: Groups): boolean => separators[0]?.startsWith(')') ?? false

/** The longest run of whole groups that can be a number and stands apart from what follows. */
function longest(
  text: string,
  { lengths, ends, separators, digits }: Groups,
  skip: number,
  accepts: (digits: string) => boolean,
  start: number,
): Candidate | undefined {
  let best: Candidate | undefined
  let whole = ''
  let index = 0
  for (const [group, length] of lengths.entries()) {
    const part = digits.slice(index, index + length)
    index += length
    // The trunk digit in brackets is for callers within the country: +44 (0)20.
    const trunk = part === '0' && separators[group - 1]?.endsWith('(') && separators[group]?.startsWith(')')
    if (!trunk) whole += part
    const end = ends[group] ?? start
    if (whole.length > skip && standsApart(text, end) && accepts(whole.slice(skip))) best = phone(start, end)
  }
  return best
}

/** Not followed by more of the same: a digit behind a hyphen or dot, a letter, unless that begins an extension. */
function standsApart(text: string, end: number): boolean {
  const after = text.charCodeAt(end)
  if (isWord(after))
    return (after === 0x78 || after === 0x65) && /^(?:x|ext)\.? ?\d/.test(text.slice(end, end + 8))
  return (
    !((after === 0x2d || after === 0x2e || after === 0x2f) && isWord(text.charCodeAt(end + 1))) &&
    after !== 0x25
  )
}

const called =
  /(?:\b(?:(?:tele)?phone|tel|mobile|cell(?:phone)?|fax|whatsapp|sms|hotline|helpline|landline|handy|telefon|mobil|rufnummer|téléphone|telefono|teléfono|móvil|celular|portable|gsm|viber|contact number|(?:call|ring|text|dial|phone|reach)(?: (?:me|us|him|her|them|back))?(?: (?:at|on|under))?)|тел(?:ефон)?|电话|手机|電話|携帯|전화)(?:\s?(?:no|number|num|nr|nummer|#))?\.?["')]?[\s.:=#(-]{0,4}(?:(?:is|at|on|work|home|mobile|cell|number)[\s:]{1,2}){0,2}["'(]?$/i

/** The number in a national form that begins at this digit or at the bracket before it: `(415) 555-0132`, `020 7946 0958`. */
export function matchNational(text: string, digit: number): Candidate | undefined {
  const bracketed = text.charCodeAt(digit - 1) === 0x28
  const start = bracketed ? digit - 1 : digit
  if (!beginsApart(text, start)) return undefined
  const groups = readGroups(text, digit)
  const total = groups.digits.length
  if (total < 7 || isDate(text, digit)) return undefined
  if (bracketed && !closes(groups)) return undefined
  const named = precedes(text, start, 40, called)
  if (!named && groups.lengths.length < 2) return undefined
  if (!named && isCalledIdentifier(text, start)) return undefined
  return (
    matchExit(text, groups, start) ??
    matchShapes(text, groups, start, bracketed) ??
    (named ? matchNamed(text, groups, start) : undefined)
  )
}

function beginsApart(text: string, start: number): boolean {
  const before = text.charCodeAt(start - 1)
  if (isWord(before) || before === 0x24 || before === 0x20ac || before === 0xa3) return false
  return !(
    (before === 0x2d || before === 0x2e || before === 0x2f || before === 0x2b) &&
    (before === 0x2b || isWord(text.charCodeAt(start - 2)))
  )
}

/** `00 44 20 …` and, from North America, `011 44 20 …`. */
function matchExit(text: string, groups: Groups, start: number): Candidate | undefined {
  const skip = groups.digits.startsWith('011') && groups.lengths[0] === 3 ? 3 : 2
  if (skip === 2 && !groups.digits.startsWith('00')) return undefined
  return longest(text, groups, skip, (digits) => isInternational(digits), start)
}

/** Shapes of groups that are told as telephone numbers without a word that says so. `0` and `1` stand for themselves. */
const shapes: readonly { shape: RegExp; digits: RegExp }[] = [
  // North America.
  { shape: /^(?:1[ .-])?(?:3[ .-]|3\/|\(3\)[ .-]?)3[ .-]4$/, digits: /^1?[2-9]/ },
  // A trunk 0 and two to five groups: most of Europe, Asia, Africa, Oceania.
  { shape: /^(?:\([2-5]\) ?|[2-5](?:[ ./-]| [/-] ))(?:[2-8][ .-]){0,4}[2-8]$/, digits: /^0[1-9]\d{7,9}$/ },
  // An area in brackets without a trunk digit: Latin America.
  { shape: /^\([2-3]\) ?[3-5][ -]4$/, digits: /^[1-9]\d{8,10}$/ },
  // Russia and its neighbours, from inside.
  { shape: /^1[ -]?(?:\(3\)|3)[ -]?3[ -]2[ -]2$/, digits: /^8[3489]/ },
  // Mobiles of China.
  { shape: /^3[ -]4[ -]4$/, digits: /^1[3-9]/ },
]

function matchShapes(text: string, groups: Groups, start: number, bracketed: boolean): Candidate | undefined {
  let shape = bracketed ? '(' : ''
  let digits = ''
  let index = 0
  let best: Candidate | undefined
  for (const [group, length] of groups.lengths.entries()) {
    shape += (group > 0 ? groups.separators[group - 1] : '') + String(length)
    digits += groups.digits.slice(index, index + length)
    index += length
    const end = groups.ends[group] ?? start
    if (!standsApart(text, end) || !isPhoneShape(shape, digits)) continue
    if (shape.includes(' ') && !shape.includes('-') && continuesWithDigits(text, end)) continue
    best = phone(start, end)
  }
  return best
}

function isPhoneShape(shape: string, digits: string): boolean {
  const matched = shapes.find((known) => known.shape.test(shape) && known.digits.test(digits))
  if (matched === undefined) return false
  return matched === shapes[0] ? isNorthAmerican(digits.slice(-10)) : true
}

const continuesWithDigits = (text: string, end: number): boolean =>
  text.charCodeAt(end) === 0x20 && isDigit(text.charCodeAt(end + 1))

/** After a word such as `phone:` any grouping will do, also none. */
const matchNamed = (text: string, groups: Groups, start: number): Candidate | undefined =>
  longest(text, groups, 0, (digits) => digits.length >= 7 && digits.length <= 15, start)

/** `2024-01-15`, `15.01.2024`, `01/15/2024`, alone or with a time behind it. */
function isDate(text: string, start: number): boolean {
  const head = text.slice(start, start + 10)
  return (
    /^(?:19|20)\d\d[-./ ](?:0?[1-9]|1[0-2])[-./ ][0-3]?\d/.test(head) ||
    (/^(?:0?[1-9]|[12]\d|3[01])[-./ ](?:0?[1-9]|[12]\d|3[01])[-./ ](?:19|20)\d\d/.test(head) &&
      !isLetter(NaN))
  )
}
