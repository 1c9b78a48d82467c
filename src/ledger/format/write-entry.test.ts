import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalize } from './canonical.js'
import type { Entry, EntryCheck, ReceiptDraft } from './entry.js'
import { writeEntry } from './write-entry.js'

const place = { tenant: 'acme', seq: 7, prev: 'ab'.repeat(32) }
const text = fc.string({ unit: 'grapheme', maxLength: 20 })

const check: fc.Arbitrary<EntryCheck> = fc.record(
  {
    name: text,
    applicable: fc.boolean(),
    result: fc.constantFrom('pass', 'fail', 'error', 'skip'),
    action: text,
    policy: text,
  },
  { requiredKeys: ['name', 'applicable', 'result'] },
)

const draft: fc.Arbitrary<ReceiptDraft> = fc.record(
  {
    id: text,
    ts: text,
    kind: fc.constantFrom('model', 'tool', 'control'),
    cachedTokens: fc.nat(),
    checks: fc.array(check, { maxLength: 6 }),
    costMicros: fc.nat(),
    model: text,
    packs: fc.array(text, { maxLength: 3 }),
    stream: fc.boolean(),
    user: text,
  },
  { requiredKeys: ['id', 'ts', 'kind'] },
)

test('an entry is written as the canonicaliser writes it whole, whether its lines are known already or not', () => {
  fc.assert(
    fc.property(draft, fc.infiniteStream(fc.boolean()), (given, freezes) => {
      const whole = canonicalize({ ...given, ...place, v: 1 } satisfies Entry)
      for (const line of given.checks ?? []) if (freezes.next().value) Object.freeze(line)
      expect(writeEntry(given, place)).toBe(whole)
      expect(writeEntry(given, place)).toBe(whole)
    }),
  )
})

test('a line that was changed since is written as it is now', () => {
  const line: EntryCheck = { name: 'pii', applicable: true, result: 'pass' }
  const given: ReceiptDraft = { id: 'req_1', ts: '2026-11-15T01:02:03.004Z', kind: 'model', checks: [line] }
  writeEntry(given, place)
  line.result = 'fail'
  expect(writeEntry(given, place)).toContain('{"applicable":true,"name":"pii","result":"fail"}')
})

test('what no check has does not get into the record with one', () => {
  const careless = Object.freeze({
    name: 'pii',
    applicable: true,
    result: 'pass' as const,
    match: 'a secret',
  })
  const given: ReceiptDraft = {
    id: 'req_1',
    ts: '2026-11-15T01:02:03.004Z',
    kind: 'model',
    checks: [careless],
  }
  expect(writeEntry(given, place)).not.toContain('secret')
})
