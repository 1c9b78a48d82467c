import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../test/harness/database.js'
import { waitFor } from '../test/harness/wait.js'
import { createClosers } from './closers.js'
import { openDatabase } from './db/index.js'
import { startUpkeep } from './upkeep.js'

test('what begins in the background takes four connections, however much there is, and all of it is done', async () => {
  const database = await createTestDatabase()
  const opened = openDatabase(database.url, () => undefined)
  const closers = createClosers()
  const faults: unknown[] = []
  const waiting = () =>
    database.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  await opened.db.transaction().execute(async (blocker) => {
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`.execute(
      blocker,
    )
    await sql`lock table ${sql.join(rows.map(({ name }) => sql.table(name)))} in access exclusive mode`.execute(
      blocker,
    )
    startUpkeep(closers, {
      databaseUrl: database.url,
      config: { webhooks: { retentionDays: 30 }, callsRetentionDays: 400, anchor: { type: 'none' } },
      now: () => new Date(),
      failed: () => (error) => faults.push(error),
    })
    await waitFor('jobs that wait', async () => (await waiting()).length >= 4)
    expect(await waiting()).toHaveLength(4)
  })
  await closers.close()
  expect(faults).toEqual([])
  await opened.close()
  await database.drop()
})
