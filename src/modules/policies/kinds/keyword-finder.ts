import type { Finding } from '../detect/index.js'
import type { TextFinder } from './judge.js'
import { seeThrough } from './see-through.js'

/**
 * At worst, words that all begin alike are followed to their ends from every place: with 1,024 places and words of 200 letters
 * that takes 10 ms. Usually it is 1 µs.
 */
const strideFor = (longestWord: number) => Math.min(8_192, Math.floor((1_024 * 200) / longestWord))

/** The most blanks that may stand where a phrase has one. */
const mostBlanks = 16

/** How much of each word is looked for first, by an expression over all of them. */
const prefixChars = 6

const letter = '[\\p{L}\\p{N}\\p{M}_]'
const isLetter = /[\p{L}\p{N}\p{M}_]/u
const isUnspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const needsEdge = (edge = '') => isLetter.test(edge) && !isUnspaced.test(edge)

/**
 * Finds words and phrases, as words: `ass` is not in `class`. Scripts that are written without spaces have no words
 * in that sense; there, a match may stand anywhere. A blank in a phrase stands for any blanks.
 */
export function createKeywordFinder(words: readonly string[], caseSensitive: boolean): TextFinder {
  const fold = caseSensitive ? (code: number) => code : foldCase
  const list = new WordList(words, fold)
  const beginning = beginningsOf(words, caseSensitive)
  const reach = Math.max(...words.map((word) => word.length + mostBlanks * blanksIn(word))) + 2
  const stride = strideFor(reach)
  const plain: TextFinder = {
    atOnce: stride,
    stride,
    find(text, from, to) {
      const found: Finding[] = []
      const within = text.slice(0, to + reach)
      beginning.lastIndex = from
      for (let match = beginning.exec(within); match && match.index < to; match = beginning.exec(within)) {
        const start = match.index
        const end = list.findEnd(within, start)
        if (end !== -1) found.push({ start, end, entity: 'keyword', placeholder: 'KEYWORD' })
        beginning.lastIndex = start + 1
      }
      return found
    },
  }
  return seeThrough(plain, reach)
}

const blanksIn = (word: string): number => word.split(/\s+/u).length - 1

function beginningsOf(words: readonly string[], caseSensitive: boolean): RegExp {
  const alternatives = words.map((word) => {
    const [first = ''] = word.trim().split(/\s/u, 1)
    const characters = [...first].slice(0, prefixChars)
    const escaped = characters.map((each) => each.replace(/[\\^$.*+?()[\]{}|/]/u, '\\$&')).join('')
    return needsEdge(characters[0]) ? `(?<!${letter})${escaped}` : escaped
  })
  return new RegExp([...new Set(alternatives)].join('|'), caseSensitive ? 'gu' : 'giu')
}

/** Words in order, so that those with the same beginning stand together. */
class WordList {
  readonly #fold: (code: number) => number
  readonly #words: { codes: Uint16Array; needsEdge: boolean }[]

  constructor(words: readonly string[], fold: (code: number) => number) {
    this.#fold = fold
    this.#words = words
      .map((word) => word.trim().replace(/\s+/gu, ' '))
      .map((word) => ({ codes: toCodes(word, fold), needsEdge: needsEdge([...word].at(-1)) }))
      .sort((a, b) => compare(a.codes, b.codes))
  }

  /** The end of the longest word that stands here; -1 for none. */
  findEnd(text: string, start: number): number {
    let low = 0
    let high = this.#words.length
    let at = start
    let longest = -1
    for (let depth = 0; low < high && at < text.length; depth++) {
      const code = this.#fold(text.charCodeAt(at))
      const isBlank = isSpace(code)
      const wanted = isBlank ? 0x20 : code
      // Most often all that are left go on alike.
      if (this.#codeAt(low, depth) !== wanted || this.#codeAt(high - 1, depth) !== wanted) {
        low = this.#firstFrom(low, high, depth, wanted)
        high = this.#firstFrom(low, high, depth, wanted + 1)
      }
      at += isBlank ? countBlanks(text, at) : 1
      const word = this.#words[low]
      if (low < high && word?.codes.length === depth + 1) {
        if (!word.needsEdge || !isLetter.test(characterAt(text, at))) longest = at
      }
    }
    return longest
  }

  /** Of words that are alike up to here, the first whose next character is not before this one. */
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

/** Shorter ones first: where a word ends, those that go on stand behind it. */
function compare(a: Uint16Array, b: Uint16Array): number {
  for (let at = 0; at < a.length && at < b.length; at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

const characterAt = (text: string, at: number): string => String.fromCodePoint(text.codePointAt(at) ?? 0x20)

const isSpace = (code: number): boolean =>
  code === 0x20 || (code >= 0x09 && code <= 0x0d) || (code >= 0xa0 && /\s/u.test(String.fromCharCode(code)))

function countBlanks(text: string, from: number): number {
  let at = from + 1
  while (at - from < mostBlanks && isSpace(text.charCodeAt(at))) at++
  return at - from
}

/** One letter for all its cases, ſ and ς among them; letters that have no single other case stand for themselves. */
function foldCase(code: number): number {
  if (code < 0x80) return code >= 0x41 && code <= 0x5a ? code + 0x20 : code
  const upper = String.fromCharCode(code).toUpperCase()
  const lower = (upper.length === 1 ? upper : String.fromCharCode(code)).toLowerCase()
  return lower.length === 1 ? lower.charCodeAt(0) : code
}
