import { fold as foldText } from '../../detect/fold.js'
import type { Finding } from '../../detect/index.js'
import type { TextFinder } from '../judge.js'
import { withFolding } from './with-folding.js'

/**
 * At worst, words with the same prefix are compared to their ends at every position: with 1,024 positions and words of 200
 * letters that takes 10 ms. Usually it is 1 µs.
 */
const strideFor = (maxWordLength: number) => Math.min(8_192, Math.floor((1_024 * 200) / maxWordLength))

/** How many spaces may be in the text where a phrase has one. */
const maxSpaces = 16

/** How many characters of each word are in the expression that searches for all words first. */
const prefixChars = 6

const letter = '[\\p{L}\\p{N}\\p{M}_]'
const isLetter = /[\p{L}\p{N}\p{M}_]/u
const isUnspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const needsBoundary = (edge = '') => isLetter.test(edge) && !isUnspaced.test(edge)

/**
 * Finds words and phrases as whole words: `ass` is not in `class`. In scripts that are written without spaces, a match may
 * stand anywhere. A space in a phrase stands for any spaces.
 */
export function createKeywordFinder(given: readonly string[], caseSensitive: boolean): TextFinder {
  // Words are searched both as given and folded, because a letter may be given as a base and a combining mark.
  const words = [...new Set([...given, ...given.map((word) => foldText(word).text)])].filter((word) =>
    /\S/u.test(word),
  )
  const fold = caseSensitive ? (code: number) => code : foldCase
  const list = new WordList(words, fold)
  const prefixes = createPrefixPattern(words, caseSensitive)
  const reach = Math.max(...words.map((word) => word.length + maxSpaces * spacesIn(word))) + 2
  const stride = strideFor(reach)
  const finder: TextFinder = {
    maxWholeChars: stride,
    strideChars: stride,
    find(text, from, to) {
      const found: Finding[] = []
      const scanned = text.slice(0, to + reach)
      prefixes.lastIndex = from
      for (let match = prefixes.exec(scanned); match && match.index < to; match = prefixes.exec(scanned)) {
        const start = match.index
        const end = list.findEnd(scanned, start)
        if (end !== -1) found.push({ start, end, entity: 'keyword', placeholder: 'KEYWORD' })
        prefixes.lastIndex = start + 1
      }
      return found
    },
  }
  return withFolding(finder, reach)
}

const spacesIn = (word: string): number => word.split(/\s+/u).length - 1

function createPrefixPattern(words: readonly string[], caseSensitive: boolean): RegExp {
  const alternatives = words.map((word) => {
    const [first = ''] = word.trim().split(/\s/u, 1)
    const characters = [...first].slice(0, prefixChars)
    const escaped = characters.map((each) => each.replace(/[\\^$.*+?()[\]{}|/]/u, '\\$&')).join('')
    return needsBoundary(characters[0]) ? `(?<!${letter})${escaped}` : escaped
  })
  return new RegExp([...new Set(alternatives)].join('|'), caseSensitive ? 'gu' : 'giu')
}

/** A list of words, sorted so that words with the same prefix are neighbours. */
class WordList {
  readonly #fold: (code: number) => number
  readonly #words: { codes: Uint16Array; needsBoundary: boolean }[]

  constructor(words: readonly string[], fold: (code: number) => number) {
    this.#fold = fold
    this.#words = words
      .map((word) => word.trim().replace(/\s+/gu, ' '))
      .map((word) => ({ codes: toCodes(word, fold), needsBoundary: needsBoundary([...word].at(-1)) }))
      .sort((a, b) => compare(a.codes, b.codes))
  }

  /** Returns the end of the longest word that starts here; -1 for none. */
  findEnd(text: string, start: number): number {
    let low = 0
    let high = this.#words.length
    let at = start
    let longest = -1
    for (let depth = 0; low < high && at < text.length; depth++) {
      const code = this.#fold(text.charCodeAt(at))
      const isBlank = isSpace(code)
      const wanted = isBlank ? 0x20 : code
      // Usually all words that are left continue alike. Searching anyway took 1.8 times as long with 200 such phrases.
      if (this.#codeAt(low, depth) !== wanted || this.#codeAt(high - 1, depth) !== wanted) {
        low = this.#firstFrom(low, high, depth, wanted)
        high = this.#firstFrom(low, high, depth, wanted + 1)
      }
      at += isBlank ? countSpaces(text, at) : 1
      const word = this.#words[low]
      if (low < high && word?.codes.length === depth + 1) {
        if (!word.needsBoundary || !isLetter.test(characterAt(text, at))) longest = at
      }
    }
    return longest
  }

  /** Returns the first of the words with the same prefix whose next character is this one or greater. */
  #firstFrom(low: number, high: number, depth: number, code: number): number {
    let from = low
    let to = high
    while (from < to) {
      const middle = (from + to) >> 1
      if (this.#codeAt(middle, depth) < code) from = middle + 1
      else to = middle
    }
    return from
  }

  #codeAt(index: number, depth: number): number {
    return this.#words[index]?.codes[depth] ?? -1
  }
}

const toCodes = (word: string, fold: (code: number) => number): Uint16Array =>
  Uint16Array.from({ length: word.length }, (_, at) => fold(word.charCodeAt(at)))

/** A word comes before those that continue it. */
function compare(a: Uint16Array, b: Uint16Array): number {
  for (let at = 0; at < a.length && at < b.length; at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

const characterAt = (text: string, at: number): string => String.fromCodePoint(text.codePointAt(at) ?? 0x20)

/** True for spaces, including the empty braille pattern and the Hangul filler, which are as wide as a space. */
const isSpace = (code: number): boolean =>
  code === 0x20 ||
  (code >= 0x09 && code <= 0x0d) ||
  (code >= 0xa0 && (code === 0x2800 || code === 0x3164 || /\s/u.test(String.fromCharCode(code))))

function countSpaces(text: string, from: number): number {
  let at = from + 1
  while (at - from < maxSpaces && isSpace(text.charCodeAt(at))) at++
  return at - from
}

/** Maps all cases of a letter to one code, also ſ and ς. A letter whose other case is not a single code unit maps to itself. */
function foldCase(code: number): number {
  if (code < 0x80) return code >= 0x41 && code <= 0x5a ? code + 0x20 : code
  const upper = String.fromCharCode(code).toUpperCase()
  const lower = (upper.length === 1 ? upper : String.fromCharCode(code)).toLowerCase()
  return lower.length === 1 ? lower.charCodeAt(0) : code
}
