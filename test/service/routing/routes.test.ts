import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Api } from '../../harness/service/api.js'
import type { TestService } from '../../harness/service/service.js'
import { shareTestService } from '../../harness/service/shared-service.js'
import { addTenant } from '../../harness/service/tenant.js'

let service: TestService
let api: Api
beforeAll(async () => {
  service = await shareTestService()
  api = service.api
})
afterAll(() => service.stop())

const twoMocks = [{ model: 'mock/echo' }, { model: 'mock/slow', weight: 3, dialect: 'chat' }]

test('a route has what it was given, and defaults for the rest', async () => {
  const { status, body } = await api.post('/v1/routes', { name: 'smart', targets: twoMocks })
  expect(status).toBe(201)
  expect(body).toEqual({
    id: expect.stringMatching(/^route_[0-9a-z]{26}$/),
    name: 'smart',
    strategy: 'priority',
    targets: [
      { model: 'mock/echo', weight: 1, state: 'ok', until: null, lastError: null },
      { model: 'mock/slow', weight: 3, dialect: 'chat', state: 'ok', until: null, lastError: null },
    ],
    retry: { attempts: 2, on: ['connect', 'timeout', '429', '5xx'] },
    timeoutMs: null,
    stickyBy: 'none',
    cache: null,
    enabled: true,
    createdAt: expect.any(String),
    updatedAt: body.createdAt,
  })
  expect((await api.get(`/v1/routes/${body.id}`)).body).toEqual(body)
  expect((await api.get('/v1/routes')).body).toEqual({ data: [body], nextCursor: null })
})

test('a change keeps what it does not name; null ends a cache and a timeout', async () => {
  const { body: made } = await api.post('/v1/routes', {
    name: 'changed',
    targets: twoMocks,
    timeoutMs: 5_000,
    cache: { ttlSeconds: 60, scope: 'team' },
  })
  const path = `/v1/routes/${made.id}`
  const { body: renamed } = await api.patch(path, { name: 'renamed', strategy: 'fastest' })
  expect(renamed).toEqual({ ...made, name: 'renamed', strategy: 'fastest', updatedAt: renamed.updatedAt })
  const { body: plain } = await api.patch(path, { timeoutMs: null, cache: null })
  expect(plain).toMatchObject({ timeoutMs: null, cache: null, strategy: 'fastest' })
  expect((await api.patch(path, {})).status).toBe(400)
  expect((await api.patch(path, { name: 'renamed' })).body.updatedAt).toBe(plain.updatedAt)
})

test('targets are known models, each named once; every fault is named', async () => {
  await api.post('/v1/routes', { name: 'a-route', targets: twoMocks })
  const { status, body } = await api.post('/v1/routes', {
    name: 'faulty',
    targets: [
      { model: 'a-route' },
      { model: 'no-such-model' },
      { model: 'mock/echo', dialect: 'morse' },
      { model: 'mock/echo' },
      { model: 'mock/echo' },
    ],
  })
  expect(status).toBe(400)
  expect(body.error.details).toEqual([
    { path: 'targets.0.model', message: 'a-route is a route: a target is a model' },
    { path: 'targets.1.model', message: expect.stringContaining('is not known') },
    { path: 'targets.2.dialect', message: expect.stringContaining('must be one of chat') },
    { path: 'targets.4', message: expect.stringContaining('listed twice') },
  ])
  const made = await api.post('/v1/routes', { name: 'sound', targets: [{ model: 'mock/echo' }] })
  expect(
    (await api.patch(`/v1/routes/${made.body.id}`, { targets: [{ model: 'no-such-model' }] })).status,
  ).toBe(400)
  for (const targets of [[], Array.from({ length: 21 }, () => ({ model: 'mock/echo' }))])
    expect((await api.post('/v1/routes', { name: 'wrong-length', targets })).status).toBe(400)
})

test('a name is taken once, and free again when its route is deleted', async () => {
  const made = await api.post('/v1/routes', { name: 'taken', targets: twoMocks })
  expect((await api.post('/v1/routes', { name: 'taken', targets: twoMocks })).status).toBe(409)
  for (let time = 0; time < 2; time++)
    expect((await api.delete(`/v1/routes/${made.body.id}`)).status).toBe(204)
  expect((await api.get(`/v1/routes/${made.body.id}`)).status).toBe(404)
  expect((await api.post('/v1/routes', { name: 'taken', targets: twoMocks })).status).toBe(201)
})

test('a tenant has at most 500 routes', async () => {
  const { api: other } = await addTenant(service, 'many-routes')
  await service.database.query(`
    insert into routes (id, tenant_id, name, strategy, targets, retry, sticky_by)
    select 'route_' || n, t.id, 'r' || n, 'priority', '[]', '{"attempts":0,"on":[]}', 'none'
    from generate_series(1, 499) n, tenants t where t.name = 'many-routes'`)
  const answers = await Promise.all(
    ['x', 'y', 'z'].map((name) => other.post('/v1/routes', { name, targets: [{ model: 'mock/echo' }] })),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
})
