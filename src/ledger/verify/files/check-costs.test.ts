import { describe, expect, test } from 'vitest'
import { exportLines, makeRecord, makeSigningKey } from '../../../../test/harness/export-file.js'
import { canonicalize } from '../../../json/index.js'
import { type Price, priceHash } from '../../../pricing/index.js'
import { genesisPrev } from '../../format/chain.js'
import { signCheckpoint } from '../../format/checkpoint.js'
import type { ReceiptDraft } from '../../format/entry.js'
import { writeEntryLine, writeLine } from '../../format/export-format.js'
import { CompactRange, leafHash } from '../../format/tree.js'
import { ExportVerifier } from '../export-verifier.js'
import { CostCheck } from './check-costs.js'

const key = makeSigningKey()
const price: Price = { rates: { input: 150_000, output: 600_000 }, tiers: { flex: { permille: 500 } } }
const hash = priceHash(price)
const applied: Partial<ReceiptDraft> = { kind: 'control', event: 'price.apply', subject: hash, terms: price }

function check(...drafts: Partial<ReceiptDraft>[]) {
  const record = makeRecord({ groups: [drafts.length], keys: [key], draft: (seq) => drafts[seq - 1] ?? {} })
  return checkLines(exportLines(record, [key]))
}

function checkLines(lines: readonly string[]) {
  const costs = new CostCheck()
  const verifier = new ExportVerifier({ onEntry: (entry) => costs.addEntry(entry) })
  for (const line of lines) verifier.addLine(line)
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

  test('of format 1 verify and are named: nothing follows from them', () => {
    const range = CompactRange.empty()
    let prev = genesisPrev('acme')
    const entries = [1, 2].map((seq) => {
      const canonical = canonicalize({
        ...{ v: 1, tenant: 'acme', seq, prev: prev.toString('hex'), id: `req_${seq}` },
        ...{ ts: '2026-11-15T01:02:03.004Z', kind: 'model', costMicros: 230, outcome: 'ok' },
      })
      prev = leafHash(canonical)
      range.append(prev)
      return writeEntryLine(seq, canonical)
    })
    const record = makeRecord({ groups: [2], keys: [key] })
    const [header = ''] = exportLines(record, [key])
    const note = signCheckpoint({ tenant: 'acme', size: 2, root: range.root() }, key)
    const lines = [
      header,
      ...entries,
      writeLine({ type: 'seal', size: 2, note }),
      writeLine({ type: 'end', entries: 2, seals: 1 }),
    ]
    expect(checkLines(lines.map((line) => line.trimEnd()))).toMatchObject({
      fault: null,
      facts: { withoutCounts: 2 },
      remarks: ['2 entries of format 1 say no counts: their costs cannot be computed again'],
    })
  })
})
