import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../../../../../test/harness/run/property-runs.js'
import { readCorpus } from '../../detect/corpus/read-corpus.js'
import { type Finding, findPii, findSecrets, maxReach, type PiiEntity } from '../../detect/index.js'
import type { Judge, TextFinder } from '../judge.js'
import { pii } from '../pii.js'
import { secrets } from '../secrets.js'

const folder = `${import.meta.dirname}/../../detect/corpus`
const samples = readdirSync(folder)
  .filter((name) => name.endsWith('.txt'))
  .flatMap((name) => readCorpus(readFileSync(`${folder}/${name}`, 'utf8')))

const entities = new Set<PiiEntity>(['email', 'phone', 'credit_card', 'iban', 'us_ssn', 'ip_address'])
const findAnyPii = (text: string): Finding[] => findPii(text, entities)

const finderOf = (judge: Judge): TextFinder => {
  const finder = judge.subject === 'text' ? judge.finders[0] : undefined
  if (!finder) throw new Error('it has no finder')
  return finder
}
const piiFinder = finderOf(pii.compile({ entities: [...entities] }))
const secretsFinder = finderOf(secrets.compile({}))

function findInSlices(finder: TextFinder, text: string, length = finder.strideChars): Finding[] {
  const found: Finding[] = []
  for (let from = 0; from < text.length; from += length)
    found.push(...finder.find(text, from, Math.min(text.length, from + length)))
  return found
}

/** Starts, ends and middles of what the detectors find: put together, they overlap and contradict each other. */
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

const textOf = (length: number) =>
  fc
    .tuple(
      fc.array(pieces, { minLength: 20, maxLength: 150, size: 'max' }),
      fc.constantFrom('', '', ' ', '\n', '\u200b'),
    )
    .map(([parts, separator]) => {
      const once = parts.join(separator)
      return once.repeat(Math.ceil(length / Math.max(1, once.length))).slice(0, length)
    })

test('slices of a text give the findings of the whole text', () => {
  fc.assert(
    fc.property(textOf(12_000), fc.integer({ min: 300, max: 3000 }), (text, length) => {
      expect(findInSlices(piiFinder, text, length)).toEqual(findAnyPii(text))
    }),
    { numRuns: propertyRuns / 2 },
  )
  fc.assert(
    fc.property(textOf(40_000), fc.integer({ min: 2000, max: 9000 }), (text, length) => {
      expect(findInSlices(secretsFinder, text, length)).toEqual(findSecrets(text))
    }),
    { numRuns: propertyRuns / 4 },
  )
})

test('how a number is read does not depend on an invisible character far away', () => {
  // With ASCII digits, the account would follow a longer number without a boundary, which is no account.
  const number = '+٩٦٦ ٥٠ ١٢٣ ٤٥٦٧GB82 WEST 1234 5698 7654 32 '
  for (const text of [number + 'x'.repeat(12_000), `${number}${'x'.repeat(12_000)}\u200b`]) {
    expect(findAnyPii(text)).toEqual([])
    expect(findInSlices(piiFinder, text, 1000)).toEqual([])
  }
})

test('slices of the length that is used give the findings of the whole text', () => {
  const lines = fc
    .array(fc.constantFrom(...samples.map(({ text }) => text)), { minLength: 600, maxLength: 800 })
    .map((texts) => texts.join('\n'))
  fc.assert(
    fc.property(fc.oneof(textOf(50_000), lines), (text) => {
      expect(findInSlices(piiFinder, text)).toEqual(findAnyPii(text))
      expect(findInSlices(secretsFinder, text)).toEqual(findSecrets(text))
    }),
    { numRuns: propertyRuns / 10 },
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
          expect(finding.end - finding.start).toBeLessThanOrEqual(maxReach)
          end = finding.end
        }
        expect(end).toBeLessThanOrEqual(text.length)
      }
    }),
  )
})

test('which entities are wanted does not change what is found', () => {
  for (const { text } of samples) {
    const all = findAnyPii(text)
    for (const entity of entities) {
      expect(findPii(text, new Set([entity]))).toEqual(all.filter((finding) => finding.entity === entity))
    }
  }
})

test('in a text that still grows, what stands 256 characters before its end is decided', () => {
  const holdBack = 256
  const isCovered = (findings: Finding[], at: number) =>
    findings.some(({ start, end }) => start <= at && at < end)
  for (const { text } of samples) {
    for (const find of [findAnyPii, findSecrets]) {
      const whole = find(text)
      for (let known = holdBack + 1; known < text.length; known += 5) {
        const soFar = find(text.slice(0, known))
        const at = known - holdBack - 1
        expect(isCovered(soFar, at)).toBe(isCovered(whole, at))
      }
    }
  }
})
