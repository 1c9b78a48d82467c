import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../../packages/service/src/db/index.js'
import { operatorOf } from '../../../packages/service/src/resources/audit/index.js'
import { createKey } from '../../../packages/service/src/resources/keys/index.js'
import { createTenant } from '../../../packages/service/src/resources/tenants/index.js'
import type { Api } from '../../harness/service/api.js'
import { startTestService, type TestService } from '../../harness/service/service.js'

let service: TestService
let api: Api
let auditor: Api
let stranger: Api
let tenantId: string

beforeAll(async () => {
  service = await startTestService()
  api = service.api
  auditor = service.as((await api.post('/v1/keys', { name: 'An auditor', role: 'auditor' })).body.key)
  const database = openDatabase(service.database.url, () => undefined)
  const other = await createTenant(database.db, 'other')
  const { value } = await createKey(database.db, operatorOf(other.id), {
    name: 'Other manager',
    role: 'manager',
  })
  await database.close()
  stranger = service.as(value)
  const [tenant] = await service.database.query<{ id: string }>(
    "select id from tenants where name = 'default'",
  )
  tenantId = tenant?.id ?? ''
})
afterAll(() => service.stop())

let counter = 0
const nextName = () => `Policy ${++counter}`

async function makePolicy(fields: object = {}) {
  const answer = await api.post('/v1/policies', {
    name: nextName(),
    kind: 'keywords',
    config: { words: ['x'] },
    ...fields,
  })
  expect(answer.status).toBe(201)
  return answer.body
}

describe('a policy', () => {
  test('is made with its defaults filled in, read, listed, changed and deleted', async () => {
    const name = nextName()
    const created = await api.post('/v1/policies', { name, kind: 'pii', config: { entities: ['email'] } })
    expect(created.status).toBe(201)
    expect(created.body).toEqual({
      id: expect.stringMatching(/^pol_[0-9a-z]{26}$/),
      name,
      description: '',
      kind: 'pii',
      config: { entities: ['email'], restore: false },
      scope: { type: 'tenant', id: tenantId },
      phase: 'input',
      action: 'block',
      enabled: true,
      version: 1,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      updatedAt: created.body.createdAt,
    })
    const path = `/v1/policies/${created.body.id}`
    expect((await auditor.get(path)).body).toEqual(created.body)
    expect((await auditor.get('/v1/policies')).body.data).toContainEqual(created.body)

    const change = {
      action: 'redact',
      phase: 'both',
      config: { entities: ['iban'], restore: true },
      enabled: false,
      description: 'New',
    }
    const changed = await api.patch(path, change)
    expect(changed.status).toBe(200)
    expect(changed.body).toEqual({ ...created.body, ...change, version: 2, updatedAt: expect.any(String) })
    expect((await api.get(path)).body).toEqual(changed.body)

    expect((await api.delete(path)).status).toBe(204)
    expect((await api.delete(path)).status).toBe(204)
    expect((await api.get(path)).status).toBe(404)
    expect((await api.patch(path, { enabled: true })).status).toBe(404)
    expect((await api.get('/v1/policies')).body.data).not.toContainEqual(
      expect.objectContaining({ id: created.body.id }),
    )
    expect((await api.delete('/v1/policies/pol_never')).status).toBe(404)
  })

  test.each([
    ['model_allowlist', { models: ['gpt-4o', 'mock/*'] }],
    ['model_denylist', { models: ['*'] }],
    ['keywords', { words: ['a b'], caseSensitive: true }],
    ['pattern', { patterns: [{ name: 'badge', regex: '\\bEMP-[0-9]{6}\\b' }] }],
    ['pii', { entities: ['us_ssn', 'ip_address'], restore: false }],
    ['secrets', {}],
    ['limits', { maxInputTokens: 1, maxOutputTokens: 2, maxMessages: 3 }],
    ['tools', { allow: ['a*'], deny: ['ab'] }],
    ['expression', { cel: 'request.stream' }],
    ['http', { url: 'http://127.0.0.1:1/', timeoutMs: 60, onError: 'allow' }],
  ])('of the kind %s is answered as it was given', async (kind, config) => {
    const { secret, ...policy } = await makePolicy({ kind, config })
    expect(policy).toMatchObject({ kind, config })
    // Told when the policy is made, and never again.
    expect(secret).toEqual(kind === 'http' ? expect.stringMatching(/^whsec_/) : undefined)
    expect((await auditor.get(`/v1/policies?kind=${kind}&limit=1`)).body.data).toEqual([policy])
  })

  test('needs no config where its kind has nothing to set', async () => {
    expect(await api.post('/v1/policies', { name: nextName(), kind: 'secrets' })).toMatchObject({
      status: 201,
      body: { config: {} },
    })
  })

  test.each([
    [{ kind: 'magic', config: {} }, 'kind'],
    [{ kind: 'keywords' }, 'config.words'],
    [{ kind: 'keywords', config: [] }, 'config'],
    [
      {
        kind: 'pattern',
        config: {
          patterns: [
            { name: 'a', regex: 'a' },
            { name: 'b', regex: '(?=x)' },
          ],
        },
      },
      'config.patterns.1.regex',
    ],
    [{ kind: 'expression', config: { cel: 'request.modle == ""' } }, 'config.cel'],
    [{ kind: 'limits', config: { maxMessages: 1 }, action: 'redact' }, 'action'],
    [{ kind: 'model_denylist', config: { models: ['a'] }, phase: 'output' }, 'phase'],
    [{ kind: 'secrets', config: {}, scope: { type: 'team' } }, 'scope.id'],
    [{ kind: 'secrets', config: {}, scop: {} }, 'scop'],
    [{ kind: 'secrets', config: {}, name: ' ' }, 'name'],
  ])('like %j is refused with the place %s', async (fields, path) => {
    const answer = await api.post('/v1/policies', { name: nextName(), ...fields })
    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatchObject({
      type: 'invalid_request',
      details: [{ path, message: expect.any(String) }],
    })
  })

  test('has a name of its own, which is free again once it is deleted', async () => {
    const name = nextName()
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => api.post('/v1/policies', { name, kind: 'secrets' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)])
    const first = answers.find(({ status }) => status === 201)?.body
    const other = await makePolicy()
    expect(await api.patch(`/v1/policies/${other.id}`, { name })).toMatchObject({
      status: 409,
      body: { error: { type: 'conflict' } },
    })
    await api.delete(`/v1/policies/${first.id}`)
    expect((await api.patch(`/v1/policies/${other.id}`, { name })).status).toBe(200)
    expect((await stranger.post('/v1/policies', { name, kind: 'secrets' })).status).toBe(201)
  })

  test('keeps its kind, and what is changed must suit it together with what stays', async () => {
    const policy = await makePolicy({ action: 'redact' })
    const path = `/v1/policies/${policy.id}`
    for (const [body, place] of [
      [{ kind: 'secrets' }, 'kind'],
      [{}, ''],
      [{ config: { entities: ['email'] } }, 'config.words'],
      [{ enabled: null }, 'enabled'],
    ] as const) {
      const answer = await api.patch(path, body)
      expect(answer).toMatchObject({ status: 400, body: { error: { type: 'invalid_request' } } })
      expect(answer.body.error.details.map((detail: { path: string }) => detail.path)).toContain(place)
    }
    const restoring = await makePolicy({
      kind: 'pii',
      config: { entities: ['email'], restore: true },
      action: 'redact',
    })
    const answer = await api.patch(`/v1/policies/${restoring.id}`, { action: 'block' })
    expect(answer).toMatchObject({ status: 400, body: { error: { details: [{ path: 'config.restore' }] } } })
    expect((await api.get(path)).body).toEqual(policy)
  })
})

describe('the scope', () => {
  test('is the tenant, or a team, user or key that is there', async () => {
    const team = await service.database.query<{ id: string }>(
      "insert into teams (id, tenant_id, name, budget_pool_nanos) values ('team_scope', $1, 'Scope', 0) returning id",
      [tenantId],
    )
    const key = (await api.post('/v1/keys', { name: 'Of Ada', userId: 'ada' })).body
    for (const scope of [
      { type: 'tenant', id: tenantId },
      { type: 'team', id: team[0]?.id },
      { type: 'user', id: 'ada' },
      { type: 'key', id: key.id },
    ]) {
      const policy = await makePolicy({ scope })
      expect(policy.scope).toEqual(scope)
      const moved = await api.patch(`/v1/policies/${policy.id}`, { scope: { type: 'tenant' } })
      expect(moved.body.scope).toEqual({ type: 'tenant', id: tenantId })
    }
  })

  test('of what is not there, or in another tenant, or removed is a 404', async () => {
    const policy = await makePolicy()
    const theirs = (await stranger.post('/v1/keys', { name: 'Theirs', userId: 'eve' })).body
    await api.post('/v1/keys', { name: 'Of Bob', userId: 'bob' })
    await service.database.query(
      'update members set removed_at = now() where tenant_id = $1 and user_id = $2',
      [tenantId, 'bob'],
    )
    for (const scope of [
      { type: 'tenant', id: 'tenant_other' },
      { type: 'team', id: 'team_none' },
      { type: 'user', id: 'nobody' },
      { type: 'user', id: 'bob' },
      { type: 'user', id: 'eve' },
      { type: 'key', id: theirs.id },
    ]) {
      const body = { name: nextName(), kind: 'secrets', scope }
      expect(await api.post('/v1/policies', body)).toMatchObject({
        status: 404,
        body: { error: { type: 'not_found' } },
      })
      expect((await api.patch(`/v1/policies/${policy.id}`, { scope })).status).toBe(404)
    }
  })
})

describe('permissions', () => {
  test('an auditor reads and does not write', async () => {
    const policy = await makePolicy()
    const path = `/v1/policies/${policy.id}`
    expect((await auditor.get(path)).status).toBe(200)
    for (const answer of [
      await auditor.post('/v1/policies', { name: nextName(), kind: 'secrets' }),
      await auditor.patch(path, { enabled: false }),
      await auditor.delete(path),
    ]) {
      expect(answer).toMatchObject({ status: 403, body: { error: { type: 'forbidden' } } })
    }
    expect((await service.as('tallystick_sk_unknown').get(path)).status).toBe(401)
  })

  test('a policy of another tenant is answered like one that is not there', async () => {
    const { id } = await makePolicy()
    const answers = async (policyId: string) => [
      (await stranger.get(`/v1/policies/${policyId}`)).body,
      (await stranger.patch(`/v1/policies/${policyId}`, { enabled: false })).body,
      (await stranger.delete(`/v1/policies/${policyId}`)).body,
    ]
    expect(await answers(id)).toEqual(await answers('pol_00000000000000000000000000'))
    expect((await stranger.get('/v1/policies?limit=200')).body.data).not.toContainEqual(
      expect.objectContaining({ id }),
    )
    expect((await api.get(`/v1/policies/${id}`)).status).toBe(200)
  })
})

describe('the list', () => {
  test('goes by pages, newest first, whatever is added and deleted between them', async () => {
    const made = []
    for (let index = 0; index < 6; index++)
      made.push(await makePolicy({ kind: 'tools', config: { deny: [`tool_${index}`] } }))
    const ids = made
      .map((policy) => policy.id)
      .sort()
      .reverse()
    const first = (await api.get('/v1/policies?kind=tools&limit=2')).body
    expect(first.data.map((policy: { id: string }) => policy.id)).toEqual(ids.slice(0, 2))
    await makePolicy({ kind: 'tools', config: { deny: ['late'] } })
    await api.delete(`/v1/policies/${ids[1]}`)
    const second = (await api.get(`/v1/policies?kind=tools&limit=2&cursor=${first.nextCursor}`)).body
    expect(second.data.map((policy: { id: string }) => policy.id)).toEqual(ids.slice(2, 4))
    expect((await api.get(`/v1/policies?kind=pii&cursor=${first.nextCursor}`)).status).toBe(400)
    expect((await stranger.get(`/v1/policies?kind=tools&cursor=${first.nextCursor}`)).status).toBe(400)
    expect((await api.get('/v1/policies?enabled=true')).status).toBe(400)
    expect((await api.get('/v1/policies?kind=magic')).status).toBe(400)
  })
})

describe('the version', () => {
  test('counts up with every change, of the name too, and with nothing else', async () => {
    const policy = await makePolicy({ config: { words: ['x'], caseSensitive: true } })
    const path = `/v1/policies/${policy.id}`
    expect((await api.patch(path, { name: nextName() })).body.version).toBe(2)
    const before = (await api.get(path)).body
    const same = {
      name: before.name,
      config: { caseSensitive: true, words: ['x'] },
      scope: { type: 'tenant' },
      enabled: true,
      phase: 'input',
    }
    expect((await api.patch(path, same)).body).toEqual(before)
    expect((await api.patch(path, { enabled: false })).body.version).toBe(3)
    expect((await api.patch(path, { phase: 'nonsense' })).status).toBe(400)
    expect((await api.get(path)).body.version).toBe(3)
  })

  test('of 20 changes at once is 20 higher, and no two of them got the same', async () => {
    const policy = await makePolicy()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        api.patch(`/v1/policies/${policy.id}`, { config: { words: [`word ${index}`] } }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    const versions = answers.map(({ body }) => body.version).sort((a, b) => a - b)
    expect(versions).toEqual(Array.from({ length: 20 }, (_, index) => index + 2))
    const last = answers.find(({ body }) => body.version === 21)?.body
    expect((await api.get(`/v1/policies/${policy.id}`)).body).toEqual(last)
  })

  test('of changes to different fields at once, none undoes another', async () => {
    const policy = await makePolicy()
    const name = nextName()
    const changes = [
      { name },
      { description: 'New' },
      { enabled: false },
      { action: 'flag' },
      { phase: 'both' },
    ]
    await Promise.all(changes.map((change) => api.patch(`/v1/policies/${policy.id}`, change)))
    const after = (await api.get(`/v1/policies/${policy.id}`)).body
    expect(after).toMatchObject({
      name,
      description: 'New',
      enabled: false,
      action: 'flag',
      phase: 'both',
      version: 6,
    })
    const trail = await service.database.query<{ before: object; after: { version: number } }>(
      "select before, after from audit_log where subject_id = $1 and action = 'policy.update' order by (after->>'version')::int",
      [policy.id],
    )
    expect(trail.map((entry) => entry.before)).toEqual([
      policy,
      ...trail.slice(0, -1).map((entry) => entry.after),
    ])
  })
})

test('every write is in the audit trail with the record before and after, and what changed nothing is not', async () => {
  const created = await makePolicy()
  const path = `/v1/policies/${created.id}`
  const changed = (await api.patch(path, { enabled: false })).body
  await api.patch(path, { enabled: false })
  await api.patch(path, { phase: 'nonsense' })
  await api.delete(path)
  await api.delete(path)
  const rows = await service.database.query(
    'select action, subject_type, before, after from audit_log where subject_id = $1 order by id',
    [created.id],
  )
  expect(rows).toEqual([
    { action: 'policy.create', subject_type: 'policy', before: null, after: created },
    { action: 'policy.update', subject_type: 'policy', before: created, after: changed },
    { action: 'policy.delete', subject_type: 'policy', before: changed, after: null },
  ])
})

test('in production a guardrail service must be reached by https and not at home', async () => {
  const strict = await startTestService({ env: { NODE_ENV: 'production' } })
  try {
    const save = (url: string) =>
      strict.api.post('/v1/policies', { name: nextName(), kind: 'http', config: { url } })
    for (const url of [
      'http://guard.example.com',
      'https://127.0.0.1/',
      'https://[::ffff:10.0.0.1]/',
      'https://2130706433/',
    ]) {
      expect(await save(url)).toMatchObject({ status: 400, body: { error: { type: 'invalid_webhook_url' } } })
    }
    expect((await save('https://guard.example.com')).status).toBe(201)
  } finally {
    await strict.stop()
  }
})

test('a service at an address that is not allowed has not failed: the call is blocked, whatever onError says', async () => {
  const strict = await startTestService({ env: { NODE_ENV: 'production', OPENAI_API_KEY: 'sk-none' } })
  try {
    const config = { url: 'https://93.184.216.34/', onError: 'allow' }
    const { body } = await strict.api.post('/v1/policies', { name: nextName(), kind: 'http', config })
    // As a name that leads elsewhere since it was saved.
    await strict.database.query(
      `update policies set config = config || '{"url":"https://127.0.0.1:1/"}' where id = $1`,
      [body.id],
    )
    const trial = { model: 'gpt-4o', messages: [{ role: 'user', content: 'Hello' }] }
    expect((await strict.api.post('/v1/policies/evaluate', trial)).body).toMatchObject({
      outcome: 'blocked',
      error: {
        type: 'policy_violation',
        policy_id: body.id,
        message: expect.stringContaining('its service is at an address that is not allowed'),
      },
    })
  } finally {
    await strict.stop()
  }
})
