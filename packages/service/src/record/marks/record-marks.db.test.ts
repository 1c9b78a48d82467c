import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeSigningKey } from '../../../../../test/harness/record/export-file.js'
import { createLedgerBench, type LedgerBench, newReceipt } from '../../../../../test/harness/record/ledger.js'
import { verifyRecord } from '../../../../../test/harness/record/record.js'
import { waitFor } from '../../../../../test/harness/run/wait.js'
import { readCheckpoint, signCheckpoint } from '../../../../record/src/format/signing/checkpoint.js'
import { inBoundedTransaction, openDatabase } from '../../db/index.js'
import { loadOrCreateSigningKey } from '../keys/signing-key.js'
import { acceptRestores } from '../operations/accept-restore.js'
import { findContradictedCheckpoints } from '../operations/compare-checkpoints.js'
import { createEventRecorder } from '../write/event-recorder.js'
import { createAnchorMarks } from './anchor-marks.js'
import { readReportedMarks } from './contradicted-marks.js'
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
  return await openMarksOf(bench.dataDir, ...stores)
}

/** The marks of a replica, which keeps them in its own data directory. */
async function openMarksOf(
  dataDir: string,
  ...stores: ReturnType<typeof createFileMarks>[]
): Promise<RecordMarks> {
  const say = (_context: object, message: string) => void said.push(message)
  const marks = await openRecordMarks({
    db: database.db,
    stores: stores.length > 0 ? stores : [createFileMarks(dataDir)],
    dataDir,
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
    await query('delete from usage_deltas where tenant_id = $1 and seq > $2', [tenantId, size])
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
  await acceptRestores({ db: database.db, recordEvent }, marks.faults(), {
    by: 'ops',
    asked: marks.sources(),
  })
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
  expect(ledger.pending().spooled).toBe(1)
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
  expect(ledger.pending().spooled).toBe(2)
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

const restoresOf = async (tenantId: string) =>
  (
    await bench.database.query<{ canonical: string }>(
      `select canonical from receipts where tenant_id = $1 and canonical like '%"record.restore"%' order by seq`,
      [tenantId],
    )
  ).map(({ canonical }) => JSON.parse(canonical))

/** Two replicas with a data directory each. The first has sealed up to entry 4, the second up to entry 6; the database has 3. */
async function goBackWithTwoReplicas(): Promise<{ first: string; second: string; roots: string[] }> {
  const [first, second] = await Promise.all([mkdtemp(`${bench.dataDir}-a`), mkdtemp(`${bench.dataDir}-b`)])
  const [ofFirst, ofSecond] = [await openMarksOf(first), await openMarksOf(second)]
  const before = await bench.open({ marks: ofFirst })
  await appendTo(before, restored(), 3)
  const goBackTo = await remember(restored())
  await appendTo(before, restored(), 1)
  await before.close()
  await ofFirst.close()
  const later = await bench.open({ marks: ofSecond })
  await appendTo(later, restored(), 2)
  await later.close()
  await ofSecond.close()
  const seals = await bench.database.query<{ note: string }>(
    'select note from seals where tenant_id = $1 order by size',
    [restored()],
  )
  await goBackTo()
  return { first, second, roots: seals.map(({ note }) => readCheckpoint(note)?.root.toString('hex') ?? '') }
}

test('a restore that one replica understates is not settled for the other, and the record is corrected', async () => {
  const { first, second, roots } = await goBackWithTwoReplicas()
  const ofFirst = await openMarksOf(first)
  await accept(ofFirst)
  await ofFirst.verify()
  expect(ofFirst.faults()).toEqual([])
  expect(await restoresOf(restored())).toMatchObject([
    { seq: 4, restore: { sealedSize: 4, sealedRoot: roots[3], keptSize: 3, missingEntries: 1 } },
  ])

  const ofSecond = await openMarksOf(second)
  expect(ofSecond.faults()).toMatchObject([{ sealed: { size: 6 }, size: 4, keptSize: 3, corrects: 4 }])
  const ledger = await bench.open({ marks: ofSecond })
  expect(await ledger.append(newReceipt(restored()))).toEqual({ seq: null })
  await accept(ofSecond)
  await ofSecond.verify()
  expect(ofSecond.faults()).toEqual([])
  expect((await restoresOf(restored()))[1]).toMatchObject({
    ...{ seq: 5, by: 'ops' },
    restore: { sealedSize: 6, sealedRoot: roots[5], keptSize: 3, missingEntries: 3, corrects: 4 },
  })
})

test('what a running replica remembers is known wherever the restore is accepted', async () => {
  const { first, second, roots } = await goBackWithTwoReplicas()
  await openMarksOf(second)
  const marks = await openMarksOf(first, createFileMarks(first), ...(await readReportedMarks(database.db)))
  expect(marks.sources()).toEqual([
    expect.stringMatching(/^data directory on /),
    expect.stringMatching(/^replica on /),
  ])
  await accept(marks)
  const [entry, ...others] = await restoresOf(restored())
  expect(others).toEqual([])
  expect(entry.restore).toMatchObject({ sealedSize: 6, sealedRoot: roots[5], missingEntries: 3 })
  expect(JSON.stringify(entry)).not.toContain(bench.dataDir)
  expect((await openMarksOf(second)).faults()).toEqual([])
  expect(await bench.database.query('select from contradicted_marks')).toEqual([])
})

test('a place that cannot be asked is named as such', async () => {
  await goBack()
  const broken = {
    ...createFileMarks(bench.dataDir),
    label: 'Redis',
    read: () => Promise.reject(new Error('gone')),
  }
  const marks = await openMarks(createFileMarks(bench.dataDir), broken)
  await accept(marks)
  expect((await restoresOf(restored()))[0].restore.asked).toContain('Redis (could not be read)')
})

test('a checkpoint that somebody kept is added to the record, once, and only when a key of the service signed it', async () => {
  const { first } = await goBackWithTwoReplicas()
  await accept(await openMarksOf(first))
  const key = await loadOrCreateSigningKey({ dataDir: bench.dataDir, configured: null })
  const checkpoint = { tenant: restored(), size: 6, root: Buffer.alloc(32, 7) }
  const present = (note: string) => findContradictedCheckpoints(database.db, [{ name: 'kept.txt', note }])
  const note = signCheckpoint(checkpoint, key)
  const faults = await present(note)
  expect(faults).toMatchObject([{ sealed: { size: 6 }, keptSize: 3, corrects: 4 }])
  const recordEvent = createEventRecorder({ signingKey: () => key, marks: noMarks, now: () => new Date() })
  await acceptRestores({ db: database.db, recordEvent }, faults, { by: 'ops', asked: ['checkpoints: 1'] })
  expect((await restoresOf(restored()))[1].restore).toEqual({
    ...{ sealedSize: 6, sealedRoot: '07'.repeat(32), keptSize: 3, missingEntries: 3 },
    ...{ asked: ['checkpoints: 1'], corrects: 4 },
  })
  expect(await present(note)).toEqual([])
  await expect(present(signCheckpoint(checkpoint, makeSigningKey()))).rejects.toThrow(
    'not signed by a key of this service',
  )
  await expect(present('a note')).rejects.toThrow('is not a checkpoint')

  const [seal] = await bench.database.query<{ note: string }>(
    'select note from seals where tenant_id = $1 order by size desc limit 1',
    [restored()],
  )
  expect(await present(seal?.note ?? '')).toEqual([])
})
