import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sendJson, startUpstream, type Upstream } from '../../harness/providers/upstream.js'
import { createEndpoint, deliveriesOf } from '../../harness/reporting/webhooks.js'
import { waitFor } from '../../harness/run/wait.js'
import type { Api } from '../../harness/service/api.js'
import { startTestService, type TestService } from '../../harness/service/service.js'
import { addTenant, type TestTenant } from '../../harness/service/tenant.js'

let service: TestService
let api: Api
let folder: string
let upstream: Upstream

const answer = {
  id: 'x',
  object: 'chat.completion',
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tallystick-providers-'))
  const config = join(folder, 'tallystick.yaml')
  await writeFile(
    config,
    `providers:
  shared: { type: openai, baseUrl: 'http://127.0.0.1:9/v1', apiKey: sk-of-the-operator-1234, pricesOf: openai }
  closed: { type: openai, baseUrl: 'http://127.0.0.1:9/v1', tenants: [nobody], pricesOf: openai }
`,
  )
  service = await startTestService({ env: { TALLYSTICK_CONFIG: config } })
  api = service.api
})
afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  upstream = await startUpstream((_, response) => sendJson(response, 200, answer))
})
afterEach(() => upstream.close())

let made = 0
const create = async (fields: object = {}, as: Api = api) => {
  const { status, body } = await as.post('/v1/providers', {
    name: `own-${++made}`,
    type: 'openai',
    baseUrl: `${upstream.url}/v1`,
    pricesOf: 'openai',
    ...fields,
  })
  expect(body).toMatchObject({ source: 'api' })
  expect(status).toBe(201)
  return body
}
const call = (model: string, as: Api = api) =>
  as.post('/v1/chat/completions', { model, messages: [{ role: 'user', content: 'Hi' }] })
async function deleteCredentials(id: string): Promise<void> {
  const { body } = await api.get(`/v1/providers/${id}`)
  for (const { id: credentialId } of body.credentials)
    expect((await api.delete(`/v1/providers/${id}/credentials/${credentialId}`)).status).toBe(204)
}
const keysSeen = () => upstream.seen.map(({ headers }) => headers.authorization)

describe('a provider of a tenant', () => {
  test('accepts what was made elsewhere as soon as it is set to', async () => {
    const { id } = await create({ name: 'lending' })
    const goOn = () =>
      api.post('/v1/chat/completions', {
        model: 'lending/gpt-4o-mini',
        messages: [{ role: 'assistant', audio: { id: 'audio_made_elsewhere' } }],
      })
    expect((await goOn()).body.error).toMatchObject({
      type: 'not_found',
      details: [{ path: 'messages.0.audio' }],
    })
    const { body } = await api.patch(`/v1/providers/${id}`, { references: 'any' })
    expect(body.references).toBe('any')
    expect((await goOn()).status).toBe(200)
    await api.patch(`/v1/providers/${id}`, { references: 'issued' })
    expect((await goOn()).status).toBe(404)
  })

  test('is called at once, with its credential and its headers, which are never shown', async () => {
    const provider = await create({
      name: 'mine',
      headers: { 'x-team-secret': 'a-long-enough-header-value' },
      credentials: [{ name: 'first', value: 'sk-the-very-first-key' }],
    })
    expect(provider).toEqual({
      id: expect.stringMatching(/^prov_[0-9a-z]{26}$/),
      name: 'mine',
      type: 'openai',
      baseUrl: `${upstream.url}/v1`,
      headers: [{ name: 'x-team-secret', hint: 'alue' }],
      dialects: expect.arrayContaining(['chat']),
      timeouts: expect.objectContaining({ connectMs: 5_000 }),
      limits: { maxStreamBytes: 512 * 1024 * 1024, maxAnswerBytes: 128 * 1024 * 1024 },
      options: {},
      auth: 'own',
      references: 'issued',
      pricesOf: 'openai',
      enabled: true,
      secretStatus: 'ok',
      source: 'api',
      credentials: [
        {
          id: expect.stringMatching(/^cred_/),
          name: 'first',
          hint: '-key',
          status: 'active',
          weight: 1,
          createdAt: expect.any(String),
          lastError: null,
        },
      ],
      createdAt: expect.any(String),
      updatedAt: provider.createdAt,
    })
    expect((await call('mine/gpt-4o-mini')).status).toBe(200)
    expect(upstream.seen[0]?.headers).toMatchObject({
      authorization: 'Bearer sk-the-very-first-key',
      'x-team-secret': 'a-long-enough-header-value',
    })
    expect((await api.get(`/v1/providers/${provider.id}`)).body).toEqual(provider)
    const everything = await Promise.all(
      ['providers', 'audit-log?limit=200'].map(async (path) =>
        JSON.stringify((await api.get(`/v1/${path}`)).body),
      ),
    )
    expect(everything.join()).toContain('provider.create')
    for (const secret of ['sk-the-very', 'a-long-enough']) expect(everything.join()).not.toContain(secret)
    const rows = await service.database.query<{ row: string }>(
      'select t::text as row from providers t union all select t::text from provider_credentials t',
    )
    const stored = rows.map(({ row }) => row).join()
    expect(stored).toContain(provider.id)
    for (const secret of ['sk-the-very-first-key', 'a-long-enough-header-value'])
      for (const trace of [secret, Buffer.from(secret).toString('hex')]) expect(stored).not.toContain(trace)
  })

  test('follows a change from the next call on; disabled or deleted it is not called', async () => {
    const { id, name } = await create()
    const model = `${name}/gpt-4o-mini`
    const other = await startUpstream((_, response) => sendJson(response, 200, answer))
    expect((await call(model)).status).toBe(200)
    // A path below the same host is no other address.
    expect((await api.patch(`/v1/providers/${id}`, { baseUrl: `${upstream.url}/v1/` })).status).toBe(200)
    await deleteCredentials(id)
    const { body: moved } = await api.patch(`/v1/providers/${id}`, { baseUrl: `${other.url}/v1` })
    expect(moved).toMatchObject({ baseUrl: `${other.url}/v1`, name })
    expect((await call(model)).status).toBe(200)
    expect([upstream.seen.length, other.seen.length]).toEqual([1, 1])
    await api.patch(`/v1/providers/${id}`, { enabled: false })
    expect((await call(model)).status).toBe(404)
    await api.patch(`/v1/providers/${id}`, { enabled: true })
    expect((await call(model)).status).toBe(200)
    for (let time = 0; time < 2; time++) expect((await api.delete(`/v1/providers/${id}`)).status).toBe(204)
    expect((await call(model)).status).toBe(404)
    expect((await api.get(`/v1/providers/${id}`)).status).toBe(404)
    await other.close()
  })

  test('sends a credential nowhere else than where it was given for, nor a header', async () => {
    const headers = { 'x-team-secret': 'a-long-enough-header-value' }
    const { id } = await create({ headers, credentials: [{ name: 'x', value: 'sk-not-yours' }] })
    const baseUrl = 'http://127.0.0.1:9/v1'
    const patch = (body: object) => api.patch(`/v1/providers/${id}`, body)
    const refused = await patch({ baseUrl })
    expect(refused.status).toBe(409)
    expect(refused.body.error.message).toContain('Delete them')
    expect((await patch({ baseUrl: null })).status).toBe(409)
    await deleteCredentials(id)
    expect((await patch({ baseUrl })).status).toBe(409)
    expect((await api.get(`/v1/providers/${id}`)).body.baseUrl).toBe(`${upstream.url}/v1`)
    expect((await patch({ baseUrl, headers })).status).toBe(200)
  })

  test('a call that is under way when its provider is changed ends as it began', async () => {
    const { id, name } = await create()
    let finish = () => undefined as unknown
    upstream.answerWith((_, response) => {
      finish = () => sendJson(response, 200, answer)
    })
    const waiting = call(`${name}/gpt-4o-mini`)
    await waitFor('the call', () => upstream.seen.length === 1)
    await api.delete(`/v1/providers/${id}`)
    finish()
    expect((await waiting).status).toBe(200)
  })

  test('rotates its credential without an outage: the new one is added, then the old one taken away', async () => {
    const { id, name, credentials } = await create({
      credentials: [{ name: 'old', value: 'sk-old-key-1234' }],
    })
    const added = await api.post(`/v1/providers/${id}/credentials`, { name: 'new', value: 'sk-new-key-5678' })
    expect(added).toMatchObject({ status: 201, body: { name: 'new', hint: '5678', weight: 1 } })
    for (let nth = 0; nth < 4; nth++) await call(`${name}/gpt-4o-mini`)
    expect(new Set(keysSeen())).toEqual(new Set(['Bearer sk-old-key-1234', 'Bearer sk-new-key-5678']))
    const path = `/v1/providers/${id}/credentials/${credentials[0].id}`
    for (let time = 0; time < 2; time++) expect((await api.delete(path)).status).toBe(204)
    upstream.seen.length = 0
    for (let nth = 0; nth < 4; nth++) await call(`${name}/gpt-4o-mini`)
    expect(new Set(keysSeen())).toEqual(new Set(['Bearer sk-new-key-5678']))
    const taken = await api.post(`/v1/providers/${id}/credentials`, { name: 'new', value: 'sk-another' })
    expect(taken.status).toBe(409)
    const [row] = await service.database.query<{ sealed_value: Buffer | null }>(
      'select sealed_value from provider_credentials where id = $1',
      [credentials[0].id],
    )
    expect(row).toEqual({ sealed_value: null })
  })

  test('a refused credential rests, is told of once, and stays at rest when another one is added', async () => {
    const receiver = await startUpstream((_, response) => void response.writeHead(204).end())
    const endpoint = await createEndpoint(api, { url: receiver.url, events: ['provider.failing'] })
    const { id, name } = await create({
      credentials: [
        { name: 'bad', value: 'sk-refused-key' },
        { name: 'good', value: 'sk-accepted-key' },
      ],
    })
    upstream.answerWith(({ headers }, response) =>
      headers.authorization === 'Bearer sk-refused-key'
        ? sendJson(response, 401, { error: { message: 'Incorrect API key provided: sk-refused-key' } })
        : sendJson(response, 200, answer),
    )
    for (let nth = 0; nth < 6; nth++) await call(`${name}/gpt-4o-mini`)
    expect(keysSeen().filter((key) => key === 'Bearer sk-refused-key')).toHaveLength(1)
    const bad = async () =>
      (await api.get(`/v1/providers/${id}`)).body.credentials.find(
        (each: { name: string }) => each.name === 'bad',
      )
    expect(await bad()).toMatchObject({
      status: 'resting',
      lastError: { status: 401, message: `${name} answered 401: it refuses this credential` },
    })
    await api.post(`/v1/providers/${id}/credentials`, { name: 'third', value: 'sk-accepted-too' })
    expect(await bad()).toMatchObject({ status: 'resting', lastError: { status: 401 } })
    const [delivery] = await waitFor('the delivery', async () => {
      const found = await deliveriesOf(api, endpoint.id)
      return found.length > 0 && found
    })
    expect(delivery).toMatchObject({
      event: 'provider.failing',
      data: { provider_id: id, provider_name: name, credential_id: (await bad()).id, status: 401 },
    })
    expect(JSON.stringify(delivery)).not.toContain('sk-refused')
    expect((await api.get('/v1/attention')).body.credentials).toEqual([
      expect.objectContaining({ providerId: id, credentialId: (await bad()).id, state: 'refused' }),
    ])
    await api.delete(`/v1/providers/${id}`)
    expect((await api.get('/v1/attention')).body.credentials).toEqual([])
    await api.delete(`/v1/webhook-endpoints/${endpoint.id}`)
    await receiver.close()
  })
})

describe('what is set', () => {
  test('is checked by the type, with every fault', async () => {
    const { status, body } = await api.post('/v1/providers', {
      name: 'faulty',
      type: 'openai',
      dialects: ['morse'],
      headers: { Host: 'x' },
      options: { colour: 'red' },
      credentials: [{ name: 'x', value: 'with blank' }],
    })
    expect(status).toBe(400)
    expect(body.error.details.map(({ path }: { path: string }) => path)).toEqual(
      expect.arrayContaining(['dialects.0', 'headers.Host', 'options.colour', 'credentials.0.value']),
    )
    expect(JSON.stringify(body)).not.toContain('with blank')
    expect(
      (await api.post('/v1/providers', { name: 'faulty', type: 'no-such-type' })).body.error,
    ).toMatchObject({
      details: [{ path: 'type' }],
    })
    const { id } = await create()
    expect((await api.patch(`/v1/providers/${id}`, { dialects: ['morse'] })).status).toBe(400)
    expect((await api.patch(`/v1/providers/${id}`, { auth: 'caller' })).status).toBe(200)
    const refused = await api.post(`/v1/providers/${id}/credentials`, { name: 'x', value: 'sk-one-more' })
    expect(refused.status).toBe(400)
  })

  test('names are unique over both sources, and one is reserved', async () => {
    const { name } = await create()
    const fields = { type: 'openai', baseUrl: upstream.url }
    expect((await api.post('/v1/providers', { ...fields, name })).status).toBe(409)
    expect((await api.post('/v1/providers', { ...fields, name: 'shared' })).status).toBe(409)
    expect((await api.post('/v1/providers', { ...fields, name: 'mock' })).status).toBe(400)
    // Another tenant's, or one that this tenant may not use, is no obstacle.
    expect((await api.post('/v1/providers', { ...fields, name: 'closed' })).status).toBe(201)
  })

  test('limits hold also for those who create at the same moment', async () => {
    const { api: other, id } = await addTenant(service, 'many-providers')
    await service.database.query(
      `insert into providers (id, tenant_id, name, type)
       select 'prov_' || n, $1, 'p' || n, 'openai' from generate_series(1, 199) n`,
      [id],
    )
    const fields = { type: 'openai', baseUrl: upstream.url }
    const answers = await Promise.all(
      ['x', 'y', 'z'].map((name) => other.post('/v1/providers', { ...fields, name })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
    const own = answers.find(({ status }) => status === 201)?.body
    await service.database.query(
      `insert into provider_credentials (id, tenant_id, provider_id, name, hint)
       select 'cred_' || n, $1, $2, 'c' || n, '' from generate_series(1, 49) n`,
      [id, own.id],
    )
    const credentials = await Promise.all(
      ['x', 'y'].map((name) =>
        other.post(`/v1/providers/${own.id}/credentials`, { name, value: 'sk-value' }),
      ),
    )
    expect(credentials.map(({ status }) => status).toSorted()).toEqual([201, 409])
  })
})

describe('a provider of the configuration', () => {
  test('is listed after the tenant’s own, read-only, for those who may use it', async () => {
    await create()
    const { data } = (await api.get('/v1/providers?limit=200')).body
    expect(data.at(-1)).toMatchObject({
      id: 'prov_config_shared',
      source: 'config',
      credentials: [{ id: 'cred_config_shared_default', hint: '1234', status: 'active', createdAt: null }],
    })
    expect(data.map(({ id }: { id: string }) => id)).not.toContain('prov_config_closed')
    expect(JSON.stringify(data)).not.toContain('sk-of-the-operator')
    const path = '/v1/providers/prov_config_shared'
    expect((await api.get(path)).body).toEqual(data.at(-1))
    for (const refused of [
      api.patch(path, { enabled: false }),
      api.delete(path),
      api.post(`${path}/credentials`, { name: 'x', value: 'sk-x' }),
      api.delete(`${path}/credentials/cred_config_shared_default`),
    ])
      expect(await refused).toMatchObject({
        status: 409,
        body: { error: { message: expect.stringContaining('is part of the configuration') } },
      })
    expect((await api.get('/v1/providers/prov_config_closed')).status).toBe(404)
    expect((await call('closed/gpt-4o')).status).toBe(404)
  })

  test('and so is the one that a trial has built in', async () => {
    const path = '/v1/providers/prov_config_mock'
    const { body: mock } = await api.get(path)
    expect(mock).toMatchObject({
      name: 'mock',
      type: 'mock',
      source: 'config',
      enabled: true,
      credentials: [],
    })
    expect(mock.dialects).toContain('chat')
    const { data } = (await api.get('/v1/providers?limit=200')).body
    expect(data).toContainEqual(mock)
    expect((await api.post(`${path}/test`)).body).toEqual({ ok: true, latencyMs: 0, error: null })
    for (const refused of [
      api.patch(path, { enabled: false }),
      api.delete(path),
      api.post(`${path}/credentials`, { name: 'x', value: 'sk-x' }),
    ])
      expect(await refused).toMatchObject({
        status: 409,
        body: { error: { message: expect.stringContaining('is part of the configuration') } },
      })
  })

  test('pages show every provider once', async () => {
    await create()
    const seen: string[] = []
    let cursor = ''
    do {
      const { body } = await api.get(`/v1/providers?limit=1${cursor && `&cursor=${cursor}`}`)
      seen.push(...body.data.map(({ id }: { id: string }) => id))
      cursor = body.nextCursor ?? ''
    } while (cursor !== '')
    expect(seen).toEqual(
      (await api.get('/v1/providers?limit=200')).body.data.map(({ id }: { id: string }) => id),
    )
  })
})

describe('another tenant', () => {
  let other: TestTenant
  beforeAll(async () => {
    other = await addTenant(service, 'other')
  })

  test('neither sees nor calls nor changes it, and may use the same name', async () => {
    const { id, name } = await create({
      name: 'same-name',
      credentials: [{ name: 'x', value: 'sk-first-tenant' }],
    })
    for (const answered of [
      other.api.get(`/v1/providers/${id}`),
      other.api.patch(`/v1/providers/${id}`, { enabled: false }),
      other.api.delete(`/v1/providers/${id}`),
      other.api.post(`/v1/providers/${id}/test`),
      other.api.post(`/v1/providers/${id}/credentials`, { name: 'y', value: 'sk-y' }),
      call(`${name}/gpt-4o-mini`, other.api),
    ])
      expect((await answered).status).toBe(404)
    expect(upstream.seen).toEqual([])
    await create({ name: 'same-name', credentials: [{ name: 'x', value: 'sk-other-tenant' }] }, other.api)
    await call(`${name}/gpt-4o-mini`, other.api)
    await call(`${name}/gpt-4o-mini`)
    expect(keysSeen()).toEqual(['Bearer sk-other-tenant', 'Bearer sk-first-tenant'])
  })
})

describe('a test', () => {
  const run = async (id: string) => (await api.post(`/v1/providers/${id}/test`)).body

  test('says whether the provider is there and takes its credentials, in words of our own', async () => {
    const { id, name } = await create({
      enabled: false,
      credentials: [{ name: 'x', value: 'sk-tested-key' }],
    })
    expect(await run(id)).toEqual({ ok: true, latencyMs: expect.any(Number), error: null })
    expect(upstream.seen[0]).toMatchObject({
      path: '/v1/models',
      headers: { authorization: 'Bearer sk-tested-key' },
    })
    upstream.answerWith((_, response) =>
      sendJson(response, 401, { error: { message: 'sk-tested-key is bad' } }),
    )
    expect(await run(id)).toMatchObject({ ok: false, error: `Credential x: ${name} answered 401` })
    upstream.answerWith((_, response) => sendJson(response, 500, { error: 'secret words' }))
    expect((await run(id)).error).toBe(`Credential x: ${name} answered 500`)
    await deleteCredentials(id)
    await api.patch(`/v1/providers/${id}`, { baseUrl: 'http://127.0.0.1:9/v1' })
    expect(await run(id)).toMatchObject({ ok: false, error: expect.stringContaining('ECONNREFUSED') })
  })

  test.each([301, 302, 303, 304, 307, 308])(
    'an answer of %i is not ok, and says what to do',
    async (status) => {
      const { id, name } = await create({ credentials: [{ name: 'x', value: 'sk-tested-key' }] })
      upstream.answerWith((_, response) => void response.writeHead(status, { location: '/elsewhere' }).end())
      expect(await run(id)).toMatchObject({
        ok: false,
        error: `Credential x: ${name} answered ${status}, a redirect, and redirects are not followed: set \`baseUrl\` to the address that it leads to`,
      })
      expect(upstream.seen.map(({ path }) => path)).toEqual(['/v1/models'])
    },
  )

  test('where callers bring their own credential, a provider that asks for it is there', async () => {
    const { id } = await create({ auth: 'caller' })
    upstream.answerWith((_, response) => sendJson(response, 401, {}))
    expect(await run(id)).toMatchObject({ ok: true, error: null })
  })

  test('of one of the configuration works too', async () => {
    expect(await run('prov_config_shared')).toMatchObject({ ok: false })
    expect((await api.post('/v1/providers/prov_none/test')).status).toBe(404)
  })
})
