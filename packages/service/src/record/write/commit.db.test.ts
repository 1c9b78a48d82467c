import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createLedgerBench, type LedgerBench, newReceipt } from '../../../../../test/harness/record/ledger.js'
import { verifyRecord } from '../../../../../test/harness/record/record.js'
import { connectPipelined, type PipelinedConnection } from '../../db/index.js'
import { loadOrCreateSigningKey } from '../keys/signing-key.js'
import { noMarks } from '../marks/record-marks.js'
import { type CommitOptions, commitGroup, InvalidReceiptError, RepeatedReceiptError } from './commit.js'
import { KnownHeads } from './known-heads.js'
import type { NewReceipt } from './receipt.js'

let bench: LedgerBench
let connection: PipelinedConnection
let tenantId: string

beforeEach(async () => {
  bench = await createLedgerBench()
  tenantId = bench.tenantIds[0] ?? ''
  connection = await connectPipelined(bench.database.url, {
    answerTimeoutMs: 120_000,
    signal: new AbortController().signal,
    onLost: () => undefined,
  })
})
afterEach(async () => {
  await connection.close()
  await bench.close()
})

async function commit(group: NewReceipt[], mayBeRecorded: boolean, options: Partial<CommitOptions> = {}) {
  const signingKey = await loadOrCreateSigningKey({ dataDir: bench.dataDir, configured: null })
  return await commitGroup(connection, group, {
    signingKey,
    marks: noMarks,
    projections: [],
    mayBeRecorded,
    ...options,
  })
}

test('a group that may repeat records each request once: what is in the record, and what stands in it twice', async () => {
  const [first, second, third] = [newReceipt(tenantId), newReceipt(tenantId), newReceipt(tenantId)] as const
  await commit([first], false)
  const seqs = await commit([second, first, third, second, first], true)
  expect([first, second, third].map(({ draft }) => seqs.get(draft.id))).toEqual([1, 2, 3])
  expect(await commit([third, second, first], true)).toEqual(seqs)
  expect(await verifyRecord(bench.database, tenantId)).toMatchObject({ fault: null, chained: 3, sealed: 3 })
})

test('projections see a repeated receipt never, and a new one with its number', async () => {
  const seen: number[] = []
  const project = (receipts: readonly { seq: number }[]) => {
    seen.push(...receipts.map(({ seq }) => seq))
    return []
  }
  const receipts = [newReceipt(tenantId), newReceipt(tenantId)]
  await commit(receipts, false, { projections: [project] })
  await commit([...receipts, newReceipt(tenantId)], true, { projections: [project] })
  expect(seen).toEqual([1, 2, 3])
})

test('a projection that fails takes the receipts of its group with it, and the connection goes on', async () => {
  const refuse = () => [{ text: 'insert into usage_deltas (tenant_id) values (null)', values: [] }]
  await expect(commit([newReceipt(tenantId)], false, { projections: [refuse] })).rejects.toBeInstanceOf(
    InvalidReceiptError,
  )
  expect(await bench.countReceipts()).toBe(0)
  expect(await commit([newReceipt(tenantId)], false)).toEqual(new Map([[expect.any(String), 1]]))
})

test('a group that is refused leaves nothing locked', async () => {
  const unfit = newReceipt(tenantId, { user: '\ud800' })
  await expect(commit([unfit], false)).rejects.toBeInstanceOf(InvalidReceiptError)
  expect(await bench.database.query('select size from record_heads for update nowait')).toHaveLength(1)
})

describe('a writer that remembers where the records end', () => {
  /** The round trips, by what they were. */
  function watch(): string[] {
    const seen: string[] = []
    for (const name of ['read', 'transact'] as const) {
      const method = connection[name].bind(connection) as (sent: never) => Promise<never>
      Object.assign(connection, {
        [name]: (sent: never) => {
          seen.push(name)
          return method(sent)
        },
      })
    }
    return seen
  }
  const receipts = (count: number) => Array.from({ length: count }, () => newReceipt(tenantId))

  test('needs one round trip for a group, from the second on', async () => {
    const seen = watch()
    const knownHeads = new KnownHeads()
    for (const size of [2, 1, 3]) await commit(receipts(size), false, { knownHeads })
    expect(seen).toEqual(['read', 'transact', 'transact', 'transact'])
    expect(await verifyRecord(bench.database, tenantId)).toMatchObject({ fault: null, chained: 6, sealed: 6 })
  })

  test('notices that another writer was first, and continues after its entries', async () => {
    const knownHeads = new KnownHeads()
    await commit(receipts(2), false, { knownHeads })
    await commit(receipts(3), false)
    const [late] = receipts(1) as [NewReceipt]
    const seen = watch()
    expect(await commit([late], false, { knownHeads })).toEqual(new Map([[late.draft.id, 6]]))
    expect(seen).toEqual(['transact', 'read', 'transact'])
    expect(await verifyRecord(bench.database, tenantId)).toMatchObject({ fault: null, chained: 6, sealed: 6 })
  })

  test('asks again after a group that failed', async () => {
    const knownHeads = new KnownHeads()
    await commit(receipts(1), false, { knownHeads })
    const refuse = () => [{ text: 'insert into usage_deltas (tenant_id) values (null)', values: [] }]
    const failed = commit(receipts(1), false, { knownHeads, projections: [refuse] })
    await expect(failed).rejects.toBeInstanceOf(InvalidReceiptError)
    expect(knownHeads.find([tenantId])).toBeNull()
    await commit(receipts(1), false, { knownHeads })
    expect(await verifyRecord(bench.database, tenantId)).toMatchObject({ fault: null, chained: 2, sealed: 2 })
  })

  test('tells a receipt that is there already from a number that is', async () => {
    const knownHeads = new KnownHeads()
    const [again] = receipts(1) as [NewReceipt]
    await commit([again], false, { knownHeads })
    await expect(commit([again], false, { knownHeads })).rejects.toBeInstanceOf(RepeatedReceiptError)
    expect(await commit([again], true, { knownHeads })).toEqual(new Map([[again.draft.id, 1]]))
  })
})
