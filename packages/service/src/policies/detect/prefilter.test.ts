import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../../../../test/harness/run/property-runs.js'
import { readCorpus } from './corpus/read-corpus.js'
import { isPlain } from './fold.js'
import { findPii, findSecrets, mayHavePii, mayHaveSecrets, type PiiEntity } from './index.js'
import { maxPrefilterChars, prefilter } from './prefilter.js'

const folder = `${import.meta.dirname}/corpus`
const samples = readdirSync(folder)
  .filter((name) => name.endsWith('.txt'))
  .flatMap((name) => readCorpus(readFileSync(`${folder}/${name}`, 'utf8')).map(({ text }) => text))
  .filter((text) => text.length <= maxPrefilterChars && isPlain(text))

const entities = new Set<PiiEntity>(['email', 'phone', 'credit_card', 'iban', 'us_ssn', 'ip_address'])

function expectNothingLost(text: string): void {
  if (!isPlain(text)) return
  const features = prefilter(text)
  if (!mayHavePii(features)) expect(findPii(text, entities)).toEqual([])
  if (!mayHaveSecrets(features)) expect(findSecrets(text)).toEqual([])
}

const claims = Buffer.from('{"alg":""}').toString('base64url')

/** The shortest of everything that is found, and its parts. */
// biome-ignore format: a list
const scraps = [
  'a@b.co', '@', '.', ':', '::', '://', '//', '=', '-', '-----BEGIN PRIVATE KEY-----', '\n', ' ', '(', ')', '+', 'A'.repeat(32), 'MIIEpAIBAAKC',
  `${claims}.e30`, `${claims}.`, 'sk-proj-', 'Bearer ', 'a1B2c3D4e5F6g7H8', 'password', 'PWD', 'passphrase', 'secret', 'api_key', 'token', '"',
  'u:pw77x', 'Tr0ub4dor&3', '1', '22', '333', '4111', '1111', '020', '7946', '0958', '2001:db8', '64:ff9b', 'fe80', 'DE89', '3704', '0044', '0532',
  '0130', '00', '1.2', '.3.4', '203.0.113.7', '123-45-6789', 'ssn ', 'phone ', 'é', '“', '公司', '\ud800', 'a word of prose, ',
]

describe('a text in which the prefilter sees nothing', () => {
  test('has no findings, in the corpus', () => {
    for (const text of samples) {
      expectNothingLost(text)
      for (const word of text.split(/\s+/)) expectNothingLost(word)
    }
  })

  test('has no findings, in pieces of the corpus', () => {
    const piece = fc
      .tuple(fc.constantFrom(...samples), fc.nat(), fc.integer({ min: 4, max: 120 }))
      .map(([text, from, length]) => text.slice(from % text.length, (from % text.length) + length))
    fc.assert(fc.property(piece, expectNothingLost), { numRuns: 10 * propertyRuns })
  })

  test('has no findings, however parts of findings are put together', () => {
    const text = fc
      .tuple(fc.array(fc.constantFrom(...scraps), { maxLength: 8 }), fc.constantFrom('', '', ' '))
      .map(([parts, separator]) => parts.join(separator))
    fc.assert(fc.property(text, expectNothingLost), { numRuns: 10 * propertyRuns })
  })
})

test('ordinary prose with numbers in it needs no detector', () => {
  const prose =
    'A clerk cut notches for 1,000 pounds, 2.5 times as thick as for 20; see chapter 12 (room 4, 9:30 to 17:00). Note: it’s well-made.'
  const features = prefilter(prose)
  expect(mayHavePii(features) || mayHaveSecrets(features)).toBe(false)
  expect(features.isPlainAscii).toBe(false)
})

test('a text is filtered by itself, whatever was filtered before it', () => {
  const digits = 'number 1 '
  const alone = prefilter(digits)
  prefilter(`${'x'.repeat(digits.length)}4111 1111 1111 1111:://`)
  expect(prefilter(digits)).toEqual(alone)
  prefilter('公'.repeat(maxPrefilterChars))
  expect(prefilter(digits)).toEqual(alone)
})

test('the longest text is filtered to its end', () => {
  expect(prefilter(`${'公'.repeat(maxPrefilterChars - 1)}@`).hasAt).toBe(true)
})
