import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PostgresServer, startPostgres } from '../../../../../../test/chaos/postgres.js'
import { newReceipt } from '../../../../../../test/harness/record/receipt.js'
import { pick, random } from '../../../../../../test/harness/run/seed.js'
import { openDatabase, runTransaction } from '../../../db/index.js'
import { foldTenant } from './fold.js'
import { projectUsage } from './projection.js'

// A server of its own, which is killed.
let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
  await server.query(`insert into tenants (id, name) values ('t', 'T')`)
  await server.query(
    'create table written (seq bigint primary key, key_id text not null, nanos bigint not null)',
  )
})
afterAll(() => server.close())

let seq = 0

/** Writes groups, each with its sums in a table of the test, until the server is killed. */
async function writeUntilKilled(url: string): Promise<void> {
  const { db, close } = openDatabase(url, () => undefined)
  try {
    for (;;) {
      const receipts = Array.from({ length: 8 }, () => ({
        ...newReceipt('t', { key: pick(['a', 'b', 'c']), costNanos: 1 + Math.floor(random() * 9) }),
        seq: ++seq,
      }))
      await runTransaction(db, [
        ...projectUsage(receipts),
        {
          text: 'insert into written select * from unnest($1::bigint[], $2::text[], $3::bigint[])',
          values: [
            receipts.map((receipt) => receipt.seq),
            receipts.map(({ draft }) => draft.key),
            receipts.map(({ draft }) => draft.costNanos),
          ],
        },
      ])
    }
  } catch {
    await close()
  }
}

async function foldUntilKilled(url: string): Promise<number> {
  const { db, close } = openDatabase(url, () => undefined)
  let folds = 0
  try {
    for (;;) {
      await foldTenant(db, 't')
      folds++
    }
  } catch {
    await close()
    return folds
  }
}

const sumsOf = (table: string, where: string, columns: string) =>
  server.query(`select ${columns} from ${table} where ${where} group by 1 order by 1`)

test('every committed group is counted once after the server was killed during writes and folds', async () => {
  let folds = 0
  for (let round = 0; round < 4; round++) {
    const folding = foldUntilKilled(server.url)
    const writing = writeUntilKilled(server.url)
    await pause(300 + 700 * random())
    await server.end('SIGKILL')
    await writing
    folds += await folding
    await server.start()
    const written = await sumsOf('written', 'true', 'key_id, count(*) as calls, sum(nanos) as nanos')
    for (const table of ['usage_hours', 'usage_minutes'])
      expect(
        await sumsOf(
          table,
          `tenant_id = 't'`,
          'key_id, sum(requests)::bigint as calls, sum(cost_nanos) as nanos',
        ),
      ).toEqual(written)
    expect(
      await sumsOf(
        'spend_days',
        `tenant_id = 't' and scope_type = 'key'`,
        'scope_id as key_id, sum(cost_nanos) as nanos',
      ),
    ).toEqual(written.map(({ key_id, nanos }) => ({ key_id, nanos })))
  }
  expect(folds).toBeGreaterThan(0)
})
