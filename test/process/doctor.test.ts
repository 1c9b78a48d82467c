import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadOrCreateSigningKey } from '../../packages/service/src/record/index.js'
import { runCommand } from '../harness/processes/command.js'
import { hasRedis, startRedis } from '../harness/processes/redis.js'
import { startUpstream, type Upstream } from '../harness/providers/upstream.js'
import { createTestDatabase, type TestDatabase } from '../harness/service/database.js'

// `tallystick doctor` against what works, and against what is really broken.

let database: TestDatabase
let provider: Upstream
let folder: string
let status = 200

beforeAll(async () => {
  database = await createTestDatabase()
  provider = await startUpstream((_, response) => {
    response.statusCode = status
    response.end('{"data":[]}')
  })
  folder = await mkdtemp(join(tmpdir(), 'tallystick-doctor-'))
  await writeFile(
    join(folder, 'tallystick.yaml'),
    `providers:\n  stand-in: { type: openai, baseUrl: "${provider.url}/v1", apiKey: stand-in-key }\n`,
  )
  await loadOrCreateSigningKey({ dataDir: folder, configured: null })
})
afterAll(async () => {
  await provider?.close()
  await database?.drop()
  await rm(folder, { recursive: true, force: true })
})

interface Finding {
  check: string
  state: string
  message: string
  advice?: string
}

async function examine(env: Record<string, string> = {}) {
  const settings = { DATABASE_URL: database.url, TALLYSTICK_DATA_DIR: folder, ...env }
  const { exitCode, stdout } = await runCommand(['doctor', '--json'], settings, folder)
  const { state, checks }: { state: string; checks: Finding[] } = JSON.parse(stdout)
  const of = (name: string) => checks.filter(({ check }) => check === name)
  return { exitCode, state, checks, of, failed: checks.filter((each) => each.state === 'failed') }
}

test('a machine on which all is well passes, and each check says what it saw', async () => {
  const { exitCode, checks, failed } = await examine()
  expect({ exitCode, failed }).toEqual({ exitCode: 0, failed: [] })
  expect(new Set(checks.map(({ check }) => check))).toEqual(
    new Set([
      ...['settings', 'data folder', 'disk', 'signing key', 'database', 'schema', 'clock', 'master key'],
      ...['redis', 'provider stand-in', 'proxy'],
    ]),
  )
  // The list of models, and nothing that costs.
  expect(provider.seen.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /v1/models'])
})

test('a database that does not answer fails, and the other checks are made all the same', async () => {
  const { exitCode, of, failed } = await examine({ DATABASE_URL: 'postgres://x:secret@127.0.0.1:1/x' })
  expect(exitCode).toBe(1)
  expect(failed.map(({ check }) => check)).toEqual(['database'])
  expect(of('database')[0]).toMatchObject({
    message: expect.stringContaining('ECONNREFUSED'),
    advice: expect.stringContaining('DATABASE_URL'),
  })
  expect(JSON.stringify(failed)).not.toContain('secret')
  expect(of('provider stand-in')[0]?.state).toBe('ok')
})

test('a database without tables is a warning that says how to create them', async () => {
  const name = `doctor_${process.pid}`
  await database.query(`create database ${name} template template0`)
  try {
    const url = new URL(database.url)
    url.pathname = `/${name}`
    const { exitCode, of, failed } = await examine({ DATABASE_URL: url.href })
    expect({ exitCode, failed }).toEqual({ exitCode: 0, failed: [] })
    expect(of('schema')).toMatchObject([
      { state: 'warning', advice: expect.stringContaining('tallystick migrate') },
    ])
  } finally {
    await database.query(`drop database ${name}`)
  }
})

test('a key file that others may read fails, with the command that closes it', async () => {
  const path = join(folder, 'signing-key.pem')
  await chmod(path, 0o644)
  const { exitCode, of } = await examine()
  await chmod(path, 0o600)
  expect(exitCode).toBe(1)
  expect(of('key files')[0]?.advice).toContain(`chmod 600 ${path}`)
})

test('a provider that refuses the credential fails', async () => {
  status = 401
  const { exitCode, failed } = await examine()
  status = 200
  expect(exitCode).toBe(1)
  expect(failed).toMatchObject([{ check: 'provider stand-in', message: expect.stringContaining('401') }])
})

test.skipIf(!hasRedis)('Redis passes while it runs, and fails when it is stopped', async () => {
  const server = await startRedis()
  expect((await examine({ REDIS_URL: server.url })).of('redis')[0]?.state).toBe('ok')
  await server.kill()
  const { exitCode, of } = await examine({ REDIS_URL: server.url })
  await server.close()
  expect(exitCode).toBe(1)
  expect(of('redis')[0]).toMatchObject({ state: 'failed', advice: expect.stringContaining('REDIS_URL') })
})

test('a proxy that accepts connections is named without its password, and one that does not is a failure', async () => {
  const { port } = new URL(provider.url)
  const { exitCode, of } = await examine({ HTTPS_PROXY: `http://ada:s3cret@127.0.0.1:${port}` })
  expect(exitCode).toBe(0)
  expect(of('proxy')[0]?.message).toBe(
    `https targets are reached through http://127.0.0.1:${port}, which accepts connections`,
  )
  const away = await examine({ HTTPS_PROXY: 'http://ada:s3cret@127.0.0.1:1' })
  expect(away.exitCode).toBe(1)
  expect(away.of('proxy')[0]).toMatchObject({
    message: 'the proxy http://127.0.0.1:1 cannot be reached (ECONNREFUSED)',
    advice: expect.stringContaining('HTTPS_PROXY'),
  })
})

test('a proxy variable that is not used is a warning, and does not fail', async () => {
  const { exitCode, state, of } = await examine({ ALL_PROXY: 'http://127.0.0.1:3128' })
  expect({ exitCode, state }).toEqual({ exitCode: 0, state: 'warning' })
  expect(of('proxy')[0]?.message).toContain('ALL_PROXY')
})

test('wrong settings are listed instead, and for people each line is followed by what to do', async () => {
  const { exitCode, stdout } = await runCommand(['doctor'], { TALLYSTICK_PORT: 'wrong' }, folder)
  expect(exitCode).toBe(1)
  expect(stdout).toMatch(/^failed {3}settings {2}TALLYSTICK_PORT: .+\n +docs\/reference\/configuration\.md/)
})
