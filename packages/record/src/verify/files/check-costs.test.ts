import { describe, expect, test } from 'vitest'
import { exportLines, makeRecord, makeSigningKey } from '../../../../../test/harness/record/export-file.js'
import type { ReceiptDraft } from '../../format/entry.js'
import { type Price, priceHash } from '../../pricing/index.js'
import { ExportVerifier } from '../export-verifier.js'
import { CostCheck } from './check-costs.js'

const key = makeSigningKey()
const price: Price = { rates: { input: 150_000, output: 600_000 }, tiers: { flex: { permille: 500 } } }
const hash = priceHash(price)
const applied: Partial<ReceiptDraft> = { kind: 'control', event: 'price.apply', subject: hash, terms: price }

function check(...drafts: Partial<ReceiptDraft>[]) {
  const record = makeRecord({ groups: [drafts.length], keys: [key], draft: (seq) => drafts[seq - 1] ?? {} })
  const costs = new CostCheck()
  const verifier = new ExportVerifier({ onEntry: (entry) => costs.addEntry(entry) })
  for (const line of exportLines(record, [key])) verifier.addLine(line)
  expect(verifier.finish().fault).toBeNull()
  return costs.finish('export')
}

const call = { counts: { input: 10, output: 5 }, price: hash, costNanos: 4_500 }

describe('costs', () => {
  test('that follow from counts and price hold, and are added up', () => {
    const flex = { ...call, tier: 'flex', costNanos: 2_250 }
    expect(check(applied, call, flex)).toMatchObject({
      fault: null,
      established: ['The cost of 2 calls is what counts and price come to: USD 0.000006750 in all'],
      facts: { computed: 2, costNanos: '6750' },
    })
  })

  test.each<[string, Partial<ReceiptDraft>[], string]>([
    [
      'too low',
      [applied, { ...call, costNanos: 4_499 }],
      'costs 4499 nano-dollars; its counts and price come to 4500',
    ],
    ['in another tier', [applied, { ...call, tier: 'flex' }], 'come to 2250'],
    [
      'at a price that is not the one of its hash',
      [{ ...applied, terms: { rates: { input: 1, output: 1 } } }, call],
      'another price than its hash',
    ],
    [
      'corrected below nothing',
      [applied, call, { kind: 'control', event: 'receipt.adjust', adjusts: 2, costNanos: -4_501 }],
      'makes the cost of entry 2 negative',
    ],
  ])('%s are a fault', (_, drafts, message) => {
    const { fault } = check(...drafts)
    expect(fault).toMatchObject({ kind: 'wrong_cost' })
    expect(fault?.message).toContain(message)
  })

  test('follow corrections', () => {
    const adjust = { kind: 'control' as const, event: 'receipt.adjust', adjusts: 2 }
    expect(
      check(applied, call, { ...adjust, costNanos: 500 }, { ...adjust, costNanos: -4_000 }),
    ).toMatchObject({
      fault: null,
      facts: { costNanos: '1000', adjusted: 2 },
    })
  })

  test('whose price stands before the export are named, not passed over', () => {
    expect(check(call)).toMatchObject({ fault: null, facts: { withoutPrice: 1, computed: 0 } })
  })
})
