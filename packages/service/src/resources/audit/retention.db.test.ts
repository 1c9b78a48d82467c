import { expect, onTestFinished, test } from 'vitest'
import { createLedgerBench } from '../../../../../test/harness/record/ledger.js'
import { openDatabase } from '../../db/index.js'
import { dropOldAudit } from './retention.js'

test('old entries are dropped, however many, and younger ones stay', async () => {
  const bench = await createLedgerBench()
  onTestFinished(() => bench.close())
  const { db, close } = openDatabase(bench.database.url, () => undefined)
  onTestFinished(() => close())
  await bench.database.query('delete from audit_log')
  await bench.database.query(
    `insert into audit_log (id, tenant_id, at, key_id, action, subject_type, subject_id, actor_type, actor_id)
     select 'audit_' || n, $1, timestamptz '2026-01-01' + n * interval '1 day', 'key_1', 'key.create', 'key', 'key_1', 'key', 'key_1'
     from generate_series(1, 12) n`,
    [bench.tenantIds[0]],
  )
  await dropOldAudit(db, new Date('2026-01-08T00:00:00Z'), 2)
  const rows = await bench.database.query<{ id: string }>('select id from audit_log order by at')
  expect(rows.map(({ id }) => id)).toEqual([
    'audit_7',
    'audit_8',
    'audit_9',
    'audit_10',
    'audit_11',
    'audit_12',
  ])
})
