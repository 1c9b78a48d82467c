import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendJson, startUpstream, type Upstream } from '../../harness/providers/upstream.js'
import { waitFor } from '../../harness/run/wait.js'
import type { Api } from '../../harness/service/api.js'
import { startTestService, type TestService } from '../../harness/service/service.js'
import { addTenant, type TestTenant } from '../../harness/service/tenant.js'

let service: TestService
let api: Api
let other: TestTenant
let upstream: Upstream

beforeAll(async () => {
  upstream = await startUpstream((_, response) =>
    sendJson(response, 200, {
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1_000, completion_tokens: 1_000, total_tokens: 2_000 },
    }),
  )
  const env = { OPENAI_API_KEY: 'sk-of-the-operator', OPENAI_BASE_URL: `${upstream.url}/v1` }
  service = await startTestService({ env })
  api = service.api
  other = await addTenant(service, 'other')
})
afterAll(async () => {
  await service.stop()
  await upstream.close()
})

const costOf = async (model: string, as: Api = api) => {
  const { status, headers } = await as.post('/v1/chat/completions', {
    model,
    messages: [{ role: 'user', content: 'Hi' }],
  })
  return status === 200 ? Number(headers.get('x-tallystick-cost-usd')) : status
}
const find = async (provider: string, model: string, as: Api = api) => {
  const { data } = (await as.get(`/v1/catalogue?provider=${provider}&q=${model}&limit=200`)).body
  return data.find((each: { model: string }) => each.model === model)
}
const oneDollar = { inputUsdPerMTok: 500, outputUsdPerMTok: 500 }

test('a price of the tenant’s own holds for every name of the model, for this tenant alone, until it is deleted', async () => {
  const listed = await find('openai', 'gpt-4o-mini')
  expect(listed).toMatchObject({
    names: ['openai/gpt-4o-mini', 'gpt-4o-mini'],
    source: 'catalogue',
    effectiveFrom: null,
    upcoming: null,
  })
  const usual = await costOf('gpt-4o-mini')
  const { status, body } = await api.put('/v1/catalogue/openai/gpt-4o-mini', { price: oneDollar })
  expect(status).toBe(200)
  expect(body).toMatchObject({ source: 'tenant', effectiveFrom: expect.any(String), price: oneDollar })
  expect(await find('openai', 'gpt-4o-mini')).toEqual(body)
  expect([await costOf('gpt-4o-mini'), await costOf('openai/gpt-4o-mini')]).toEqual([1, 1])
  expect(await costOf('gpt-4o-mini', other.api)).toBe(usual)
  expect(await find('openai', 'gpt-4o-mini', other.api)).toEqual(listed)
  for (let time = 0; time < 2; time++)
    expect((await api.delete('/v1/catalogue/openai/gpt-4o-mini')).status).toBe(204)
  expect(await costOf('gpt-4o-mini')).toBe(usual)
  expect(await find('openai', 'gpt-4o-mini')).toEqual(listed)
})

test('a model that no catalogue knows can be called once it has a price, also one with slashes in its name', async () => {
  expect(await costOf('openai/a/new/model')).toBe(404)
  const path = '/v1/catalogue/openai/a/new/model'
  expect((await api.put(path, { price: oneDollar, contextWindow: 10_000 })).body).toMatchObject({
    model: 'a/new/model',
    names: ['openai/a/new/model'],
    limits: { contextWindow: 10_000, maxOutputTokens: null },
  })
  expect(await costOf('openai/a/new/model')).toBe(1)
  expect(await costOf('openai/a/new/model', other.api)).toBe(404)
  await api.delete(path)
  expect(await costOf('openai/a/new/model')).toBe(404)
})

test('a price for later comes into force by itself, and leaves the one before as it is until then', async () => {
  const path = '/v1/catalogue/openai/later'
  const far = new Date(Date.now() + 86_400_000).toISOString()
  expect((await api.put(path, { price: oneDollar, effectiveFrom: far })).body).toMatchObject({
    price: null,
    upcoming: { effectiveFrom: far, price: oneDollar },
  })
  expect(await costOf('openai/later')).toBe(404)
  await api.put(path, { price: { inputUsdPerMTok: 1_000, outputUsdPerMTok: 1_000 } })
  expect(await costOf('openai/later')).toBe(2)
  expect((await find('openai', 'later')).upcoming).toMatchObject({ effectiveFrom: far })
  // Far enough ahead for a machine that stands still before the service reads it.
  const soon = new Date(Date.now() + 10_000).toISOString()
  const isTime = () => Date.now() >= Date.parse(soon)
  await api.put(path, { price: oneDollar, effectiveFrom: soon })
  expect((await costOf('openai/later')) === 2 || isTime()).toBe(true)
  await waitFor('its time', isTime)
  await waitFor('the new price', async () => (await costOf('openai/later')) === 1)
  expect(await find('openai', 'later')).toMatchObject({
    price: oneDollar,
    effectiveFrom: soon,
    upcoming: null,
  })
})

test('a price is no finer than the record can hold, and belongs to a provider that is there', async () => {
  const put = async (body: object, path = 'openai/gpt-4o') =>
    (await api.put(`/v1/catalogue/${path}`, body)).body.error
  expect(await put({ price: { inputUsdPerMTok: 0.0000001, outputUsdPerMTok: 1 } })).toMatchObject({
    code: 400,
    details: [{ path: 'price.inputUsdPerMTok', message: expect.stringContaining('6 decimal places') }],
  })
  expect(await put({ price: { ...oneDollar, tiers: { batch: {} } } })).toMatchObject({
    details: [{ path: 'price.tiers.batch' }],
  })
  expect(await put({ price: oneDollar }, 'nobody/gpt-4o')).toMatchObject({ code: 404 })
  expect(await put({})).toMatchObject({ code: 400 })
})

test('the prices of a provider go with it', async () => {
  const fields = { name: 'mine', type: 'openai', baseUrl: `${upstream.url}/v1`, pricesOf: 'openai' }
  const { body: provider } = await api.post('/v1/providers', fields)
  await api.put('/v1/catalogue/mine/gpt-4o', { price: 'free' })
  expect(await costOf('mine/gpt-4o')).toBe(0)
  await api.delete(`/v1/providers/${provider.id}`)
  expect(await costOf('mine/gpt-4o')).toBe(404)
  await api.post('/v1/providers', fields)
  expect(await find('mine', 'gpt-4o')).toMatchObject({ source: 'catalogue' })
})

test('pages show every model once, in order', async () => {
  const { data: all } = (await api.get('/v1/catalogue?provider=openai&limit=200')).body
  const seen: unknown[] = []
  let cursor = ''
  do {
    const { body } = await api.get(`/v1/catalogue?provider=openai&limit=7${cursor && `&cursor=${cursor}`}`)
    seen.push(...body.data)
    cursor = body.nextCursor ?? ''
  } while (cursor !== '')
  expect(seen.length).toBeGreaterThan(20)
  expect(seen).toEqual(all)
})

test('routes are among the models of a key that may use one of their targets', async () => {
  const { body: route } = await api.post('/v1/routes', {
    name: 'smart',
    targets: [{ model: 'mock/echo' }, { model: 'gpt-4o-mini' }],
  })
  const modelsOf = async (allowedModels: string[] | null) => {
    const { key } = (await api.post('/v1/keys', { name: 'reader', allowedModels })).body
    const { data } = (await service.as(key).get('/v1/models')).body
    return data.filter(({ id }: { id: string }) => id === 'smart')
  }
  expect(await modelsOf(null)).toEqual([expect.objectContaining({ id: 'smart', owned_by: 'route' })])
  expect(await modelsOf(['gpt-4o-mini'])).toHaveLength(1)
  expect(await modelsOf(['gpt-4o'])).toEqual([])
  await api.patch(`/v1/routes/${route.id}`, { enabled: false })
  expect(await modelsOf(null)).toEqual([])
})

test('each model is listed with the endpoints that it serves, and a route with those of the models that the key may use', async () => {
  const targets = [{ model: 'mock/echo', dialect: 'embeddings' }, { model: 'gpt-4o-mini' }]
  expect((await api.post('/v1/routes', { name: 'mixed', targets })).status).toBe(201)
  const { key } = (await api.post('/v1/keys', { name: 'embedder', allowedModels: ['mock/echo'] })).body
  const endpointsOf = async (caller: typeof api, model: string) => {
    const { body } = await caller.get(`/v1/models/${model}`)
    return body.endpoints
  }
  expect(await endpointsOf(api, 'text-embedding-3-small')).toEqual(['/v1/embeddings'])
  expect(await endpointsOf(api, 'mock/echo')).toContain('/v1/messages')
  expect(await endpointsOf(api, 'gpt-4o-mini')).not.toContain('/v1/messages')
  expect(await endpointsOf(api, 'mixed')).toEqual(
    expect.arrayContaining(['/v1/embeddings', '/v1/chat/completions']),
  )
  expect(await endpointsOf(service.as(key), 'mixed')).toEqual(['/v1/embeddings'])
})
