import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { policySetHash } from './policy-set.js'

const first = {
  id: 'pol_1',
  version: 1,
  kind: 'keywords',
  config: { words: ['a', 'b'], caseSensitive: false },
  scope: { type: 'tenant', id: 'tenant_1' },
  phase: 'input',
  action: 'block',
} as const
const second = { ...first, id: 'pol_2' }

test('the hash of a set is the SHA-256 of its canonical JSON', () => {
  const text =
    '[{"action":"block","config":{"caseSensitive":false,"words":["a","b"]},"id":"pol_1","kind":"keywords","phase":"input","scope":{"id":"tenant_1","type":"tenant"},"version":1}]'
  expect(policySetHash([first])).toBe(createHash('sha256').update(text).digest('hex'))
  expect(policySetHash([])).toBe(createHash('sha256').update('[]').digest('hex'))
})

test('the hash does not depend on the order in which policies or their members come', () => {
  const { caseSensitive, words } = first.config
  expect(policySetHash([second, first])).toBe(policySetHash([first, second]))
  expect(policySetHash([{ ...first, config: { caseSensitive, words } }])).toBe(policySetHash([first]))
})

test('the hash depends on everything that decides, and on nothing else', () => {
  const variants = [
    [],
    [first],
    [second],
    [first, second],
    [{ ...first, version: 2 }],
    [{ ...first, kind: 'secrets' as const }],
    [{ ...first, config: { words: ['b', 'a'], caseSensitive: false } }],
    [{ ...first, scope: { type: 'team' as const, id: 'tenant_1' } }],
    [{ ...first, scope: { type: 'tenant' as const, id: 'tenant_2' } }],
    [{ ...first, phase: 'both' as const }],
    [{ ...first, action: 'flag' as const }],
  ]
  expect(new Set(variants.map(policySetHash)).size).toBe(variants.length)
  expect(policySetHash([{ ...first, ...{ name: 'x', updatedAt: 'y' } }])).toBe(policySetHash([first]))
})
