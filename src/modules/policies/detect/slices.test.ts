import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCorpus } from './corpus/read-corpus.js'
import {
  type Finding,
  findPii,
  findPiiInSlices,
  findSecrets,
  findSecretsInSlices,
  type PiiEntity,
  piiReach,
  reach,
} from './index.js'
import { findInSlices } from './slices.js'

const folder = `${import.meta.dirname}/corpus`
const samples = readdirSync(folder)
  .filter((name) => name.endsWith('.txt'))
  .flatMap((name) => readCorpus(readFileSync(`${folder}/${name}`, 'utf8')))

const entities = new Set<PiiEntity>(['email', 'phone', 'credit_card', 'iban', 'us_ssn', 'ip_address'])
const findAnyPii = (text: string): Finding[] => findPii(text, entities)

/** Beginnings, ends and middles of what is looked for: glued together, they overlap and contradict each other. */
// biome-ignore format: a list
const scraps = [
  'a@', '@b.co', '.com', '+1 415', '555-0132', '4111 1111', '1111', ' ', '-', '\n', '(', '2001:db8', '::', ':1', 'DE89 3704',
  '0044 0532 0130 00', 'eyJhbGciOiJIUzI1NiJ9', '.eyJhIjoxfQ', '.x', '-----BEGIN PRIVATE KEY-----', 'A'.repeat(64),
  '-----END PRIVATE KEY-----', 'AKIAIOSFODNN7EXAMPLE', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', 'sk-proj-', 'a1B'.repeat(20),
  'password=', '"', 'https://u:', 'pw77', 'Bearer ', '\u200b', '\u200b\u200b', '\u200b\u200b\u200b', '４', '𝟏', '\ud835', 'é', '公司',
  'ssn ', '123-45-6789', '1.2.3.4', 'phone: ', 'x'.repeat(90), '9'.repeat(40),
]

/** The longest of each kind, so that a slice ends within them more often than not. */
const address = `${'l'.repeat(60)}@${'d'.repeat(60)}.${'e'.repeat(60)}.com`
const long = [
  address,
  address.replaceAll(/(?=.)/g, '\u200b\u200b'),
  `-----BEGIN PRIVATE KEY-----\n${`${'k7'.repeat(32)}\n`.repeat(100)}-----END PRIVATE KEY-----`,
  `-----BEGIN PRIVATE KEY-----\n${'k7'.repeat(6000)}`,
  `eyJhbGciOiJIUzI1NiJ9.eyJhIjox${'p7'.repeat(2500)}.${'s'.repeat(43)}`,
  ` eyJhbGciOiJIUzI1NiJ9.eyJhIjox${'p\u200b'.repeat(6000)}`,
]

const pieces = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...samples.map(({ text }) => text)) },
  { weight: 12, arbitrary: fc.constantFrom(...scraps) },
  { weight: 1, arbitrary: fc.constantFrom(...long) },
)

const textOf = (most: number) =>
  fc
    .tuple(
      fc.array(pieces, { minLength: 20, maxLength: 150, size: 'max' }),
      fc.constantFrom('', '', ' ', '\n', '\u200b'),
    )
    .map(([parts, separator]) => {
      const once = parts.join(separator)
      return once.repeat(Math.ceil(most / Math.max(1, once.length))).slice(0, most)
    })

const collect = (slices: Iterable<Finding[]>): Finding[] => [...slices].flat()

test('slices of a text give the findings of the whole text', () => {
  fc.assert(
    fc.property(textOf(12_000), fc.integer({ min: 300, max: 3000 }), (text, length) => {
      expect(collect(findInSlices(text, findAnyPii, piiReach, length))).toEqual(findAnyPii(text))
    }),
    { numRuns: 50 },
  )
  fc.assert(
    fc.property(textOf(40_000), fc.integer({ min: 2000, max: 9000 }), (text, length) => {
      expect(collect(findInSlices(text, findSecrets, reach, length))).toEqual(findSecrets(text))
    }),
    { numRuns: 25 },
  )
})

test('a long text is cut by itself', () => {
  fc.assert(
    fc.property(textOf(50_000), (text) => {
      expect(collect(findPiiInSlices(text, entities))).toEqual(findAnyPii(text))
      expect(collect(findSecretsInSlices(text))).toEqual(findSecrets(text))
    }),
    { numRuns: 5 },
  )
})

test('findings are in order, lie in the text, do not overlap, and are no longer than the reach', () => {
  const anyText = fc.oneof(textOf(3000), fc.string({ unit: 'binary', maxLength: 200 }))
  fc.assert(
    fc.property(anyText, (text) => {
      for (const findings of [findAnyPii(text), findSecrets(text)]) {
        let end = 0
        for (const finding of findings) {
          expect(finding.start).toBeGreaterThanOrEqual(end)
          expect(finding.end).toBeGreaterThan(finding.start)
          expect(finding.end - finding.start).toBeLessThanOrEqual(reach)
          end = finding.end
        }
        expect(end).toBeLessThanOrEqual(text.length)
      }
    }),
    { numRuns: 200 },
  )
})

test('what is asked for does not change what is found', () => {
  for (const { text } of samples) {
    const all = findAnyPii(text)
    for (const entity of entities) {
      expect(findPii(text, new Set([entity]))).toEqual(all.filter((finding) => finding.entity === entity))
    }
  }
})

test('in a text that still grows, what stands 256 characters behind its end is decided', () => {
  const holdBack = 256
  const isCovered = (findings: Finding[], place: number) =>
    findings.some(({ start, end }) => start <= place && place < end)
  for (const { text } of samples) {
    for (const find of [findAnyPii, findSecrets]) {
      const whole = find(text)
      for (let known = holdBack + 1; known < text.length; known += 5) {
        const soFar = find(text.slice(0, known))
        const place = known - holdBack - 1
        expect(isCovered(soFar, place)).toBe(isCovered(whole, place))
      }
    }
  }
})
