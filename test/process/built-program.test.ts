import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCommand } from '../harness/processes/command.js'
import { type ServiceProcess, startServiceProcess } from '../harness/processes/process.js'
import { type Api, createApi } from '../harness/service/api.js'
import { createTestDatabase, type TestDatabase } from '../harness/service/database.js'
import { startTestService, type TestService } from '../harness/service/service.js'

// The build moves every module into a few files. Here is what a module finds by its own place, and what a bundler may lose.

const key = 'tallystick_sk_0123456789abcdefghijKLMNOPQRSTUVWXYZ'

let database: TestDatabase
let dataDir: string
let built: ServiceProcess
let source: TestService
let api: Api

beforeAll(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'tallystick-built-'))
  const env = { DATABASE_URL: database.url, TALLYSTICK_DATA_DIR: dataDir, TALLYSTICK_BOOTSTRAP_KEY: key }
  ;[built, source] = await Promise.all([startServiceProcess(env), startTestService()])
  api = createApi(built.address, key)
})
afterAll(async () => {
  await built.end('SIGTERM')
  await source.stop()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

describe('the built program', () => {
  test('describes the same API as the sources', async () => {
    const { body } = await api.get('/openapi.json')
    expect(body).toEqual((await source.api.get('/openapi.json')).body)
  })

  test('serves the reference with its script', async () => {
    const page = await (await fetch(`${built.address}/docs/api/`)).text()
    const [, script = ''] = /<script src="([^"]+)"/.exec(page) ?? []
    const response = await fetch(new URL(script, `${built.address}/docs/api/`))
    expect(response.status).toBe(200)
    expect((await response.text()).length).toBeGreaterThan(100_000)
  })

  test('finds its packs', async () => {
    expect((await api.get('/v1/compliance/packs')).body).toEqual(
      (await source.api.get('/v1/compliance/packs')).body,
    )
  })

  test('counts the tokens of long texts in its thread', async () => {
    const messages = [{ role: 'user', content: 'How many tokens are these? '.repeat(2_000) }]
    const count = async (from: Api) =>
      (await from.post('/v1/chat/completions', { model: 'mock/echo', messages })).body.usage
    expect(await count(api)).toEqual(await count(source.api))
    expect(built.output()).not.toContain('thread crashed')
  })

  test('verifies the record for an attestation in its threads', async () => {
    const { status, body } = await api.get('/v1/compliance/attestation')
    expect(status).toBe(200)
    expect(body.totals).toMatchObject({ receipts: 2, modelReceipts: 1, chainVerified: true })
  })

  test('names the sources in a stack', async () => {
    const lost = await mkdtemp(join(tmpdir(), 'tallystick-lost-'))
    try {
      await symlink(join(lost, 'nowhere'), join(lost, 'postgres'))
      const { exitCode, stderr } = await runCommand(['tenant', 'list'], { TALLYSTICK_DATA_DIR: lost })
      expect(exitCode).toBe(1)
      expect(stderr).toContain('is gone')
      expect(stderr).toMatch(/\/src\/db\/embedded\/cluster\.ts:\d+:\d+\)?\n/)
    } finally {
      await rm(lost, { recursive: true, force: true })
    }
  })
})
