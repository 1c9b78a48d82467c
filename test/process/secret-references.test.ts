import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FakeVault, serveVault } from '../harness/cloud/vault.js'
import { runCommand } from '../harness/processes/command.js'
import { type ServiceProcess, startServiceProcess } from '../harness/processes/process.js'
import { sendJson, startUpstream, type Upstream } from '../harness/providers/upstream.js'
import { waitFor } from '../harness/run/wait.js'
import { type Api, createApi } from '../harness/service/api.js'
import { createTestDatabase, type TestDatabase } from '../harness/service/database.js'

const managerKey = `tallystick_sk_${'a'.repeat(40)}`
const inVault = 'sk-value-that-is-in-vault'
const inEnvironment = 'postgres-password-of-the-operator'

let database: TestDatabase
let dataDir: string
let vault: FakeVault
let upstream: Upstream
let env: Record<string, string>
let service: ServiceProcess
let api: Api
const authorizations: (string | undefined)[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'tallystick-data-'))
  vault = await serveVault({
    secrets: { 'secret/openai': [{ key: inVault }] },
    appRole: { roleId: 'role', secretId: 'secret-of-the-role' },
  })
  // It repeats the credential in its error, as some servers do.
  upstream = await startUpstream(({ headers }, response) => {
    authorizations.push(headers.authorization)
    sendJson(response, 401, { error: { message: `wrong key: ${headers.authorization}` } })
  })
  env = {
    DATABASE_URL: database.url,
    TALLYSTICK_DATA_DIR: dataDir,
    TALLYSTICK_BOOTSTRAP_KEY: managerKey,
    TALLYSTICK_LOG_LEVEL: 'trace',
    VAULT_ADDR: vault.url,
    VAULT_ROLE_ID: 'role',
    VAULT_SECRET_ID: 'secret-of-the-role',
    OPENAI_API_KEY: 'vault:secret/openai#key',
    OPENAI_BASE_URL: `${upstream.url}/v1`,
    OPERATOR_SECRET: inEnvironment,
  }
  service = await startServiceProcess(env)
  api = createApi(service.address, managerKey)
})
afterAll(async () => {
  await service.end('SIGTERM')
  await Promise.all([upstream.close(), vault.close(), database.drop()])
  await rm(dataDir, { recursive: true, force: true })
})

const call = (model: string) =>
  api.post('/v1/chat/completions', { model, messages: [{ role: 'user', content: 'Hi' }] })

test('a value from a store goes to its provider, and into no log, error, answer, record or table', async () => {
  const failed = await call('openai/gpt-4o-mini')
  expect(authorizations).toEqual([`Bearer ${inVault}`])
  const paths = ['providers', 'calls', 'audit-log', 'events', 'session', 'usage'].map((name) => `/v1/${name}`)
  const answers = await Promise.all(
    [...paths, '/v1/compliance/export', '/metrics', '/readyz', '/v1/config'].map((path) => api.get(path)),
  )
  const doctor = await runCommand(['doctor', '--json'], env, dataDir)
  expect(doctor.stdout).toContain('provider openai')
  const tables = await database.query<{ text: string }>(
    `select query_to_xml(format('select * from %I', tablename), true, false, '')::text as text
     from pg_tables where schemaname = 'public'`,
  )
  expect(tables.length).toBeGreaterThan(30)
  const seen = [failed, answers, doctor, tables, service.output()].map((each) => JSON.stringify(each)).join()
  expect(seen).toContain('gpt-4o-mini')
  expect(seen).not.toContain(inVault)
  expect(seen).not.toContain('secret-of-the-role')
})

test('what a tenant stores is never a reference, so that it cannot read the secrets of the operator', async () => {
  const attempts = ['env:OPERATOR_SECRET', 'file:/etc/hostname', 'vault:secret/openai#key', 'aws-sm:prod']
  const requests = vault.requests.length
  for (const [index, value] of attempts.entries()) {
    const { status } = await api.post('/v1/providers', {
      ...{ name: `house${index}`, type: 'vllm', baseUrl: `${upstream.url}/v1` },
      credentials: [{ name: 'a', value }],
      headers: { 'x-extra': value },
    })
    expect(status).toBe(201)
    const { body } = await api.get('/v1/providers?limit=100')
    const { id } = body.data.find((each: { name: string }) => each.name === `house${index}`)
    await api.post(`/v1/providers/${id}/test`, {})
    expect(authorizations.at(-1)).toBe(`Bearer ${value}`)
  }
  expect(vault.requests).toHaveLength(requests)
})

test('a value that was rotated in the store is used after SIGHUP; while the store is sealed, the old one stays', async () => {
  const keyInUse = async () => {
    await call('openai/gpt-4o-mini')
    return authorizations.at(-1)
  }
  const reload = async (count: number) => {
    process.kill(service.pid, 'SIGHUP')
    await waitFor('the reload', () => vault.requests.length > count)
  }
  vault.state.isSealed = true
  await reload(vault.requests.length)
  expect(await keyInUse()).toBe(`Bearer ${inVault}`)
  vault.state.isSealed = false
  vault.state.secrets['secret/openai']?.push({ key: 'sk-rotated-value' })
  process.kill(service.pid, 'SIGHUP')
  await waitFor('the new key', async () => (await keyInUse()) === 'Bearer sk-rotated-value')
})

test.each(['1', '2'])(
  '%s workers: a rotated value is used without a signal, and an outage is logged once',
  async (workers) => {
    const folder = await mkdtemp(join(tmpdir(), 'tallystick-data-'))
    const { url, drop } = await createTestDatabase()
    const refreshing = await startServiceProcess({
      ...{ ...env, DATABASE_URL: url, TALLYSTICK_DATA_DIR: folder, TALLYSTICK_WORKERS: workers },
      ...{ TALLYSTICK_SECRETS_REFRESH_MS: '50', TALLYSTICK_LOG_LEVEL: 'info' },
    })
    // Each request has a connection of its own, so that all workers are asked.
    const own = createApi(refreshing.address, managerKey, { connection: 'close' })
    const countLines = (text: string) => refreshing.output().split(text).length - 1
    const outages = async () =>
      /^tallystick_secret_outages (\d+)$/m.exec((await own.get('/metrics')).body)?.[1]
    const keyInUse = async () => {
      const message = { role: 'user', content: 'Hi' }
      await own.post('/v1/chat/completions', { model: 'openai/gpt-4o-mini', messages: [message] })
      return authorizations.at(-1)
    }
    try {
      vault.state.secrets['secret/openai']?.push({ key: `sk-refreshed-${workers}` })
      await waitFor('the new key', async () => (await keyInUse()) === `Bearer sk-refreshed-${workers}`)
      vault.state.isSealed = true
      await waitFor('the metric', async () => (await outages()) === '1')
      const requests = vault.requests.length
      await waitFor('more attempts', () => vault.requests.length > requests + 3)
      await waitFor('the log', () => countLines('The value that was read before stays in use') > 0)
      expect(countLines('The value that was read before stays in use')).toBe(1)
      vault.state.isSealed = false
      await waitFor('the end of the outage', async () => (await outages()) === '0')
      await waitFor('the log', () => countLines('vault:secret/openai#key can be read again') > 0)
      expect(countLines('vault:secret/openai#key can be read again')).toBe(1)
      expect(refreshing.output()).not.toContain('sk-refreshed')
    } finally {
      vault.state.isSealed = false
      await refreshing.end('SIGTERM')
      await drop()
      await rm(folder, { recursive: true, force: true })
    }
  },
)

test('the service does not start without a secret that it needs, and says which', async () => {
  vault.state.isSealed = true
  const { exitCode, stderr } = await runCommand(['serve'], env, dataDir)
  vault.state.isSealed = false
  expect(exitCode).not.toBe(0)
  expect(stderr).toContain(
    'OPENAI_API_KEY: vault:secret/openai#key cannot be read: the login to Vault answered 503',
  )
})
