import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { describeObject, openWorkspace, type Workspace } from '../../harness/declarative/command.js'
import { startForwardProxy } from '../../harness/network/forward-proxy.js'
import type { TestService } from '../../harness/service/service.js'
import { shareTestService } from '../../harness/service/shared-service.js'
import { addTenant, type TestTenant } from '../../harness/service/tenant.js'

let service: TestService
let tenant: TestTenant
let files: Workspace
beforeAll(async () => {
  service = await shareTestService()
})
beforeEach(async () => {
  tenant = await addTenant(service, 'declared')
  files = openWorkspace({ address: service.address, managerKey: tenant.managerKey })
})
afterEach(() => files.close())
afterAll(() => service.stop())

const team = describeObject('Team', 'research', { budgetPoolUsd: 500 })
const key = describeObject('Key', 'nightly', { teamId: 'research', rpmLimit: 20 })
const everything = [
  describeObject('WebhookEndpoint', 'on-call', {
    url: 'http://127.0.0.1:9/',
    type: 'generic',
    envelope: 'cloudevents',
    events: ['policy.violation', 'budget.threshold_reached'],
  }),
  describeObject('Policy', 'No moon', {
    kind: 'keywords',
    config: { words: ['moon'] },
    scope: { type: 'team', id: 'research' },
  }),
  describeObject('Budget', 'nights', { amountUsd: 10, scope: { type: 'key', id: 'nightly' } }),
  describeObject('Route', 'smart', { targets: [{ model: 'mock/echo' }, { model: 'mock/slow' }] }),
  describeObject('Prompt', 'greeting', { content: 'Greet {{name}}.', labels: ['production'] }),
  key,
  team,
  describeObject('McpServer', 'tools', {
    url: 'http://127.0.0.1:9/mcp',
    headers: { 'x-api-key': '$' + '{env:TOOLS_KEY}' },
  }),
  describeObject('Provider', 'openai-eu', {
    type: 'openai',
    baseUrl: 'http://127.0.0.1:9/v1',
    credentials: [{ name: 'first', value: { fromEnv: 'EU_KEY' } }],
  }),
  describeObject('Sink', 'data lake', {
    data: 'receipts',
    enabled: false,
    destination: {
      ...{ type: 's3', url: 'http://127.0.0.1:9', region: 'eu-central-1', bucket: 'exports' },
      ...{ prefix: '/tally/', accessKeyId: 'AKIA', secretAccessKey: { fromEnv: 'LAKE_KEY' } },
    },
  }),
]
const secrets = { TOOLS_KEY: 'tools-secret-1', EU_KEY: 'sk-eu-secret-1', LAKE_KEY: 'lake-secret-1' }

test('the service is reached through the proxy of the environment', async () => {
  const proxy = await startForwardProxy()
  const address = service.address.replace('127.0.0.1', 'tally.example.com')
  files.write('team.yaml', [team])
  const env = { TALLYSTICK_URL: address, HTTP_PROXY: proxy.url }
  expect(await files.apply([], env)).toMatchObject({ exitCode: 0 })
  expect(proxy.asked).toContain(`GET ${address}/v1/session`)
  const refused = await files.apply([], { ...env, HTTP_PROXY: 'ftp://proxy.example.com' })
  expect(refused.error).toContain('HTTP_PROXY: must be the URL of an HTTP proxy')
  proxy.answerWith(407)
  expect((await files.apply([], env)).error).toContain('check the user and password in its URL')
  await proxy.close()
})

test('objects of every kind are created in the order of their references, and a second run has nothing to do', async () => {
  files.write('all.yaml', everything)
  const plan = await files.apply(['--plan'], secrets)
  expect(plan).toMatchObject({ exitCode: 2, error: '' })
  expect(plan.out).toContain('Plan: 10 to create.')
  expect((await tenant.api.get('/v1/team/teams')).body, 'a plan changes nothing').toEqual([])
  expect((await tenant.api.get('/v1/managed-resources')).body.data).toEqual([])

  const first = await files.apply([], secrets)
  expect(first).toMatchObject({ exitCode: 0, error: '' })
  expect(first.out).toMatch(/Key nightly, shown only once: tallystick_sk_\w+/)
  expect(first.out).toMatch(/WebhookEndpoint on-call, shown only once: whsec_/)
  const value = /tallystick_sk_\w+/.exec(first.out)?.[0] ?? ''
  expect((await service.as(value).get('/v1/session')).body).toMatchObject({ role: 'member' })

  for (const args of [['--plan'], [], ['--prune']])
    expect(await files.apply(args, secrets)).toEqual({ exitCode: 0, out: 'No changes.\n', error: '' })
  const [{ labels }] = (await tenant.api.get('/v1/prompts')).body
  expect(labels.production.version).toBe(1)
  const [budget] =
    (await tenant.api.get('/v1/budgets')).body.data ?? (await tenant.api.get('/v1/budgets')).body
  expect(budget.scope.type).toBe('key')
})

test('a change is shown field by field, and only what changed is sent', async () => {
  files.write('a.yaml', [team, key])
  await files.apply()
  files.write('a.yaml', [
    { ...team, spec: { budgetPoolUsd: 750 } },
    { ...key, spec: { teamId: 'research', tpmLimit: 1000 } },
  ])
  const plan = await files.apply(['--plan', '--json'])
  expect(plan.exitCode).toBe(2)
  expect(JSON.parse(plan.out).changes).toEqual([
    {
      action: 'update',
      kind: 'Team',
      name: 'research',
      fields: [{ field: 'budgetPoolUsd', from: 500, to: 750 }],
    },
    {
      action: 'update',
      kind: 'Key',
      name: 'nightly',
      fields: [
        // What the file no longer says has its default.
        { field: 'rpmLimit', from: 20, to: null },
        { field: 'tpmLimit', from: null, to: 1000 },
      ],
    },
  ])
  expect((await files.apply()).out).toBe('~ Team research\n~ Key nightly\nDone: 2 changes.\n')
  expect((await files.apply()).out).toBe('No changes.\n')
  const { body } = await tenant.api.get('/v1/keys?q=nightly')
  expect(body.data).toMatchObject([{ rpmLimit: null, tpmLimit: 1000 }])
})

test('every fault of the files is reported with its line before anything is changed', async () => {
  files.write(
    'bad.yaml',
    `apiVersion: tallystick/v1
kind: Team
metadata: { name: research }
spec:
  budgetPoolUsd: 5
  alowedTools: []
---
apiVersion: tallystick/v1
kind: Team
metadata: { name: research }
spec: { budgetPoolUsd: many }
---
apiVersion: tallystick/v1
kind: Key
metadata: { name: ci }
spec:
  teamId: reserch
---
apiVersion: tallystick/v1
kind: Provder
metadata: { name: x }
---
apiVersion: tallystick/v1
kind: Provider
metadata: { name: p }
spec:
  type: openai
  headers: { x-key: "\${env:NOWHERE}" }
`,
  )
  const { exitCode, error } = await files.apply()
  expect(exitCode).toBe(1)
  const bad = join(files.folder, 'bad.yaml')
  expect(error.split('\n').filter(Boolean).sort()).toEqual(
    [
      `${bad}:10: Team research is already at ${bad}:3`,
      `${bad}:6: Team research: alowedTools unknown field; did you mean "allowedTools"?`,
      `${bad}:11: Team research: budgetPoolUsd must be a number`,
      `${bad}:17: Key ci: there is no Team called "reserch" in the files or the service`,
      `${bad}:20: this version has no kind "Provder"; did you mean "Provider"?`,
      `${bad}:28: the variable NOWHERE is not set`,
      'Nothing was changed.',
    ].sort(),
  )
  expect((await tenant.api.get('/v1/audit-log?subjectType=managed_resource')).body.data).toEqual([])
})

test('the values of new keys are written to a file that only its owner may read', async () => {
  files.write('a.yaml', [key, team])
  const path = join(files.folder, 'keys.jsonl')
  const { out } = await files.apply(['--keys-out', path])
  const written = JSON.parse(readFileSync(path, 'utf8'))
  expect(written).toMatchObject({ kind: 'Key', name: 'nightly' })
  expect(out).not.toContain(written.value)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect((await service.as(written.value).get('/v1/session')).body.keyId).toBe(written.id)
})

test('an object that nobody described is refused with its differences, and taken over on request', async () => {
  const { body: made } = await tenant.api.post('/v1/team/teams', { name: 'research', budgetPoolUsd: 100 })
  files.write('a.yaml', [team])
  const refused = await files.apply()
  expect(refused.exitCode).toBe(1)
  expect(refused.out).toContain(
    '! Team research exists and was not created from files; --adopt takes it over',
  )
  expect(refused.out).toContain('budgetPoolUsd: 100 → 500')
  expect((await files.apply(['--adopt'])).exitCode).toBe(0)
  expect((await tenant.api.get('/v1/team/teams')).body).toMatchObject([{ id: made.id, budgetPoolUsd: 500 }])
  const other = await files.apply(['--set', 'other'])
  expect(other).toMatchObject({ exitCode: 1 })
  expect(other.out).toContain('belongs to the set "default"')
  expect((await files.apply(['--set', 'other', '--adopt'])).exitCode).toBe(0)
  expect((await files.apply(['--set', 'other'])).out).toBe('No changes.\n')
})

test('what was changed by hand is refused, unless it is now as the files say, and set back on request', async () => {
  files.write('a.yaml', [team, key])
  await files.apply()
  const [{ id }] = (await tenant.api.get('/v1/team/teams')).body
  await tenant.api.patch(`/v1/team/teams/${id}`, { budgetPoolUsd: 600 })
  const refused = await files.apply(['--plan'])
  expect(refused.exitCode).toBe(1)
  expect(refused.out).toContain('! Team research was changed by hand (budgetPoolUsd)')
  expect(refused.out).toContain('budgetPoolUsd: 600 → 500')
  files.write('a.yaml', [{ ...team, spec: { budgetPoolUsd: 600 } }, key])
  expect((await files.apply()).out).toBe('No changes.\n')
  await tenant.api.patch(`/v1/team/teams/${id}`, { budgetPoolUsd: 700, name: 'renamed' })
  expect((await files.apply(['--overwrite-drift'])).exitCode).toBe(0)
  expect((await tenant.api.get('/v1/team/teams')).body).toMatchObject([
    { id, name: 'research', budgetPoolUsd: 600 },
  ])

  const [{ id: keyId }] = (await tenant.api.get('/v1/keys?q=nightly')).body.data
  await tenant.api.delete(`/v1/keys/${keyId}`)
  expect((await files.apply()).out).toContain(
    '! Key nightly was deleted by hand; --overwrite-drift creates it again',
  )
  expect((await files.apply(['--overwrite-drift'])).out).toMatch(/\+ Key nightly/)
  expect((await files.apply()).out).toBe('No changes.\n')
})

test('prune deletes what the set owns and no longer lists, and nothing else', async () => {
  await tenant.api.post('/v1/team/teams', { name: 'by hand', budgetPoolUsd: 1 })
  files.write('a.yaml', [team, key])
  files.write('b.yaml', [describeObject('Team', 'ops', { budgetPoolUsd: 1 })])
  await files.apply()
  files.remove('a.yaml')
  const kept = await files.apply()
  expect(kept.out).toBe('No changes.\n')
  expect(kept.error).toContain('2 of the set "default" are not in the files')
  expect(await files.apply(['--plan', '--prune'])).toMatchObject({ exitCode: 2 })
  expect((await files.apply(['--prune'])).out).toBe('- Key nightly\n- Team research\nDone: 2 changes.\n')
  const teams = (await tenant.api.get('/v1/team/teams')).body.map(({ name }: { name: string }) => name)
  expect(teams.sort()).toEqual(['by hand', 'ops'])
  expect((await files.apply(['--prune'])).out).toBe('No changes.\n')
})

test('a new secret is stored, a repeated one is not, and neither appears in any output', async () => {
  files.write('all.yaml', everything)
  const outputs = [await files.apply([], secrets)]
  const rotated = { TOOLS_KEY: 'tools-secret-2', EU_KEY: 'sk-eu-secret-2', LAKE_KEY: 'lake-secret-2' }
  const plan = await files.apply(['--plan'], rotated)
  expect(plan.out).toContain('credentials.first: changed')
  expect(plan.out).toContain('headers.x-api-key: changed')
  expect(plan.out).toContain('destination.secretAccessKey: changed')
  outputs.push(plan, await files.apply([], rotated), await files.apply(['--plan'], rotated))
  expect(outputs.at(-1)?.out).toBe('No changes.\n')
  const [provider] = (await tenant.api.get('/v1/providers')).body.data.filter(
    ({ name }: { name: string }) => name === 'openai-eu',
  )
  expect(provider.credentials).toMatchObject([{ name: 'first', hint: expect.stringContaining('et-2') }])
  const withoutValues = await files.apply(['--plan'])
  expect(withoutValues).toMatchObject({ exitCode: 0, out: 'No changes.\n' })
  expect(withoutValues.error).toContain('the variable EU_KEY is not set; taken to be unchanged')
  const entries = (await tenant.api.get('/v1/managed-resources')).body
  const texts = JSON.stringify([outputs, entries])
  for (const secret of [...Object.values(secrets), ...Object.values(rotated)])
    expect(texts).not.toContain(secret)
})

test('headers of a sink that the files no longer have are removed, and others are sent with a new address', async () => {
  const describeSink = (destination: object) =>
    files.write('a.yaml', [describeObject('Sink', 'siem', { data: 'audit', enabled: false, destination })])
  const read = async () => (await tenant.api.get('/v1/sinks')).body.data[0].destination
  const [here, there] = ['http://127.0.0.1:9/', 'http://127.0.0.1:10/']
  describeSink({ type: 'http', url: here, headers: { authorization: 'Bearer one', 'x-team': 'two' } })
  await files.apply()
  describeSink({ type: 'http', url: there, headers: { authorization: 'Bearer one' } })
  expect(await files.apply()).toMatchObject({ exitCode: 0, error: '' })
  expect(await read()).toMatchObject({ url: there, headers: ['authorization'] })
  describeSink({ type: 'http', url: there })
  await files.apply()
  expect(await read()).toMatchObject({ headers: [] })
  expect((await files.apply()).out).toBe('No changes.\n')
})

test('a field that cannot be changed is refused before anything is changed', async () => {
  files.write('a.yaml', [team, describeObject('Budget', 'b', { amountUsd: 1 })])
  await files.apply()
  files.write('a.yaml', [
    { ...team, spec: { budgetPoolUsd: 9 } },
    describeObject('Budget', 'b', { amountUsd: 1, scope: { type: 'team', id: 'research' } }),
  ])
  const { exitCode, out } = await files.apply()
  expect(exitCode).toBe(1)
  expect(out).toContain('! Budget b cannot change its scope')
  expect((await tenant.api.get('/v1/team/teams')).body).toMatchObject([{ budgetPoolUsd: 500 }])
})

test('an auditor key, a wrong key and a wrong address are refused with what to do', async () => {
  files.write('a.yaml', [team])
  const { body } = await tenant.api.post('/v1/keys', { name: 'reads', role: 'auditor' })
  const tried = [
    await files.apply([], { TALLYSTICK_API_KEY: body.key }),
    await files.apply([], { TALLYSTICK_API_KEY: 'tallystick_sk_wrong' }),
    await files.apply([], { TALLYSTICK_API_KEY: '' }),
    await files.apply(['--url', 'http://127.0.0.1:9']),
  ]
  expect(tried.map(({ exitCode }) => exitCode)).toEqual([1, 1, 1, 1])
  expect(tried.map(({ error }) => error)).toEqual([
    expect.stringContaining('this command needs a manager key'),
    expect.stringContaining('Missing or invalid API key'),
    expect.stringContaining('Set TALLYSTICK_API_KEY or --key-file'),
    expect.stringContaining('cannot be reached'),
  ])
})
