import { isDigit, isForeignLetter, isLetter, isLower, isUnspacedScript, isUpper } from '../characters.js'

const mostWords = 4
const mostBetween = 6
const mostWord = 16

/**
 * Words that stand right before a number and say what it is. Between them and the number other words may stand that add
 * nothing: `phone number is`. Lookups of single words, not one long expression: they are tried at every number of a text.
 */
export interface Calling {
  words: ReadonlySet<string>
  fillers: ReadonlySet<string>
}

export const callBy = (words: string, fillers: string): Calling => ({
  words: new Set(words.split(' ')),
  fillers: new Set(fillers.split(' ')),
})

/** Whether the words before a place call it so. */
export const isCalled = (text: string, place: number, calling: Calling): boolean =>
  findCaller(text, place, calling) !== undefined

/** The word before a place that calls it so. */
export function findCaller(text: string, place: number, { words, fillers }: Calling): string | undefined {
  let end = place
  for (let count = 0; count < mostWords; count++) {
    end = skipBack(text, end)
    const start = startOfWord(text, end)
    if (start === end) return undefined
    const word = text.slice(start, end).toLowerCase()
    if (has(words, word)) return word
    // In `phoneNumber` the second word is one by itself.
    const inner = startOfCapitalised(text, start, end)
    const last = inner === start ? word : word.slice(inner - start)
    if (inner > start && has(words, last)) return last
    if (!has(fillers, last)) return undefined
    end = inner
  }
  return undefined
}

/** Scripts without spaces: the end of the run may be the word. */
function has(words: ReadonlySet<string>, word: string): boolean {
  if (!isUnspacedScript(word.charCodeAt(word.length - 1))) return words.has(word)
  return words.has(word.slice(-1)) || words.has(word.slice(-2)) || words.has(word.slice(-3))
}

function skipBack(text: string, from: number): number {
  let index = from
  while (from - index < mostBetween && isBetween(text.charCodeAt(index - 1))) index -= 1
  return index
}

/** What stands between a name and its value: spaces, quotes, brackets and `. : = # - _ > *`. */
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

/** Back to where a word begins, with a digit at its end (`ipv4`) left in. */
function startOfWord(text: string, end: number): number {
  let index = end
  if (isDigit(text.charCodeAt(index - 1)) && isLetter(text.charCodeAt(index - 2))) index -= 1
  while (end - index < mostWord) {
    const code = text.charCodeAt(index - 1)
    if (!isLetter(code) && !isForeignLetter(code)) break
    index -= 1
  }
  return index
}

/** The last capital that a small letter stands before or behind: `phoneNumber`, `userSSN`. */
function startOfCapitalised(text: string, start: number, end: number): number {
  for (let index = end - 1; index > start; index--) {
    if (!isUpper(text.charCodeAt(index))) continue
    if (isLower(text.charCodeAt(index - 1)) || isLower(text.charCodeAt(index + 1))) return index
  }
  return start
}

const identifiers = callBy(
  'order invoice ticket case ref reference account acct tracking serial sku isbn issn ean upc doi part model id uuid version po ' +
    'vin imei lot batch item catalogue catalog policy claim confirmation booking contract patent routing receipt transaction ' +
    'txn product shipment build commit license licence badge passport asset chapter clause section iccid barcode nhs',
  'number no num nr id code key',
)

/** `Order no. …`, `"sku": "…"`: words that say what the number is, and that it is not about a person. */
export const isCalledIdentifier = (text: string, place: number): boolean => isCalled(text, place, identifiers)
