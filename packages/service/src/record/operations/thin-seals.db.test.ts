import { generateKeyPairSync } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fillRecord } from '../../../../../test/harness/record/fill-record.js'
import { createLedgerBench, type LedgerBench } from '../../../../../test/harness/record/ledger.js'
import { verifyRecord } from '../../../../../test/harness/record/record.js'
import { type Database, openDatabase } from '../../db/index.js'
import { readInclusionProof } from '../read/proofs.js'
import { thinSeals } from './thin-seals.js'

let bench: LedgerBench
let database: Database
let tenantId: string
beforeEach(async () => {
  bench = await createLedgerBench()
  tenantId = bench.tenantIds[0] ?? ''
  database = openDatabase(bench.database.url, () => undefined)
  await fillRecord({ ...bench, tenantId, groups: [1, 2, 1, 1, 3, 1, 1, 2, 1, 1] })
})
afterEach(async () => {
  await database.close()
  await bench.close()
})

// Sizes 1 3 4 5 8 9 10 12 13 14, three to an hour.
const startMs = Date.parse('2026-01-05T10:00:00Z')
const sizes = async () =>
  (await bench.database.query<{ size: number }>('select size::int from seals order by size')).map(
    ({ size }) => size,
  )

async function spread(): Promise<void> {
  for (const [i, size] of (await sizes()).entries())
    await bench.database.query('update seals set created_at = $2 where size = $1', [
      size,
      new Date(startMs + Math.floor(i / 3) * 3_600_000 + (i % 3) * 60_000),
    ])
}

test.each([2, 3, 4, 100])(
  'of old seals the last of each hour is kept, in steps of %d, and every entry keeps its proof',
  async (perStep) => {
    await spread()
    const before = new Date(startMs + 3 * 3_600_000)
    await thinSeals(database.db, before, perStep)
    expect(await sizes()).toEqual([4, 9, 13, 14])
    expect(await thinSeals(database.db, before, perStep)).toBe(0)
    expect(await verifyRecord(bench.database, tenantId)).toMatchObject({
      fault: null,
      chained: 14,
      sealed: 14,
    })
    for (let seq = 1; seq <= 14; seq++)
      expect((await readInclusionProof(database.db, tenantId, seq)).state, String(seq)).toBe('found')
  },
)

test('what is anchored, what another key sealed, and the newest of all stay', async () => {
  await spread()
  await bench.database.query(
    `insert into anchors (tenant_id, type, day, size, note, target, anchored_at)
     select tenant_id, 'file', '2026-01-05', size, note, 'x', now() from seals where size = 3`,
  )
  const spki = generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' })
  await bench.database.query('insert into signing_keys (id, public_key) values ($1, $2)', [
    'other',
    spki.subarray(-32),
  ])
  await bench.database.query("update seals set key_id = 'other' where size = 5")
  await thinSeals(database.db, new Date(startMs + 86_400_000))
  expect(await sizes()).toEqual([3, 4, 5, 9, 13, 14])
})
