import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { measure } from './measure.js'
import { readCorpus } from './read-corpus.js'

const samples = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.txt'))
  .flatMap((name) => readCorpus(readFileSync(`${import.meta.dirname}/${name}`, 'utf8')))

const entities = ['credit_card', 'email', 'iban', 'ip_address', 'phone', 'secret', 'us_ssn']

test('the corpus is large, and in nearly half of its texts there is nothing to find', () => {
  expect(samples.length).toBeGreaterThan(1000)
  expect(samples.filter(({ expected }) => expected.length === 0).length).toBeGreaterThan(
    samples.length * 0.45,
  )
})

test('at least 98 % of what is found is right, and at least 98 % of what is there is found, of every entity', () => {
  const { scores, overall } = measure(samples)
  expect(scores.map(({ entity }) => entity)).toEqual(entities)
  for (const { entity, precision, recall } of [...scores, overall]) {
    expect({ entity, precision: precision >= 0.98, recall: recall >= 0.98 }).toEqual({
      entity,
      precision: true,
      recall: true,
    })
  }
})

test('a text that is read wrongly is counted and named', () => {
  const text = 'Write to jane@example.com'
  const { overall, faults } = measure([{ text, expected: [{ start: 0, end: 5, entity: 'phone' }] }])
  expect(overall).toMatchObject({ right: 0, wrong: 1, missed: 1, precision: 0, recall: 0 })
  expect(faults).toEqual([{ text, wrong: ['email jane@example.com'], missed: ['phone Write'] }])
})

test('marks, escapes and the character that parts keys are read as the corpus means them', () => {
  expect(readCorpus('# remark\n\na\\u200b\\\\n ⟦secret:x|k¬\\ney⟧ z')).toEqual([
    { text: 'a\u200b\\n k\ney z', expected: [{ start: 5, end: 9, entity: 'secret:x' }] },
  ])
})
