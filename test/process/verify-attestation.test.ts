import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ReceiptDraft } from '../../packages/record/src/format/entry.js'
import { describeException, readException } from '../../packages/record/src/format/exceptions.js'
import { emptyRoot, leafHash } from '../../packages/record/src/format/merkle/tree.js'
import { signAttestation } from '../../packages/record/src/format/signing/attestation-signature.js'
import { signCheckpoint } from '../../packages/record/src/format/signing/checkpoint.js'
import { openVerifierFolder, type VerifierFolder } from '../harness/processes/verifier-folder.js'
import { exportLines, makeRecord, makeSigningKey } from '../harness/record/export-file.js'
import { naiveRoot } from '../harness/record/naive-tree.js'

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
  exceptions: [],
}
const sign = (said: object, key = first) => ({ ...said, signature: signAttestation(said, key) })

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

const checkAgainst = (said: object, files = ['export.jsonl']) => checkSigned(sign(said), files)

async function checkSigned(said: object, files = ['export.jsonl']) {
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
  expect(results[1].remarks[0]).toContain(
    'only the signature of the attestation vouches for: packsInForce, anchor',
  )
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

describe('the signature of an attestation', () => {
  const signed = sign(attestation)

  test.each(Object.keys(attestation))('covers %s', async (name) => {
    const edited = Object.entries({ ...signed, [name]: null }).filter(
      ([each]) => name !== 'exceptions' || each !== name,
    )
    const said = {
      ...Object.fromEntries(edited),
      ...(name === 'generatedAt' && { generatedAt: '2026-12-03T00:00:00.000Z' }),
    }
    if (name === 'period') Object.assign(said, { period: { ...attestation.period, label: 'last-30-days' } })
    const { exitCode, results } = await checkSigned(said)
    expect(exitCode).toBe(1)
    expect(results.at(-1)).toMatchObject({ kind: 'attestation', fault: { kind: 'bad_signature', seq: null } })
  })

  test('covers a member that was added, whatever its name', async () => {
    expect(await checkSigned({ ...signed, note: 'audited' })).toMatchObject({
      results: [{}, { fault: { kind: 'bad_signature' } }],
    })
  })

  test('does not depend on the order of members or on white space', async () => {
    const reversed = Object.fromEntries(Object.entries(signed).reverse())
    expect(await checkSigned(reversed)).toMatchObject({ exitCode: 0 })
  })

  test('must be there, and by a trusted key', async () => {
    expect(await checkSigned(attestation)).toMatchObject({
      exitCode: 1,
      results: [{}, { fault: { kind: 'bad_signature', message: 'The attestation is not signed' } }],
    })
    expect(await checkSigned(sign(attestation, makeSigningKey()))).toMatchObject({
      exitCode: 1,
      results: [{}, { fault: { kind: 'unknown_key' } }],
    })
  })
})

describe('what the record says is missing or in doubt', () => {
  const lost: Partial<ReceiptDraft>[] = [
    { ts: '2026-11-01T00:00:00.000Z', outcome: 'ok' },
    {
      ts: '2026-11-10T00:00:00.000Z',
      ...{ kind: 'control', event: 'record.restore', subject: '5', by: 'ops' },
      restore: {
        sealedSize: 5,
        sealedRoot: 'ab'.repeat(32),
        keptSize: 1,
        missingEntries: 4,
        asked: ['Redis'],
      },
    },
    {
      ts: '2026-12-01T00:00:00.000Z',
      kind: 'control',
      event: 'signing_key.compromise',
      subject: first.publicKey.id,
    },
  ]
  const restored = makeRecord({ groups: [2, 1], keys: [first, second], draft: (seq) => lost[seq - 1] ?? {} })
  const texts = restored.groups.flatMap((group) => group.entries).map(({ canonical }) => canonical)
  const exceptionOf = (canonical: string) => {
    const exception = readException(JSON.parse(canonical))
    return exception && { ...exception, statement: describeException(exception) }
  }
  const said = {
    ...attestation,
    period: { ...attestation.period, fromSeq: 1, toSeq: 2 },
    totals: {
      ...attestation.totals,
      ...{
        receipts: 2,
        modelReceipts: 1,
        toolReceipts: 0,
        chainVerifiedCount: 2,
        signaturesVerifiedCount: 2,
      },
      ...{ policyEvaluated: 0, policyEvaluatedPct: 0, enforcementActions: 0, upstreamFailures: 0 },
    },
    checkCoverage: [],
    packVersionsObserved: [],
    signingKeyIds: [first.publicKey.id],
    merkle: {
      ...{ algorithm: 'RFC6962-SHA256', leafCount: 2 },
      root: naiveRoot(texts.slice(0, 2).map((text) => leafHash(text))).toString('hex'),
    },
    exceptions: texts.slice(1).map(exceptionOf),
  }
  const files = ['restored.jsonl']
  beforeAll(() => verifier.write('restored.jsonl', exportLines(restored, [first, second])))

  test('is stated by the verifier, of the export and of the attestation', async () => {
    const { exitCode, results } = await checkSigned(sign(said, second), files)
    expect(results[1]).toMatchObject({ fault: null, differences: [] })
    expect(exitCode).toBe(0)
    for (const { exceptions } of results)
      expect(exceptions).toEqual([
        expect.stringMatching(
          /^Sealed entries are missing: .* 5 entries had been sealed with the root (ab){32}; 4 of these are missing, those after entry 1 \(entry 2, 2026-11-10T00:00:00.000Z, by ops\)$/,
        ),
        expect.stringContaining(`${first.publicKey.id} was reported as compromised`),
      ])
    expect(results[0].established[0]).not.toContain('missing')
    await verifier.write('attestation.json', JSON.stringify(sign(said, second)))
    const { stdout } = await verifier.run(['attestation.json', ...files, '--key', 'jwks.json'])
    expect(stdout).toMatch(
      /^restored.jsonl: verified, with 2 exceptions\n {2}EXCEPTION: Sealed entries are missing/,
    )
  })

  test.each<[string, unknown]>([
    ['left out', said.exceptions.slice(1)],
    [
      'understated',
      said.exceptions.map((each) => ({ ...each, restore: { ...lost[1]?.restore, missingEntries: 1 } })),
    ],
    ['said otherwise', said.exceptions.map((each) => ({ ...each, statement: 'Nothing to see' }))],
    ['said twice', [...said.exceptions, said.exceptions[0]]],
    ['made up', [...said.exceptions, { ...said.exceptions[0], seq: 1 }]],
    ['no list', undefined],
  ])('must be in the attestation as it is: %s', async (_, exceptions) => {
    const { exitCode, results } = await checkSigned(
      sign(JSON.parse(JSON.stringify({ ...said, exceptions })), second),
      files,
    )
    expect(exitCode).toBe(1)
    expect(results[1]).toMatchObject({
      fault: { kind: 'mismatch', message: expect.stringContaining('exceptions') },
    })
  })

  test('may be unknown to an older attestation, and is then told', async () => {
    const before = {
      ...said,
      generatedAt: '2026-11-20T00:00:00.000Z',
      exceptions: said.exceptions.slice(0, 1),
    }
    const { exitCode, results } = await checkSigned(sign(before, second), files)
    expect(exitCode).toBe(0)
    expect(results[1].remarks.join()).toContain('Recorded since, and not in the attestation: The signing key')
  })

  test('may be outside the export, and is then not checked', async () => {
    await verifier.write('short.jsonl', exportLines(restored, [first, second], { toGroup: 1 }))
    const { exitCode, results } = await checkSigned(sign(said, second), ['short.jsonl'])
    expect(exitCode).toBe(0)
    expect(results[1].remarks.join()).toContain('Exception of entry 3: not checked')
  })

  test('takes the weight from what a compromised key signs', async () => {
    expect(await checkSigned(sign(said, first), files)).toMatchObject({
      exitCode: 2,
      results: [{ fault: null }, { unproved: expect.stringContaining('entry 3 reports the key') }],
    })
    const forged = makeRecord({ groups: [2, 1], keys: [second, first], draft: (seq) => lost[seq - 1] ?? {} })
    await verifier.write('forged.jsonl', exportLines(forged, [first, second]))
    expect(await verifier.runJson(['forged.jsonl', '--key', 'jwks.json'])).toMatchObject({
      exitCode: 1,
      results: [{ fault: { kind: 'compromised_key', seq: 3 } }],
    })
  })

  test('does not excuse a checkpoint from before', async () => {
    const { head } = makeRecord({ groups: [2], keys: [first], draft: () => ({ outcome: 'ok' }) })
    const before = { tenant: 'acme', size: 2, root: head.range.root() }
    await verifier.write('before.txt', signCheckpoint(before, first))
    const args = ['restored.jsonl', '--key', 'jwks.json', '--checkpoint', 'before.txt']
    expect(await verifier.runJson(args)).toMatchObject({
      exitCode: 1,
      results: [{ fault: { kind: 'bad_root', seq: 2 } }],
    })
    await verifier.write('before.txt', signCheckpoint({ ...before, size: 5 }, first))
    expect(await verifier.runJson(args)).toMatchObject({
      exitCode: 1,
      results: [{ fault: { kind: 'cut_off', seq: 4 } }],
    })
  })
})
