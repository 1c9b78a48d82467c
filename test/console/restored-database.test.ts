import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, test as anyTest, expect } from 'vitest'
import { runCommand } from '../harness/processes/command.js'
import { startServiceProcess } from '../harness/processes/process.js'
import { createApi } from '../harness/service/api.js'
import { createTestDatabase } from '../harness/service/database.js'
import { chromiumPath, closeBrowserAfterwards } from './harness/browser.js'
import { managerKey } from './harness/console.js'
import { visit } from './harness/visit.js'

const test = anyTest.skipIf(chromiumPath === undefined)

const closing: (() => Promise<unknown>)[] = []

closeBrowserAfterwards()
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

test('the overview tells of a record that is not signed after a restore, and leads to what to do', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'tallystick-restored-'))
  closing.push(() => rm(dataDir, { recursive: true, force: true }))
  const database = await createTestDatabase()
  closing.push(database.drop)
  async function start(url: string) {
    const env = { DATABASE_URL: url, TALLYSTICK_DATA_DIR: dataDir, TALLYSTICK_BOOTSTRAP_KEY: managerKey }
    const service = await startServiceProcess(env)
    closing.push(() => service.end('SIGKILL'))
    const { post } = createApi(service.address, managerKey)
    const call = () =>
      post('/v1/chat/completions', { model: 'mock/echo', messages: [{ role: 'user', content: 'Hi' }] })
    return { ...service, call }
  }
  const first = await start(database.url)
  expect((await first.call()).status).toBe(200)
  await first.end('SIGTERM')
  const backup = await database.copy()
  closing.push(backup.drop)
  const second = await start(database.url)
  expect((await second.call()).status).toBe(200)
  await second.end('SIGTERM')

  const restored = await start(backup.url)
  expect((await restored.call()).status).toBe(503)
  const visitor = await visit({ address: restored.address, key: managerKey })
  closing.push(() => visitor.close())
  const { page } = visitor
  await page.goto(restored.address)
  await page.getByText('The record is not signed:').waitFor()
  expect(await page.getByRole('link', { name: 'What to do' }).getAttribute('href')).toBe(
    `${restored.address}/docs/operate/backup.html#accept-a-restore`,
  )

  const settings = { DATABASE_URL: backup.url, TALLYSTICK_DATA_DIR: dataDir }
  expect((await runCommand(['record', 'accept-restore'], settings)).exitCode).toBe(0)
  await expect.poll(async () => (await restored.call()).status, { timeout: 60_000 }).toBe(200)
  await page.reload()
  await page.getByText('Nothing needs attention').waitFor()
})
