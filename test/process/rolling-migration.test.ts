import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../../packages/service/src/db/index.js'
import { masterKey } from '../harness/processes/master-key.js'
import { createNewerMigrations } from '../harness/processes/migrations-folder.js'
import { hasRedis } from '../harness/processes/redis.js'
import { type Replicas, startReplicas } from '../harness/processes/replicas.js'
import { waitFor } from '../harness/run/wait.js'
import { startTestService, type TestService } from '../harness/service/service.js'

// The schema of a newer version arrives under replicas that serve.

let replicas: Replicas & { one: TestService; other: TestService }
let newer: Awaited<ReturnType<typeof createNewerMigrations>>

beforeAll(async () => {
  if (!hasRedis) return
  replicas = await startReplicas({}, {})
  newer = await createNewerMigrations({
    '9001_columns.sql': `-- expand: a column on each table that a call writes to
alter table receipts add column later text;
alter table open_calls add column later text;
alter table calls add column later text not null default '';
`,
    '9002_index.sql':
      '-- expand, concurrently: receipts by it\ncreate index concurrently if not exists receipts_by_later on receipts (later);\n',
  })
})
afterAll(async () => {
  if (!hasRedis) return
  await replicas.stop()
  await newer.remove()
})

test.skipIf(!hasRedis)(
  'while the schema is changed under load, no call is refused and each has one receipt; replicas start beside it',
  async () => {
    const { database, redis, one } = replicas
    const answers: { status: number; id: string | null }[] = []
    let isOver = false
    const callers = replicas.services.flatMap(({ address }) =>
      [1, 2].map(async () => {
        while (!isOver) {
          const response = await fetch(`${address}/v1/chat/completions`, {
            method: 'POST',
            headers: { authorization: `Bearer ${one.managerKey}`, 'content-type': 'application/json' },
            body: JSON.stringify({ model: 'mock/echo', messages: [{ role: 'user', content: 'Hi' }] }),
          })
          await response.text()
          answers.push({ status: response.status, id: response.headers.get('x-tallystick-request-id') })
        }
      }),
    )
    const more = async () => {
      const soFar = answers.length
      await waitFor('more answers', () => answers.length > soFar + 10)
    }
    await more()

    // A report that takes long: the columns cannot be added while it reads.
    const reader = new pg.Client(database.url)
    await reader.connect()
    await reader.query('begin; select from receipts limit 1')
    const said: string[] = []
    const migrating = migrate(database.url, {
      folder: newer.folder,
      lockTimeoutMs: 200,
      log: (message) => said.push(message),
    })
    await waitFor('a try that did not get its lock', () => said.length > 0)
    await more()
    await reader.end()
    expect(await migrating).toMatchObject({ applied: ['9001_columns.sql', '9002_index.sql'], waiting: [] })
    await more()

    // One of them is replaced by a program of the version before the change.
    const restarted = await startTestService({
      database,
      managerKey: one.managerKey,
      env: { REDIS_URL: redis.url, TALLYSTICK_MASTER_KEY: masterKey },
    })
    expect((await restarted.api.get('/readyz')).status).toBe(200)
    await restarted.stop()
    isOver = true
    await Promise.all(callers)

    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    const recorded = await database.query<{ request_id: string }>(
      'select request_id from receipts where request_id = any($1)',
      [answers.map(({ id }) => id)],
    )
    expect(new Set(recorded.map((row) => row.request_id)).size).toBe(answers.length)
    expect(recorded).toHaveLength(answers.length)
  },
)
