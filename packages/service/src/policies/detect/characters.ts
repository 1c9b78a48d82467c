/** Classes of character codes, for scanners that read one character at a time. NaN, past either end of a text, is in no class. */

export const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

export const isLetter = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a)

export const isUpper = (code: number): boolean => code >= 0x41 && code <= 0x5a

export const isLower = (code: number): boolean => code >= 0x61 && code <= 0x7a

export const isAlphanumeric = (code: number): boolean => isDigit(code) || isLetter(code)

/** True for the characters of names in programs. */
export const isWord = (code: number): boolean => isAlphanumeric(code) || code === 0x5f

export const isHex = (code: number): boolean =>
  isDigit(code) || (code >= 0x61 && code <= 0x66) || (code >= 0x41 && code <= 0x46)

export const isBase64Url = (code: number): boolean => isWord(code) || code === 0x2d

export const isBase64 = (code: number): boolean => isAlphanumeric(code) || code === 0x2b || code === 0x2f

export const isSpace = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d)

const letterOfAnyScript = /[\p{L}\p{M}\p{N}]/u

/**
 * Caches for each character whether the expression matches: 0 for not tested yet, 1 for no, 2 for yes. Testing each time takes 30
 * times as long, and `findPii` took 1.5 times as long on Chinese and Russian addresses.
 */
const cachedLetters = new Uint8Array(0x10000)

/** True for letters, marks and digits beyond ASCII. */
export function isNonAsciiLetter(code: number): boolean {
  if (!(code >= 0xaa)) return false
  if (cachedLetters[code] === 0)
    cachedLetters[code] = letterOfAnyScript.test(String.fromCharCode(code)) ? 2 : 1
  return cachedLetters[code] === 2
}

const mark = /\p{M}/u
const cachedMarks = new Uint8Array(0x10000)

/** True for combining marks, which belong to the letter before them. Takes a code point. */
export function isMark(point: number): boolean {
  if (point < 0x300) return false
  if (point > 0xffff) return mark.test(String.fromCodePoint(point))
  if (cachedMarks[point] === 0) cachedMarks[point] = mark.test(String.fromCharCode(point)) ? 2 : 1
  return cachedMarks[point] === 2
}

/** True for letters of scripts that are written without spaces: an ASCII word can start right after one. */
export const isUnspacedScript = (code: number): boolean =>
  (code >= 0x0e00 && code <= 0x0eff) ||
  (code >= 0x1000 && code <= 0x11ff) ||
  (code >= 0x2e80 && code <= 0xd7ff)

/** Returns the end of the run of characters of one class that starts here, at most `maxLength` characters further. */
export function endOfRun(
  text: string,
  from: number,
  isInClass: (code: number) => boolean,
  maxLength: number,
): number {
  const limit = Math.min(text.length, from + maxLength)
  let index = from
  while (index < limit && isInClass(text.charCodeAt(index))) index += 1
  return index
}

/** True when the character before this position belongs to a word. The `n` of an escaped `\n` does not. */
export function isMidWord(text: string, position: number): boolean {
  const before = text.charCodeAt(position - 1)
  if (!isWord(before)) return false
  const isEscape = before === 0x6e || before === 0x72 || before === 0x74
  return !(isEscape && text.charCodeAt(position - 2) === 0x5c)
}

export const isUnderscore = (code: number): boolean => code === 0x5f

/**
 * True when a number can start here: there is no letter or digit before it, and no digit before a character that joins the parts of
 * one number. File names and variable names use the same characters: `scan-4111…`, `ssn_536-…`.
 */
export function canNumberStart(text: string, position: number, joins: (code: number) => boolean): boolean {
  const before = text.charCodeAt(position - 1)
  if (!isUnderscore(before) && isMidWord(text, position)) return false
  return !(joins(before) && isDigit(text.charCodeAt(position - 2)))
}

/** True when a number can end here, by what follows: `4111….png`, `536-…_front`. */
export function canNumberEnd(text: string, position: number, joins: (code: number) => boolean): boolean {
  const after = text.charCodeAt(position)
  if (isAlphanumeric(after)) return false
  return !(joins(after) && isDigit(text.charCodeAt(position + 1)))
}
