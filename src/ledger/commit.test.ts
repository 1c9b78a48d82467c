import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLedgerBench, type LedgerBench, newReceipt } from '../../test/harness/ledger.js'
import { verifyRecord } from '../../test/harness/record.js'
import { connectPipelined, type PipelinedConnection } from '../db/index.js'
import { commitGroup, UnfitReceiptError } from './commit.js'
import type { NewReceipt } from './receipt.js'
import { loadOrCreateSigningKey } from './signing-key.js'

let bench: LedgerBench
let connection: PipelinedConnection
let tenantId: string

beforeEach(async () => {
  bench = await createLedgerBench()
  tenantId = bench.tenantIds[0] ?? ''
  connection = await connectPipelined(bench.database.url, {
    answerTimeoutMs: 5_000,
    signal: new AbortController().signal,
    onLost: () => undefined,
  })
})
afterEach(async () => {
  await connection.close()
  await bench.close()
})

async function commit(
  group: NewReceipt[],
  mayRepeat: boolean,
  projections: Parameters<typeof commitGroup>[2]['projections'] = [],
) {
  const signingKey = await loadOrCreateSigningKey({ dataDir: bench.dataDir, configured: null })
  return await commitGroup(connection, group, { signingKey, projections, mayRepeat })
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
  await commit(receipts, false, [project])
  await commit([...receipts, newReceipt(tenantId)], true, [project])
  expect(seen).toEqual([1, 2, 3])
})

test('a projection that fails takes the receipts of its group with it, and the connection goes on', async () => {
  const refuse = () => [{ text: 'insert into usage_hours (tenant_id) values (null)', values: [] }]
  await expect(commit([newReceipt(tenantId)], false, [refuse])).rejects.toBeInstanceOf(UnfitReceiptError)
  expect(await bench.countReceipts()).toBe(0)
  expect(await commit([newReceipt(tenantId)], false)).toEqual(new Map([[expect.any(String), 1]]))
})

test('a group that is refused leaves nothing locked', async () => {
  const unfit = newReceipt(tenantId, { user: '\ud800' })
  await expect(commit([unfit], false)).rejects.toBeInstanceOf(UnfitReceiptError)
  expect(await bench.database.query('select size from record_heads for update nowait')).toHaveLength(1)
})
