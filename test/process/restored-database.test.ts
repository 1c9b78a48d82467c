import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createApi } from '../harness/api.js'
import { runCommand } from '../harness/command.js'
import { createTestDatabase } from '../harness/database.js'
import { startServiceProcess } from '../harness/process.js'
import { verifyRecord } from '../harness/record.js'
import { waitFor } from '../harness/wait.js'

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
  return { end: service.end, call: () => api.post('/v1/chat/completions', call) }
}

test('a database that was restored to an earlier moment is not signed until an operator accepts it, and the record says so', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'tallystick-restored-'))
  closing.push(() => rm(dataDir, { recursive: true, force: true }))
  const database = await createTestDatabase()
  closing.push(database.drop)
  const envOf = (url: string) => ({ DATABASE_URL: url, TALLYSTICK_DATA_DIR: dataDir })

  const first = await start(envOf(database.url))
  for (let i = 0; i < 3; i++) expect((await first.call()).status).toBe(200)
  await first.end('SIGTERM')
  const backup = await database.copy()
  closing.push(backup.drop)
  const second = await start(envOf(database.url))
  for (let i = 0; i < 3; i++) expect((await second.call()).status).toBe(200)
  await second.end('SIGTERM')

  const restored = await start(envOf(backup.url))
  const { status, body } = await restored.call()
  expect(status).toBe(503)
  expect(body.error.message).toContain('tallystick record accept-restore')
  const before = await verifyRecord(backup)
  expect(before.fault).toBeNull()

  const { exitCode, stdout } = await runCommand(['record', 'accept-restore'], envOf(backup.url))
  expect({ exitCode, stdout }).toEqual({
    exitCode: 0,
    stdout: expect.stringContaining('its next entry says so'),
  })
  await waitFor('calls', async () => (await restored.call()).status === 200)
  const entries = await backup.query<{ event: string }>(
    "select canonical::json ->> 'event' as event from receipts where seq = $1",
    [before.chained + 1],
  )
  expect(entries).toEqual([{ event: 'record.restore' }])
  expect((await verifyRecord(backup)).fault).toBeNull()
  const again = await runCommand(['record', 'accept-restore'], envOf(backup.url))
  expect(again.stdout).toContain('there is nothing to accept')
})
