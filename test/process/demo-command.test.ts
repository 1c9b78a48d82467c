import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand } from '../harness/processes/command.js'
import { startServiceProcess } from '../harness/processes/process.js'
import { waitFor } from '../harness/run/wait.js'
import { createApi } from '../harness/service/api.js'
import { createTestDatabase } from '../harness/service/database.js'
import { startTestService, type TestService } from '../harness/service/service.js'

let service: TestService
let cwd: string

beforeAll(async () => {
  service = await startTestService()
  cwd = await mkdtemp(join(tmpdir(), 'tallystick-demo-test-'))
})
afterAll(async () => {
  await service.stop()
  await rm(cwd, { recursive: true, force: true })
})

const run = (args: string[], env: Record<string, string> = {}) =>
  runCommand(args, { DATABASE_URL: service.database.url, TALLYSTICK_DATA_DIR: service.dataDir, ...env }, cwd)
const keyAfter = (text: string, words: string) =>
  new RegExp(`${words}[^]*?(tallystick_sk_[0-9A-Za-z]{40})`).exec(text)?.[1] ?? ''

const requestsOf = async (api: TestService['api'], query = ''): Promise<number> =>
  (await api.get(`/v1/usage${query}`)).body.totals.requests

test('demo fills a tenant of its own while the service runs, says so, and prints its key and where to look', async () => {
  const { exitCode, stdout } = await run(['demo', '--calls', '300', '--days=2'])
  expect(exitCode).toBe(0)
  expect(stdout).toContain('All data is generated')
  const demo = service.as(keyAfter(stdout, 'Manager key of demo'))
  expect(await requestsOf(demo, '?kind=model')).toBe(300)
  expect(await requestsOf(demo)).toBe(336)
  expect((await demo.get('/v1/team/members?limit=200&status=active')).body.data).toHaveLength(50)
  for (const { url } of (await demo.get('/v1/webhook-endpoints')).body.data)
    expect(new URL(url).hostname).toMatch(/\.invalid$/)
  expect(await requestsOf(service.api)).toBe(0)
  expect(stdout).toContain('/v1/usage?range=7d&groupBy=team')
})

test('the demo has something for every page of the console, and keys of three roles to look at them', async () => {
  const { stdout } = await run(['demo', '--tenant=full', '--calls=600', '--days=3'])
  const managerKey = keyAfter(stdout, 'Manager key of full')
  const keys = [...stdout.matchAll(/an? (auditor|member): +(tallystick_sk_\w+)/g)].map(
    ([, , key = '']) => key,
  )
  const roles = [managerKey, ...keys].map(async (key) => (await service.as(key).get('/v1/session')).body.role)
  expect(await Promise.all(roles)).toEqual(['manager', 'auditor', 'member'])
  const demo = service.as(managerKey)
  const list = async (path: string) => (await demo.get(path)).body.data ?? (await demo.get(path)).body
  for (const status of ['pending', 'approved', 'denied'])
    expect(await list(`/v1/budgets/requests?status=${status}`)).not.toHaveLength(0)
  const providers = await list('/v1/providers')
  expect(providers.map(({ name }: { name: string }) => name).toSorted()).toEqual([
    'anthropic',
    'google',
    'mock',
    'openai',
  ])
  for (const { source, baseUrl } of providers)
    if (source === 'api') expect(new URL(baseUrl).hostname).toMatch(/\.invalid$/)
  for (const { name, targets } of await list('/v1/routes')) {
    expect(targets.map(({ state }: { state: string }) => state)).toEqual(['ok', 'ok'])
    expect(await list(`/v1/calls?route=${name}&limit=1`)).toHaveLength(1)
  }
  expect((await list('/v1/calls?cache=hit&limit=1'))[0]).toMatchObject({ costUsd: 0, route: 'assistant' })
  expect(await list('/v1/calls?agent=claude-code&limit=1')).toHaveLength(1)
  expect(await list('/v1/calls?kind=tool&agent=claude-code&limit=1')).toHaveLength(1)
  const prompts = await list('/v1/prompts')
  expect(prompts).toHaveLength(3)
  expect((await demo.get('/v1/compliance/packs')).body).toContainEqual(
    expect.objectContaining({ framework: 'soc2', status: 'active' }),
  )
  expect((await demo.get('/v1/attention')).body).toMatchObject({ budgetRequests: { pending: 2 } })
  const [captured] = await service.database.query<{ requestId: string }>(
    `select c.request_id as "requestId" from call_content c join tenants t on t.id = c.tenant_id where t.name = 'full' limit 1`,
  )
  const { body: call } = await demo.get(`/v1/calls/${captured?.requestId}`)
  expect(call.content).toMatchObject({ state: 'captured', mode: 'redacted' })
  expect(call.stages.length).toBeGreaterThan(5)
  expect((await list('/v1/keys?q=workbench&limit=1'))[0].lastUsedAt).not.toBeNull()
})

test('a demo that is there is left as it is', async () => {
  const before = await service.database.query('select size from record_heads order by tenant_id')
  const { exitCode, stdout } = await run(['demo', '--calls=300'])
  expect(exitCode).toBe(0)
  expect(stdout).toContain('The demo tenant demo exists since')
  expect(stdout).toContain('npm run tallystick -- key create --tenant demo --role manager')
  expect(await service.database.query('select size from record_heads order by tenant_id')).toEqual(before)
})

test('nothing made up is added to a tenant that is real', async () => {
  const { exitCode, stderr } = await run(['demo', '--tenant', 'default'])
  expect(exitCode).toBe(1)
  expect(stderr).toContain('Tenant default exists and is not a demo tenant')
  expect(
    await service.database.query(
      "select from receipts r join tenants t on t.id = r.tenant_id where t.name = 'default'",
    ),
  ).toEqual([])
})

test('serve --demo is refused where the rules are strict', async () => {
  const { exitCode, stderr } = await run(['serve', '--demo'], { NODE_ENV: 'production' })
  expect(exitCode).toBe(2)
  expect(stderr).toContain('--demo: available only in a local trial')
})

test('serve --demo adds the demo to an empty database, and nothing to one that is not', async () => {
  const database = await createTestDatabase()
  const env = { DATABASE_URL: database.url, TALLYSTICK_DATA_DIR: join(cwd, 'data') }
  const start = () => startServiceProcess(env, ['--demo', '--calls=200', '--days=1'], cwd)
  try {
    const first = await start()
    const key = await waitFor(
      'the key of the demo',
      () => keyAfter(first.output(), 'Manager key of demo') || undefined,
    )
    expect(await requestsOf(createApi(first.address, key), '?kind=model')).toBe(200)
    const example = `TALLYSTICK_URL=${first.address} TALLYSTICK_KEY=${key}`
    await waitFor('what to try', () => first.output().includes(example))
    expect(await first.end('SIGTERM')).toBe(0)
    const second = await start()
    const command = 'npm run tallystick -- demo --calls=200 --days=1'
    await waitFor('the command that adds a demo', () => second.output().includes(command) || undefined)
    expect(second.output()).toContain('the database is not empty')
    expect(await second.end('SIGTERM')).toBe(0)
    expect(await database.query('select name from tenants order by name')).toEqual([
      { name: 'default' },
      { name: 'demo' },
    ])
  } finally {
    await database.drop()
  }
})
