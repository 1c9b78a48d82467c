import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../../../../test/harness/run/property-runs.js'
import { fold, isPlain, unfold } from './fold.js'

/** Of format characters, those that are prefixed to a number are shown. */
const isInvisible = (character: string): boolean =>
  /\p{Default_Ignorable_Code_Point}|\p{Noncharacter_Code_Point}|[^\P{Cc}\s\x85]/u.test(character) ||
  (/\p{Cf}/u.test(character) && !prefixed.test(character)) ||
  character === '\u2800'
const prefixed = /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u

test('everything that is shown as nothing is left out, and nothing else is', () => {
  for (let point = 0; point <= 0x10ffff; point++) {
    // Half of a pair.
    if (point >= 0xd800 && point <= 0xdfff) continue
    const character = String.fromCodePoint(point)
    if (isInvisible(character)) expect(fold(`ab${character}cd`).text, `U+${point.toString(16)}`).toBe('abcd')
    else if (point % 7 === 0)
      expect(fold(`ab${character}cd`).text.length, `U+${point.toString(16)}`).toBeGreaterThan(3)
  }
})

test('a text and its parts are folded alike, composed or not', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const plain = (each: string) => fold(each).text
      expect(plain(text.normalize('NFD'))).toBe(plain(text.normalize('NFC')))
      if (isPlain(text)) expect(plain(text)).toBe(text)
    }),
    { numRuns: 10 * propertyRuns },
  )
})

test('what is found stands where it stood', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('cafe\u0301', 'ｎｉｇｈｔ', 'n\u200bight', '한국'.normalize('NFD')),
      fc.string({ unit: 'binary' }),
      (before, word, after) => {
        const original = `${before} ${word} ${after}`
        const folded = fold(original)
        const wanted = ` ${fold(word).text} `
        const start = folded.text.indexOf(wanted)
        expect(start).toBeGreaterThanOrEqual(0)
        const span = unfold(folded, { start: start + 1, end: start + wanted.length - 1 })
        expect(fold(original.slice(span.start, span.end)).text).toBe(fold(word).text)
      },
    ),
    { numRuns: 10 * propertyRuns },
  )
})
