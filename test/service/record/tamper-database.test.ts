import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ExportReport, ExportVerifier } from '../../../packages/record/src/verify/export-verifier.js'
import { type Database, openDatabase } from '../../../packages/service/src/db/index.js'
import {
  createSpanVerifier,
  type SpanVerifier,
} from '../../../packages/service/src/record/attestation/span-verifier.js'
import type { VerifiedSpan } from '../../../packages/service/src/record/attestation/verify-span.js'
import { loadOrCreateSigningKey } from '../../../packages/service/src/record/keys/signing-key.js'
import { exportRecord, planExport } from '../../../packages/service/src/record/read/export.js'
import { type BrowserVerifier, openBrowserVerifier } from '../../harness/browser/browser-verifier.js'
import { makeSigningKey } from '../../harness/record/export-file.js'
import { fillRecord } from '../../harness/record/fill-record.js'
import { createLedgerBench, type LedgerBench } from '../../harness/record/ledger.js'
import { verifyRecord } from '../../harness/record/record.js'
import { verifyExportText } from '../../harness/record/second-verifier.js'
import { type TamperBench, tamperCases } from '../../harness/record/tamper-cases.js'

const tables = ['signing_keys', 'record_heads', 'receipts', 'record_nodes', 'seals']

let ledger: LedgerBench
let bench: TamperBench
let database: Database
let pinned: string
let attestations: SpanVerifier
let browser: BrowserVerifier

beforeAll(async () => {
  browser = await openBrowserVerifier()
  ledger = await createLedgerBench({ tenants: 2 })
  const [tenantId = '', otherId = ''] = ledger.tenantIds
  for (const id of [tenantId, otherId]) await fillRecord({ ...ledger, tenantId: id, groups: [4, 4, 4] })
  const key = await loadOrCreateSigningKey({ dataDir: ledger.dataDir, configured: null })
  bench = { database: ledger.database, tenantId, otherId, key, stranger: makeSigningKey() }
  database = openDatabase(ledger.database.url, () => undefined)
  attestations = createSpanVerifier({ db: database.db, databaseUrl: ledger.database.url, chunkEntries: 5 })
  const [seal] = await ledger.database.query<{ note: string }>(
    'select note from seals where tenant_id = $1 and size = 12',
    [tenantId],
  )
  pinned = seal?.note ?? ''
  for (const table of tables) await ledger.database.query(`create table kept_${table} as table ${table}`)
})
afterAll(async () => {
  await browser.close()
  await attestations.close()
  await database.close()
  await ledger.close()
})

async function restore(): Promise<void> {
  for (const table of tables.toReversed()) await ledger.database.query(`delete from ${table}`)
  for (const table of tables) await ledger.database.query(`insert into ${table} table kept_${table}`)
}

async function verifyExport(pins: readonly string[]) {
  const verifier = new ExportVerifier({ pinned: pins })
  const plan = await planExport(database.db, bench.tenantId, {})
  if (plan.state !== 'found') throw new Error('there is nothing to export')
  let whole = ''
  for await (const text of exportRecord(database.db, plan.value)) {
    whole += text
    for (const line of text.split('\n')) if (line !== '') verifier.addLine(line)
  }
  const report = verifier.finish()
  await expectSameInBrowser(whole, pins, report)
  if (pins.length === 0) expect(verifyExportText(whole)).toBe(report.fault === null)
  return report
}

/** Whoever drops the export into the console hears the same of it. */
async function expectSameInBrowser(text: string, pins: readonly string[], { fault, sealed }: ExportReport) {
  const files = [text, ...pins].map((part, i) => ({ name: `file ${i}`, content: new Blob([part]) }))
  const { verdict, findings } = await browser.verifyFiles({ files, keys: [], costs: false })
  expect(verdict).toBe(fault === null ? 'consistent' : 'fault')
  expect(findings).toMatchObject([{ fault, facts: { sealed } }])
}

const allTime = { fromTs: '2000-01-01T00:00:00.000Z', toTs: '2100-01-01T00:00:00.000Z' }
const attest = () => attestations.verify(bench.tenantId, allTime, new AbortController().signal)

const isWhole = ({ fault, sealed, fromSeq, toSeq }: VerifiedSpan) =>
  fault === null && sealed === toSeq - fromSeq + 1

test('an untouched record verifies, with and without a pinned checkpoint', async () => {
  expect(await verifyRecord(ledger.database, bench.tenantId)).toMatchObject({ fault: null, sealed: 12 })
  expect(await verifyExport([])).toMatchObject({ fault: null, sealed: 12 })
  expect(await verifyExport([pinned])).toMatchObject({ fault: null, sealed: 12 })
  expect(isWhole(await attest())).toBe(true)
})

describe('a record that was tampered with in the database is neither exported nor attested as whole', () => {
  test.each(tamperCases)('$name', async ({ tamper, fault, needsPin }) => {
    try {
      await tamper(bench)
      expect((await verifyExport(needsPin ? [pinned] : [])).fault).toMatchObject(fault)
      if (needsPin) expect((await verifyExport([])).fault).toBeNull()
      else {
        expect(isWhole(await attest())).toBe(false)
        const { fault: found, chained, sealed } = await verifyRecord(ledger.database, bench.tenantId)
        if (fault.kind === 'unsealed')
          expect({ found, isSealed: sealed === chained }).toEqual({ found: null, isSealed: false })
        else expect(found).toMatchObject(fault)
      }
    } finally {
      await restore()
    }
  })

  test('in more than thirty ways', () => {
    expect(tamperCases.length).toBeGreaterThan(40)
    expect(new Set(tamperCases.map(({ name }) => name)).size).toBe(tamperCases.length)
  })
})
