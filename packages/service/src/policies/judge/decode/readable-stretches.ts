import type { Run } from './base64-runs.js'

/** Shorter texts are too short to classify. */
export const windowChars = 256
/** Text around a readable window is judged with it, because a finding may extend beyond the window. */
const marginChars = 256

/** Of bytes that are compressed, encrypted, sampled or measured, 256 characters of base64 have 48 to 64 different ones; words have fewer. */
const maxWordCharacters = 47
const minWordCharacters = 5
/** In random base64, two neighbouring characters are of different classes (capital, small, digit, other) two times in three. */
const maxClassChangeShare = 0.5
/** At random, two in five are capitals, two in five small letters, and one in six is a digit. */
const minCaseShare = 0.02
const maxDigitShare = 0.35

const digit = 1
const capital = 2
const small = 3
const classOf = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/[0-9]/.test(character)) return digit
  return /[A-Z]/.test(character) ? capital : /[a-z]/.test(character) ? small : 0
})

/**
 * Finds stretches of possible base64 that may be readable text: lists of numbers, keys in one case, words without spaces. It checks windows,
 * and samples every fifth character of a window first. Scanning a whole picture for every policy would cost fifty times as much, and would
 * find words and patterns by chance.
 */
export function findReadable(text: string, from: number, to: number): Run[] {
  const found: Run[] = []
  for (let at = from; at < to; at += windowChars) {
    const start = Math.max(from, Math.min(at, to - windowChars))
    const end = Math.min(to, start + windowChars)
    if (isMixed(text, start, end) || !isReadable(text, start, end)) continue
    const stretch = { start: Math.max(0, start - marginChars), end: start + windowChars + marginChars }
    const last = found.at(-1)
    if (last && last.end >= stretch.start) last.end = stretch.end
    else found.push(stretch)
  }
  return found
}

/** Not a multiple of four, because four characters of base64 encode three bytes. */
const sampleStep = 5
/** Of 64 characters at random, 51 have 35 different ones; 30 or fewer once in two hundred times. */
const minMixedCharacters = 31

/** True when a sample has more different characters than lists or prose have. */
function isMixed(text: string, start: number, end: number): boolean {
  // One bit for each of 32 codes: marks and digits, capitals, small letters.
  let [marks, capitals, smalls] = [0, 0, 0]
  for (let at = start; at < end; at += sampleStep) {
    const code = text.charCodeAt(at)
    const bit = 1 << (code & 31)
    if (code < 0x40) marks |= bit
    else if (code < 0x60) capitals |= bit
    else smalls |= bit
  }
  return countBits(marks) + countBits(capitals) + countBits(smalls) >= minMixedCharacters
}

function countBits(bits: number): number {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++
  return count
}

function isReadable(text: string, start: number, end: number): boolean {
  let [digits, capitals, smalls, classChanges, previous] = [0, 0, 0, 0, -1]
  seen.fill(0)
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    const characterClass = classOf[code] ?? 0
    if (characterClass === digit) digits++
    else if (characterClass === capital) capitals++
    else if (characterClass === small) smalls++
    if (characterClass !== previous) classChanges++
    previous = characterClass
    seen[code & 127] = 1
  }
  const length = end - start
  let different = 0
  for (const each of seen) different += each
  // Zeros, and other bytes that are all the same.
  if (different < 2) return false
  if (digits > maxDigitShare * length || Math.min(capitals, smalls) < minCaseShare * length) return true
  return (
    classChanges <= maxClassChangeShare * length &&
    different >= minWordCharacters &&
    different <= maxWordCharacters
  )
}

/** The characters of the current window, by code. */
const seen = new Uint8Array(128)
