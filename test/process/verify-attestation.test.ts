import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ReceiptDraft } from '../../src/ledger/format/entry.js'
import { emptyRoot, leafHash } from '../../src/ledger/format/tree.js'
import { exportLines, makeRecord, makeSigningKey } from '../harness/export-file.js'
import { naiveRoot } from '../harness/naive-tree.js'
import { openVerifierFolder, type VerifierFolder } from '../harness/verifier-folder.js'

const [first, second] = [makeSigningKey(), makeSigningKey()]
const check = (name: string, result: 'pass' | 'fail' | 'error' | 'skip', more = {}) => ({
  name,
  applicable: true,
  result,
  ...more,
})

/** October ends with entry 3; entry 6 was admitted in October too, but the record had come to November by then. */
const drafts: Partial<ReceiptDraft>[] = [
  { ts: '2026-10-01T00:00:00.000Z', outcome: 'ok' },
  { ts: '2026-10-15T00:00:00.000Z', outcome: 'blocked', checks: [check('pii', 'fail', { policy: 'pol_1' })] },
  { ts: '2026-10-31T23:59:59.999Z', kind: 'control', event: 'pack.activate', subject: 'soc2' },
  { ts: '2026-11-01T00:00:00.000Z', outcome: 'ok', packs: ['soc2@1.0'], checks: [check('budget', 'pass')] },
  {
    ts: '2026-11-01T00:00:01.000Z',
    outcome: 'redacted',
    packs: ['soc2@1.0', 'gdpr@1.0'],
    checks: [
      check('budget', 'pass'),
      check('pii', 'fail', { policy: 'pol_1' }),
      check('pii', 'error', { policy: 'pol_2' }),
    ],
  },
  {
    ts: '2026-10-31T23:59:58.000Z',
    outcome: 'upstream_error',
    checks: [check('pii', 'pass', { policy: 'pol_1' })],
  },
  {
    ts: '2026-11-20T00:00:00.000Z',
    kind: 'tool',
    checks: [{ ...check('budget', 'skip'), applicable: false }],
  },
  { ts: '2026-12-01T00:00:00.000Z', outcome: 'ok' },
]
const record = makeRecord({
  groups: [3, 2, 2, 1],
  keys: [first, first, second, second],
  draft: (seq) => drafts[seq - 1] ?? {},
})
const leaves = record.groups.flatMap((group) => group.entries).map(({ canonical }) => leafHash(canonical))

const attestation = {
  version: '1.0',
  tenantId: 'acme',
  generatedAt: '2026-12-02T00:00:00.000Z',
  scope: 'this',
  disclaimer: 'that',
  period: {
    label: '2026-11',
    days: 30,
    fromSeq: 4,
    toSeq: 7,
    fromTs: '2026-11-01T00:00:00.000Z',
    toTs: '2026-12-01T00:00:00.000Z',
  },
  totals: {
    receipts: 4,
    modelReceipts: 3,
    toolReceipts: 1,
    chainVerified: true,
    chainVerifiedCount: 4,
    signaturesVerified: true,
    signaturesVerifiedCount: 4,
    policyEvaluated: 2,
    policyEvaluatedPct: 50,
    enforcementActions: 1,
    upstreamFailures: 1,
  },
  checkCoverage: [
    { name: 'budget', receipts: 2, applicableReceipts: 2, pct: 100 },
    { name: 'pii', receipts: 1, applicableReceipts: 2, pct: 50 },
  ],
  packsInForce: [],
  packVersionsObserved: ['gdpr@1.0', 'soc2@1.0'],
  signingKeyIds: [first, second].map(({ publicKey }) => publicKey.id).sort(),
  merkle: { algorithm: 'RFC6962-SHA256', leafCount: 4, root: naiveRoot(leaves.slice(3, 7)).toString('hex') },
  anchor: { type: 'none', root: '', note: '' },
}

let verifier: VerifierFolder
beforeAll(async () => {
  verifier = await openVerifierFolder()
  await verifier.write('export.jsonl', exportLines(record, [first, second]))
  await verifier.write(
    'jwks.json',
    JSON.stringify({ keys: [first, second].map(({ publicKey }) => publicKey.jwk) }),
  )
})
afterAll(() => verifier.remove())

async function checkAgainst(said: object, files = ['export.jsonl']) {
  await verifier.write('attestation.json', JSON.stringify(said, null, 2))
  return await verifier.runJson(['attestation.json', ...files, '--key', 'jwks.json'])
}

test('an attestation that says what its entries add up to is verified', async () => {
  const { exitCode, results } = await checkAgainst(attestation)
  expect(exitCode).toBe(0)
  expect(results).toMatchObject([
    { kind: 'export', fault: null },
    { kind: 'attestation', fault: null, fromSeq: 4, toSeq: 7, differences: [] },
  ])
  expect(results[1].remarks[0]).toContain('not checked: packsInForce, anchor')
})

test('it may be held against the export of its period alone, also in parts', async () => {
  await verifier.write('a.jsonl', exportLines(record, [first, second], { fromGroup: 1, toGroup: 2 }))
  await verifier.write('b.jsonl', exportLines(record, [first, second], { fromGroup: 2, toGroup: 3 }))
  expect(await checkAgainst(attestation, ['a.jsonl', 'b.jsonl'])).toMatchObject({ exitCode: 0 })
  expect(await checkAgainst(attestation, ['a.jsonl'])).toMatchObject({
    exitCode: 2,
    message: 'The attestation is about entries 4 to 7, the export has 4 to 5',
  })
  expect(await checkAgainst(attestation, [])).toMatchObject({ exitCode: 2 })
})

test('one without entries is verified when none was admitted in its time', async () => {
  const empty = {
    ...attestation,
    period: {
      ...attestation.period,
      label: '2026-09',
      fromSeq: 0,
      toSeq: 0,
      fromTs: '2026-09-01T00:00:00.000Z',
      toTs: '2026-10-01T00:00:00.000Z',
    },
    totals: Object.fromEntries(
      Object.entries(attestation.totals).map(([name, value]) => [name, value === true ? true : 0]),
    ),
    checkCoverage: [],
    packVersionsObserved: [],
    signingKeyIds: [],
    merkle: { ...attestation.merkle, leafCount: 0, root: emptyRoot().toString('hex') },
  }
  expect(await checkAgainst(empty)).toMatchObject({ exitCode: 0 })
  const denied = { ...empty, period: { ...attestation.period, fromSeq: 0, toSeq: 0 } }
  expect(await checkAgainst(denied)).toMatchObject({
    exitCode: 1,
    results: [{}, { fault: { message: expect.stringContaining('period: entry 4') } }],
  })
})

test('a call that was under way when it was attested is no fault, and is told', async () => {
  const counts = { receipts: 3, toolReceipts: 0, chainVerifiedCount: 3, signaturesVerifiedCount: 3 }
  const root = naiveRoot(leaves.slice(3, 6)).toString('hex')
  const soon = {
    ...attestation,
    generatedAt: '2026-11-20T12:00:00.000Z',
    period: { ...attestation.period, toSeq: 6 },
    totals: { ...attestation.totals, ...counts, policyEvaluatedPct: 66.6 },
    merkle: { ...attestation.merkle, leafCount: 3, root },
  }
  const { exitCode, results } = await checkAgainst(soon)
  expect(results[1].differences).toEqual([])
  expect(exitCode).toBe(0)
  expect(results[1].remarks.at(-1)).toMatch(/^entry 7 of .* was admitted in the period/)
  expect(await checkAgainst({ ...soon, generatedAt: attestation.generatedAt })).toMatchObject({
    exitCode: 1,
    results: [{}, { differences: [expect.stringContaining('period: entry 7')] }],
  })
})

const { period, totals, merkle } = attestation
test.each<[string, object, string]>([
  ['the tenant', { tenantId: 'other' }, 'tenantId'],
  ['the days', { period: { ...period, days: 31 } }, 'period.days'],
  ['the label', { period: { ...period, label: '2026-10' } }, 'period.label'],
  ['a later beginning', { period: { ...period, fromSeq: 5 } }, 'period: entry 4'],
  ['an earlier end', { period: { ...period, toSeq: 6 } }, 'period: entry 7'],
  ['a later end', { period: { ...period, toSeq: 8 } }, 'period: entry 8'],
  ...Object.entries(totals).map(([name, value]): [string, object, string] => [
    `totals.${name}`,
    { totals: { ...totals, [name]: typeof value === 'number' ? value + 1 : !value } },
    `totals.${name}`,
  ]),
  ['a check left out', { checkCoverage: attestation.checkCoverage.slice(1) }, 'checkCoverage'],
  [
    'a rounded percentage',
    { checkCoverage: attestation.checkCoverage.map((each) => ({ ...each, pct: 99.9 })) },
    'checkCoverage',
  ],
  ['a pack left out', { packVersionsObserved: ['soc2@1.0'] }, 'packVersionsObserved'],
  ['a key left out', { signingKeyIds: [first.publicKey.id] }, 'signingKeyIds'],
  ['another leaf count', { merkle: { ...merkle, leafCount: 5 } }, 'merkle.leafCount'],
  [
    'another root',
    { merkle: { ...merkle, root: merkle.root.replace(/^./, (c) => (c === '0' ? '1' : '0')) } },
    'merkle.root',
  ],
])(
  'an attestation that is wrong about one thing is refused, and the thing named: %s',
  async (_, change, named) => {
    const { exitCode, results } = await checkAgainst({ ...attestation, ...change })
    expect(exitCode).toBe(1)
    expect(results[1]).toMatchObject({ fault: { kind: 'mismatch', seq: null } })
    expect(results[1].differences.some((each: string) => each.startsWith(named))).toBe(true)
  },
)

test('an attestation is not counted from a record that does not hold', async () => {
  const lines = exportLines(record, [first, second])
  await verifier.write('spoilt.jsonl', lines.with(5, lines[5]?.replace('ok', 'no') ?? ''))
  const { exitCode, results } = await checkAgainst(attestation, ['spoilt.jsonl'])
  expect(exitCode).toBe(1)
  expect(results).toHaveLength(1)
})
