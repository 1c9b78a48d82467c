import type { Run } from './base64-runs.js'

/** Shorter texts do not show what they are. */
export const windowChars = 256
/** What stands around a window belongs to what is found in it. */
const marginChars = 256

/** Of bytes that are compressed, encrypted, sampled or measured, 256 characters of base64 have 48 to 64 different ones; words have fewer. */
const maxWordCharacters = 47
const minWordCharacters = 5
/** Between two characters, capitals, small letters, digits and the rest take turns two times in three at random. */
const maxTurnShare = 0.5
/** At random, two in five are capitals, two in five small letters, and one in six is a digit. */
const minCaseShare = 0.02
const maxDigitShare = 0.35

const digit = 1
const capital = 2
const small = 3
const kindOf = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/[0-9]/.test(character)) return digit
  return /[A-Z]/.test(character) ? capital : /[a-z]/.test(character) ? small : 0
})

/**
 * Where a text that could be base64 of bytes could be read as it stands: lists of numbers, of keys in one case, words without spaces.
 * It is looked at in windows, by a sample of each first: one character in five. To scan all of a picture for every policy would cost fifty
 * times as much, and find words and patterns in it by chance.
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

/** Not a multiple of four, which is how many characters stand for three bytes. */
const sampleStep = 5
/** Of 64 characters at random, 51 have 35 different ones; 30 or fewer once in two hundred times. */
const minMixedCharacters = 31

/** Whether a sample has more different characters than lists or prose have. */
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
  let [digits, capitals, smalls, turns, before] = [0, 0, 0, 0, -1]
  seen.fill(0)
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    const kind = kindOf[code] ?? 0
    if (kind === digit) digits++
    else if (kind === capital) capitals++
    else if (kind === small) smalls++
    if (kind !== before) turns++
    before = kind
    seen[code & 127] = 1
  }
  const length = end - start
  let different = 0
  for (const each of seen) different += each
  // Zeros, and other bytes that are all the same.
  if (different < 2) return false
  if (digits > maxDigitShare * length || Math.min(capitals, smalls) < minCaseShare * length) return true
  return turns <= maxTurnShare * length && different >= minWordCharacters && different <= maxWordCharacters
}

/** Which characters a window has. */
const seen = new Uint8Array(128)
