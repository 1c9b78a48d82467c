import { isDigit, isLetter, isLower, isNonAsciiLetter, isUnspacedScript, isUpper } from '../characters.js'

const maxWords = 4
const maxBetween = 6
const maxWordLength = 16

/**
 * Words right before a number that say what it is. Fillers may come in between: `phone number is`. Words are looked up one by one,
 * because one long expression, tried at every number of a text, took most of the time.
 */
export interface Labels {
  words: ReadonlySet<string>
  fillers: ReadonlySet<string>
}

export const createLabels = (words: string, fillers: string): Labels => ({
  words: new Set(words.split(' ')),
  fillers: new Set(fillers.split(' ')),
})

/** True when one of the labels comes before this position. */
export const isLabelled = (text: string, position: number, labels: Labels): boolean =>
  findLabel(text, position, labels) !== undefined

/** Returns the label before this position. */
export function findLabel(text: string, position: number, { words, fillers }: Labels): string | undefined {
  let end = position
  for (let count = 0; count < maxWords; count++) {
    end = skipBack(text, end)
    const start = startOfWord(text, end)
    if (start === end) return undefined
    const word = text.slice(start, end).toLowerCase()
    if (has(words, word)) return word
    // `phoneNumber` is two words.
    const inner = startOfCapitalised(text, start, end)
    const last = inner === start ? word : word.slice(inner - start)
    if (inner > start && has(words, last)) return last
    if (!has(fillers, last)) return undefined
    end = inner
  }
  return undefined
}

/** In scripts without spaces, the word may be the end of the run. */
function has(words: ReadonlySet<string>, word: string): boolean {
  if (!isUnspacedScript(word.charCodeAt(word.length - 1))) return words.has(word)
  return words.has(word.slice(-1)) || words.has(word.slice(-2)) || words.has(word.slice(-3))
}

function skipBack(text: string, from: number): number {
  let index = from
  while (from - index < maxBetween && isBetween(text.charCodeAt(index - 1))) index -= 1
  return index
}

/** True for the characters between a label and its value: spaces, quotes, brackets and `. : = # - _ > *`. */
function isBetween(code: number): boolean {
  switch (code) {
    case 0x20:
    case 0x09:
    case 0x22:
    case 0x27:
    case 0x60:
    case 0x28:
    case 0x5b:
    case 0x5d:
    case 0x29:
    case 0x2e:
    case 0x3a:
    case 0x3d:
    case 0x23:
    case 0x2d:
    case 0x5f:
    case 0x3e:
    case 0x2a:
      return true
    default:
      return false
  }
}

/** Returns the start of the word before this position. The word may end with a digit: `ipv4`. */
function startOfWord(text: string, end: number): number {
  let index = end
  if (isDigit(text.charCodeAt(index - 1)) && isLetter(text.charCodeAt(index - 2))) index -= 1
  while (end - index < maxWordLength) {
    const code = text.charCodeAt(index - 1)
    if (!isLetter(code) && !isNonAsciiLetter(code)) break
    index -= 1
  }
  return index
}

/** Returns the position of the last capital next to a small letter, where a word inside a name starts: `phoneNumber`, `userSSN`. */
function startOfCapitalised(text: string, start: number, end: number): number {
  for (let index = end - 1; index > start; index--) {
    if (!isUpper(text.charCodeAt(index))) continue
    if (isLower(text.charCodeAt(index - 1)) || isLower(text.charCodeAt(index + 1))) return index
  }
  return start
}

const identifiers = createLabels(
  'order invoice ticket case ref reference account acct tracking serial sku isbn issn ean upc doi part model id uuid version po ' +
    'vin imei lot batch item catalogue catalog policy claim confirmation booking contract patent routing receipt transaction ' +
    'txn product shipment build commit license licence badge passport asset chapter clause section iccid barcode nhs',
  'number no num nr id code key',
)

/** True when a label says that the number is no personal data: `Order no. …`, `"sku": "…"`. */
export const isLabelledIdentifier = (text: string, position: number): boolean =>
  isLabelled(text, position, identifiers)
