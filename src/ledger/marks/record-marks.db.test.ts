import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLedgerBench, type LedgerBench, newReceipt } from '../../../test/harness/ledger.js'
import { verifyRecord } from '../../../test/harness/record.js'
import { waitFor } from '../../../test/harness/wait.js'
import { inBoundedTransaction, openDatabase } from '../../db/index.js'
import { loadOrCreateSigningKey } from '../keys/signing-key.js'
import { acceptRestores } from '../operations/accept-restore.js'
import { createEventRecorder } from '../write/event-recorder.js'
import { createAnchorMarks } from './anchor-marks.js'
import { createFileMarks } from './file-marks.js'
import { noMarks, openRecordMarks, type RecordMarks } from './record-marks.js'

let bench: LedgerBench
let database: ReturnType<typeof openDatabase>
let said: string[]
const opened: RecordMarks[] = []
const [restored, other] = [() => bench.tenantIds[0] ?? '', () => bench.tenantIds[1] ?? '']

beforeEach(async () => {
  bench = await createLedgerBench({ tenants: 2 })
  database = openDatabase(bench.database.url, () => undefined)
  said = []
})
afterEach(async () => {
  for (const marks of opened.splice(0)) await marks.close()
  await database.close()
  await bench.close()
})

async function openMarks(...stores: ReturnType<typeof createFileMarks>[]): Promise<RecordMarks> {
  const say = (_context: object, message: string) => void said.push(message)
  const marks = await openRecordMarks({
    db: database.db,
    stores: stores.length > 0 ? stores : [createFileMarks(bench.dataDir)],
    log: { warn: say, error: say },
    now: Date.now,
  })
  opened.push(marks)
  return marks
}

/** Sees a record as it is now, and brings the database back to that moment. */
async function remember(tenantId: string): Promise<() => Promise<void>> {
  const { query } = bench.database
  const [head] = await query<{ size: number; prev: Buffer; frontier: Buffer }>(
    'select size::int, prev, frontier from record_heads where tenant_id = $1',
    [tenantId],
  )
  const { size, prev, frontier } = head ?? { size: 0, prev: null, frontier: null }
  return async () => {
    await query('delete from receipts where tenant_id = $1 and seq > $2', [tenantId, size])
    await query('delete from seals where tenant_id = $1 and size > $2', [tenantId, size])
    await query('delete from record_nodes where tenant_id = $1 and (index + 1) << level > $2', [
      tenantId,
      size,
    ])
    await query('update record_heads set size = $2, prev = $3, frontier = $4 where tenant_id = $1', [
      ...[tenantId, size, prev, frontier],
    ])
  }
}

const seqsOf = async (tenantId: string) =>
  (
    await bench.database.query<{ seq: number }>(
      'select seq::int from receipts where tenant_id = $1 order by seq',
      [tenantId],
    )
  ).map(({ seq }) => seq)

async function appendTo(ledger: Awaited<ReturnType<LedgerBench['open']>>, tenantId: string, count: number) {
  for (let i = 0; i < count; i++) await ledger.append(newReceipt(tenantId))
}

async function accept(marks: RecordMarks): Promise<void> {
  const signingKey = await loadOrCreateSigningKey({ dataDir: bench.dataDir, configured: null })
  const recordEvent = createEventRecorder({
    signingKey: () => signingKey,
    marks: noMarks,
    now: () => new Date(),
  })
  await acceptRestores({ db: database.db, recordEvent }, marks.faults())
}

/** Seals three entries, then two more that the database forgets. */
async function goBack(): Promise<void> {
  const marks = await openMarks()
  const ledger = await bench.open({ marks })
  await appendTo(ledger, restored(), 3)
  const goBackTo = await remember(restored())
  await appendTo(ledger, restored(), 2)
  await appendTo(ledger, other(), 1)
  await ledger.close()
  await marks.close()
  await goBackTo()
}

test('a record that ends before what was sealed is not signed; others are; what calls left of it is kept, and recorded once it is accepted', async () => {
  await goBack()
  const marks = await openMarks()
  const ledger = await bench.open({ marks })
  expect(marks.faults()).toMatchObject([{ tenant: restored(), sealed: { size: 5 }, keptSize: 3 }])
  expect(said).toEqual([expect.stringContaining('tallystick record accept-restore')])
  expect(ledger.faultOf(restored())).toContain('sealed up to entry 5')
  expect(ledger.faultOf(other())).toBeNull()

  const [late, fine] = await Promise.all([
    ledger.append(newReceipt(restored())),
    ledger.append(newReceipt(other())),
  ])
  expect([late, fine]).toEqual([{ seq: null }, { seq: 2 }])
  expect(ledger.waiting().spooled).toBe(1)
  expect(await seqsOf(restored())).toEqual([1, 2, 3])

  await accept(marks)
  await marks.verify()
  await waitFor('what was held', async () => (await seqsOf(restored())).length === 5)
  await appendTo(ledger, restored(), 1)
  expect(ledger.faultOf(restored())).toBeNull()
  expect(await verifyRecord(bench.database, restored())).toMatchObject({ fault: null, chained: 6, sealed: 6 })
  const [entry] = await bench.database.query<{ canonical: string }>(
    'select canonical from receipts where tenant_id = $1 and seq = 4',
    [restored()],
  )
  expect(JSON.parse(entry?.canonical ?? '')).toMatchObject({
    event: 'record.restore',
    subject: expect.stringMatching(/^5:[0-9a-f]{64}$/),
    reason: expect.stringContaining('entries 4 to 5'),
  })
  // Who starts after that finds nothing to refuse.
  await ledger.close()
  await marks.close()
  expect((await openMarks()).faults()).toEqual([])
})

test('what is held outlasts the process, and the record is signed by none that starts', async () => {
  await goBack()
  for (let start = 0; start < 2; start++) {
    const marks = await openMarks()
    const ledger = await bench.open({ marks })
    await appendTo(ledger, restored(), 1)
    await ledger.close()
    await marks.close()
  }
  const marks = await openMarks()
  const ledger = await bench.open({ marks })
  expect(ledger.waiting().spooled).toBe(2)
  await accept(marks)
  await marks.verify()
  await waitFor('what was held', async () => (await seqsOf(restored())).length === 6)
  expect(await verifyRecord(bench.database, restored())).toMatchObject({ fault: null, chained: 6 })
})

test('a writer whose database goes back under it signs nothing, also where the connection was idle when it was cut', async () => {
  const marks = await openMarks()
  const ledger = await bench.open({ marks })
  await appendTo(ledger, restored(), 3)
  const goBackTo = await remember(restored())
  await appendTo(ledger, restored(), 2)
  await goBackTo()
  await bench.database.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  await waitFor('the fault', async () => marks.faultOf(restored()) !== null)
  await waitFor('the connection', async () => ledger.available())
  expect(await ledger.append(newReceipt(restored()))).toEqual({ seq: null })
  expect(await seqsOf(restored())).toEqual([1, 2, 3])
})

test('a record that others have taken further, from another entry than was sealed, is refused as well', async () => {
  await goBack()
  const blind = await bench.open({ marks: noMarks })
  await appendTo(blind, restored(), 4)
  const marks = await openMarks()
  expect(marks.faultOf(restored())?.message).toContain('has another entry there')
  await accept(marks)
  await marks.verify()
  expect(marks.faults()).toEqual([])
})

test('changes that are recorded in a transaction of their own are refused too', async () => {
  await goBack()
  const marks = await openMarks()
  const signingKey = await loadOrCreateSigningKey({ dataDir: bench.dataDir, configured: null })
  const recordEvent = createEventRecorder({ signingKey: () => signingKey, marks, now: () => new Date() })
  const changed = inBoundedTransaction(database.db, (tx) =>
    recordEvent(tx, restored(), { event: 'pack.activate', subject: 'x' }),
  )
  await expect(changed).rejects.toMatchObject({ type: 'unavailable' })
  expect(await seqsOf(restored())).toEqual([1, 2, 3])
})

test('an anchor in a file is held against the database, too', async () => {
  const ledger = await bench.open()
  await appendTo(ledger, restored(), 2)
  const line = { type: 'tallystick-anchor', v: 1, tenant: restored(), note: 'n' }
  const path = join(bench.dataDir, 'anchors-{day}.jsonl')
  await writeFile(
    path.replace('{day}', '2026-01-04'),
    `${JSON.stringify({ ...line, day: '2026-01-04', size: 9 })}\n`,
  )
  await writeFile(
    path.replace('{day}', '2026-01-03'),
    `${JSON.stringify({ ...line, day: '2026-01-03', size: 2 })}\n`,
  )
  expect((await openMarks(createAnchorMarks(path))).faults()).toMatchObject([
    { sealed: { size: 9 }, keptSize: 2 },
  ])
})

test('a file that cannot be read stops nobody, and is written anew', async () => {
  await writeFile(join(bench.dataDir, 'record-marks.json'), '{"half')
  const marks = await openMarks()
  expect(said).toEqual([expect.stringContaining('record-marks.json')])
  const ledger = await bench.open({ marks })
  await appendTo(ledger, restored(), 1)
  await ledger.close()
  await marks.close()
  expect(await createFileMarks(bench.dataDir).read()).toMatchObject([{ tenant: restored(), size: 1 }])
})
