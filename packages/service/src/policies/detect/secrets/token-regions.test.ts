import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../../../../../test/harness/run/property-runs.js'
import { readCorpus } from '../corpus/read-corpus.js'
import { findAuthorizations } from './authorizations.js'
import { prefixRules } from './prefix-rules.js'
import { findTokenRegions } from './token-regions.js'
import { findTokens } from './tokens.js'

const folder = `${import.meta.dirname}/../corpus`
const samples = readdirSync(folder)
  .filter((name) => name.endsWith('.txt'))
  .flatMap((name) => readCorpus(readFileSync(`${folder}/${name}`, 'utf8')).map(({ text }) => text))

const everywhere = (text: string) => [{ start: 0, end: text.length }]

function expectNothingLost(text: string): void {
  const regions = findTokenRegions(text)
  expect(findTokens(text, regions)).toEqual(findTokens(text, everywhere(text)))
  expect(findAuthorizations(text, regions)).toEqual(findAuthorizations(text, everywhere(text)))
}

describe('searching only where tokens can be', () => {
  test('finds what searching everywhere finds, in the corpus', () => {
    for (const text of samples) expectNothingLost(text)
    expectNothingLost(samples.join(' '))
    expectNothingLost(samples.join(''))
  })

  test('finds what searching everywhere finds, in labels, prefixes and runs of any length', () => {
    const character = fc.constantFrom(...'aZ09_-+/=%.~')
    const run = fc.string({ unit: character, minLength: 1, maxLength: 50 })
    const random = fc.string({
      unit: fc.constantFrom(...'abcdefXYZ0123456789'),
      minLength: 14,
      maxLength: 44,
    })
    const label = fc.constantFrom(
      ...prefixRules.flatMap(({ prefixes }) => prefixes),
      ...[
        'Authorization: Bearer ',
        'authorization" : "token ',
        'bearer\t',
        ':AA',
        '.atlasv1.',
        'Q~',
        '-us',
        '.',
      ],
      ...['"  =  "', "' : '", ' ', '"', '12345678', 'AKIAIOSFODNN7ABCDEFG'],
    )
    const text = fc.array(fc.oneof(run, random, label), { maxLength: 12 }).map((parts) => parts.join(''))
    fc.assert(fc.property(text, expectNothingLost), { numRuns: 10 * propertyRuns })
  })

  test('has nothing to search in prose', () => {
    const prose =
      'A clerk cut notches for 1,000 pounds as thick as a hand; see chapter 12 (room 4, 9:30 to 17:00).'
    expect(findTokenRegions(prose.repeat(20))).toEqual([])
  })

  test('covers every character once at most', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '-', ' '), maxLength: 200 }), (text) => {
        let done = 0
        for (const { start, end } of findTokenRegions(text)) {
          expect(start).toBeGreaterThanOrEqual(done)
          expect(end).toBeGreaterThan(start)
          done = end
        }
      }),
    )
  })
})
