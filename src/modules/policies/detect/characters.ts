/** Character codes by kind, for scanners that look at one character at a time. NaN, past either end, is of no kind. */

export const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

export const isLetter = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a)

export const isUpper = (code: number): boolean => code >= 0x41 && code <= 0x5a

export const isLower = (code: number): boolean => code >= 0x61 && code <= 0x7a

export const isAlphanumeric = (code: number): boolean => isDigit(code) || isLetter(code)

/** What a name in a program is made of. */
export const isWord = (code: number): boolean => isAlphanumeric(code) || code === 0x5f

export const isHex = (code: number): boolean =>
  isDigit(code) || (code >= 0x61 && code <= 0x66) || (code >= 0x41 && code <= 0x46)

export const isBase64Url = (code: number): boolean => isWord(code) || code === 0x2d

export const isBase64 = (code: number): boolean => isAlphanumeric(code) || code === 0x2b || code === 0x2f

export const isSpace = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d)

const letter = /[\p{L}\p{M}\p{N}]/u

/** What the expression said of a character before: asking it each time takes 30 times as long. 0: not asked yet, 1: no, 2: yes. */
const answers = new Uint8Array(0x10000)

/** Letters, marks and digits beyond ASCII. */
export function isForeignLetter(code: number): boolean {
  if (!(code >= 0xaa)) return false
  if (answers[code] === 0) answers[code] = letter.test(String.fromCharCode(code)) ? 2 : 1
  return answers[code] === 2
}

/** Letters of scripts that are written without spaces: where such a word ends, an ASCII one can begin. */
export const isUnspacedScript = (code: number): boolean =>
  (code >= 0x0e00 && code <= 0x0eff) ||
  (code >= 0x1000 && code <= 0x11ff) ||
  (code >= 0x2e80 && code <= 0xd7ff)

/** The end of the run of characters of one kind that begins here; no further than `most` characters. */
export function endOfRun(text: string, from: number, kind: (code: number) => boolean, most: number): number {
  const limit = Math.min(text.length, from + most)
  let index = from
  while (index < limit && kind(text.charCodeAt(index))) index += 1
  return index
}

/** Whether a word is under way right before this place. `\n` written out as two characters is the end of a line, not a letter. */
export function isMidWord(text: string, place: number): boolean {
  const before = text.charCodeAt(place - 1)
  if (!isWord(before)) return false
  const escaped = before === 0x6e || before === 0x72 || before === 0x74
  return !(escaped && text.charCodeAt(place - 2) === 0x5c)
}
