import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { startEmbeddedPostgres } from '../../packages/service/src/db/index.js'
import { runCommand } from '../harness/processes/command.js'
import { startServiceProcess } from '../harness/processes/process.js'
import { verifyRecord } from '../harness/record/record.js'
import { createApi } from '../harness/service/api.js'
import { createTestDatabase } from '../harness/service/database.js'
import { sumTables } from '../harness/service/table-sums.js'

const managerKey = `tallystick_sk_${'m'.repeat(40)}`
const call = { model: 'mock/echo', messages: [{ role: 'user', content: 'Hi' }] }

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function start(env: Record<string, string>) {
  const service = await startServiceProcess({ TALLYSTICK_BOOTSTRAP_KEY: managerKey, ...env })
  closing.push(() => service.end('SIGKILL'))
  const api = createApi(service.address, managerKey)
  return { ...service, api, call: async () => (await api.post('/v1/chat/completions', call)).status }
}

async function sumBundled(dataDir: string): Promise<Record<string, string>> {
  const bundled = await startEmbeddedPostgres({ dataDir, log: () => undefined })
  const client = new pg.Client(bundled.url)
  await client.connect()
  try {
    return await sumTables({ query: async (text) => (await client.query(text)).rows })
  } finally {
    await client.end()
    await bundled.stop()
  }
}

test('the bundled database moves to an external one, whole, and only while no service writes to it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tallystick-move-'))
  // Under root, the bundled database runs as another account.
  await chmod(folder, 0o755)
  closing.push(() => rm(folder, { recursive: true, force: true }))
  const env = { TALLYSTICK_DATA_DIR: join(folder, 'data') }
  const before = await start(env)
  for (let i = 0; i < 5; i++) expect(await before.call()).toBe(200)

  const target = await createTestDatabase()
  closing.push(target.drop)
  const full = await runCommand(['move-to', target.url], env)
  expect(full).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('The database is not empty') })
  await target.query('drop schema public cascade')
  await target.query('create schema public')
  const running = await runCommand(['move-to', target.url], env)
  expect(running).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('A service uses the database: stop it'),
  })
  expect(await sumTables(target)).toEqual({})

  await before.end('SIGTERM')
  const { exitCode, stdout } = await runCommand(['move-to', target.url], env)
  expect({ exitCode, stdout }).toEqual({
    exitCode: 0,
    stdout: expect.stringMatching(/\ndefault: \d+ entries, root [0-9a-f]{64}\nNext: set DATABASE_URL/),
  })
  expect(await sumTables(target)).toEqual(await sumBundled(env.TALLYSTICK_DATA_DIR))

  const after = await start({ ...env, DATABASE_URL: target.url })
  for (let i = 0; i < 3; i++) expect(await after.call()).toBe(200)
  const { fault, receipts } = await verifyRecord(target)
  expect({ fault, receipts: receipts.length }).toEqual({ fault: null, receipts: 8 })
  await after.end('SIGTERM')

  // Somebody forgets the new setting: the old database lacks what was signed since, so the record does not fork.
  const forgotten = await start(env)
  expect(await forgotten.call()).toBe(503)
})
