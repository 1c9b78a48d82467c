import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../../packages/service/src/db/index.js'
import { operatorOf } from '../../../packages/service/src/resources/audit/index.js'
import { createKey } from '../../../packages/service/src/resources/keys/index.js'
import { createTenant } from '../../../packages/service/src/resources/tenants/index.js'
import { waitFor } from '../../harness/run/wait.js'
import type { Api } from '../../harness/service/api.js'
import type { TestService } from '../../harness/service/service.js'
import { shareTestService } from '../../harness/service/shared-service.js'

let service: TestService
let api: Api
let strangerKey: string

beforeAll(async () => {
  service = await shareTestService()
  api = service.api
  const { db, close } = openDatabase(service.database.url, () => undefined)
  const tenant = await createTenant(db, `stranger-to-${service.tenantId}`)
  strangerKey = (await createKey(db, operatorOf(tenant.id), { name: 'Stranger', role: 'manager' })).value
  await close()
})
afterAll(() => service.stop())

/** Sends bytes as they are and reads whatever comes back until the server closes. */
async function sendRaw(text: string): Promise<string> {
  const { hostname, port } = new URL(service.address)
  const socket = connect(Number(port), hostname)
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  socket.end(Buffer.from(text, 'latin1'))
  await once(socket, 'close')
  return answer
}

const send = (
  method: string,
  path: string,
  body?: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) =>
  fetch(service.address + path, {
    method,
    headers: { authorization: `Bearer ${service.managerKey}`, ...headers },
    ...(body !== undefined && { body }),
  })

const json = { 'content-type': 'application/json' }

/** The one shape of every failure. */
async function expectError(
  response: Response,
  status: number,
  type: string,
  message: RegExp | string,
): Promise<void> {
  const body = JSON.parse(await response.text())
  expect({ status: response.status, ...body }).toMatchObject({
    status,
    error: {
      type,
      code: status,
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    },
  })
  expect(Object.keys(body)).toEqual(['error'])
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(response.headers.get('x-tallystick-request-id')).toMatch(/^req_/)
  if (type !== 'invalid_request') return
  expect(body.error.details).toEqual(
    expect.arrayContaining([{ path: expect.any(String), message: expect.any(String) }]),
  )
}

describe('authentication', () => {
  test.each([
    ['no header', {}],
    ['an empty header', { authorization: '' }],
    ['another scheme', { authorization: 'Basic dXNlcjpwYXNz' }],
    ['no value', { authorization: 'Bearer ' }],
    ['a value of another shape', { authorization: 'Bearer sk-abc' }],
    ['two values', { authorization: `Bearer tallystick_sk_${'a'.repeat(40)} x` }],
    ['an unknown value', { authorization: `Bearer tallystick_sk_${'a'.repeat(40)}` }],
    ['a very long value', { authorization: `Bearer tallystick_sk_${'a'.repeat(8_000)}` }],
  ])('%s is answered 401', async (_, headers: Record<string, string>) => {
    await expectError(
      await fetch(`${service.address}/v1/keys`, { headers }),
      401,
      'unauthorized',
      'Missing or invalid API key',
    )
  })

  test('the name of the scheme may be written in any case', async () => {
    const headers = { authorization: `bearer ${service.managerKey}` }
    expect((await fetch(`${service.address}/v1/keys`, { headers })).status).toBe(200)
  })

  test('a key that expired a moment ago is answered 401', async () => {
    const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
    const { body } = await api.post('/v1/keys', { name: 'Short', expiresAt: inMs(3_600_000) })
    expect((await service.as(body.key).get('/v1/keys')).status).toBe(200)
    // Far enough ahead for a machine that stands still before the service reads it: what is past is refused.
    const expiresAt = inMs(10_000)
    expect((await api.patch(`/v1/keys/${body.id}`, { expiresAt })).status).toBe(200)
    const early = await service.as(body.key).get('/v1/keys')
    expect(early.status === 200 || Date.now() >= Date.parse(expiresAt)).toBe(true)
    await waitFor('its end', () => Date.now() >= Date.parse(expiresAt))
    const refused = await waitFor('the refusal', async () => {
      const answer = await service.as(body.key).get('/v1/keys')
      return answer.status !== 200 && answer
    })
    expect(refused.body.error).toEqual({
      type: 'unauthorized',
      message: 'Missing or invalid API key',
      code: 401,
    })
    expect((await api.get(`/v1/keys/${body.id}`)).body.status).toBe('expired')
  })

  test('who may not use a route learns that before anything is said about the request', async () => {
    const { body } = await api.post('/v1/keys', { name: 'Member' })
    const member = service.as(body.key)
    for (const answer of [
      await member.post('/v1/keys', '{not json'),
      await member.patch('/v1/keys/key_x', { nonsense: 1 }),
      await member.delete('/v1/keys/key_x'),
    ]) {
      expect(answer.status).toBe(403)
      expect(answer.body.error).toEqual({
        type: 'forbidden',
        message: 'Manager-level access is required',
        code: 403,
      })
    }
  })
})

describe('every failure has the same body', () => {
  test.each([
    ['malformed JSON', '{"name":', /^Malformed JSON: /],
    ['JSON with a rest', '{"name":"a"} x', /^Malformed JSON: /],
    ['no body', undefined, 'the body: must be an object'],
    ['an empty body', '', 'the body: must be an object'],
    ['a list', '[]', 'the body: must be an object'],
    ['null', 'null', 'the body: must be an object'],
    ['a missing field', '{}', 'name: is required'],
    ['an unknown field', '{"name":"a","rpmlimit":5}', 'rpmlimit: unknown field'],
    ['a wrong type', '{"name":"a","rpmLimit":"5"}', 'rpmLimit: must be a whole number or null'],
    [
      'a name that is blank',
      '{"name":"  "}',
      'name: must be 1 to 200 visible characters, not all of them blank',
    ],
    ['U+0000', '{"name":"a\\u0000"}', /^name: contains U\+0000/],
    ['half of a surrogate pair', '{"name":"\\ud800"}', /^name: contains U\+0000 or half/],
    [
      '__proto__',
      '{"name":"a","__proto__":{"role":"manager"}}',
      '__proto__: is not allowed as the name of a field',
    ],
    ['constructor', '{"name":"a","constructor":{"prototype":{}}}', 'constructor: unknown field'],
    [
      'deep nesting',
      `{"name":"a","metadata":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`,
      /nested more than 64 levels deep$/,
    ],
    ['deep lists', `${'['.repeat(400_000)}${']'.repeat(400_000)}`, /nested more than 64 levels deep$/],
  ])('%s is answered 400', async (_, body, message) => {
    await expectError(await send('POST', '/v1/keys', body, json), 400, 'invalid_request', message)
  })

  test('bytes that are not UTF-8 are answered 400', async () => {
    const body = new Uint8Array([...Buffer.from('{"name":"'), 0xff, ...Buffer.from('"}')])
    await expectError(await send('POST', '/v1/keys', body, json), 400, 'invalid_request', /not UTF-8/)
  })

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/problem+json',
    'nonsense',
    'multipart/form-data; boundary=x',
  ])('a body of type %s is answered 415', async (type) => {
    const response = await send('POST', '/v1/keys', '{"name":"a"}', { 'content-type': type })
    await expectError(response, 415, 'unsupported_media_type', 'Send the body as application/json')
  })

  test('a body of exactly one mebibyte is read, one byte more is answered 413', async () => {
    const bodyOf = (bytes: number) => JSON.stringify({ name: 'a' }).padEnd(bytes, ' ')
    expect((await send('POST', '/v1/keys', bodyOf(1024 * 1024), json)).status).toBe(201)
    const response = await send('POST', '/v1/keys', bodyOf(1024 * 1024 + 1), json)
    await expectError(response, 413, 'payload_too_large', /larger than 1 MiB/)
  })

  test('a body without an end in sight is answered 413 while it is still being sent', async () => {
    let answered = false
    const body = new ReadableStream({
      pull: (controller) =>
        answered ? controller.close() : controller.enqueue(new Uint8Array(65_536).fill(32)),
    })
    const headers = { authorization: `Bearer ${service.managerKey}`, ...json }
    const response = await fetch(`${service.address}/v1/keys`, {
      method: 'POST',
      headers,
      body,
      duplex: 'half',
    })
    answered = true
    await expectError(response, 413, 'payload_too_large', /larger/)
  })

  test.each([
    ['GET', '/'],
    ['GET', '/v1'],
    ['GET', '/v1/nothing'],
    ['PUT', '/v1/keys'],
    ['POST', '/v1/keys/key_x'],
    ['GET', '/V1/keys'],
    ['GET', '//v1/keys'],
  ])('%s %s is answered 404', async (method, path) => {
    const words = new RegExp(`^No such path: ${method} ${path}(\\. For models |$)`)
    await expectError(await send(method, path), 404, 'not_found', words)
  })

  test.each(['/v1/keys/%', '/v1/keys/%zz', '/v1/keys/%ff', '/v1/keys/%E0%A4'])(
    'the path %s is answered 400',
    async (path) => {
      await expectError(await send('GET', path), 400, 'invalid_request', 'The path is not a valid URL path')
    },
  )

  test('text that cannot be stored is refused in paths and queries too', async () => {
    await expectError(await send('GET', '/v1/keys/%00'), 400, 'invalid_request', /^id: contains U\+0000/)
    await expectError(
      await send('GET', '/v1/keys?cursor=%00'),
      400,
      'invalid_request',
      /^cursor: contains U\+0000/,
    )
  })

  test('a path that is too long is answered 400', async () => {
    await expectError(
      await send('GET', `/v1/keys/${'a'.repeat(65)}`),
      400,
      'invalid_request',
      'id: must have at most 64 characters',
    )
    await expectError(
      await send('GET', `/v1/keys/${'a'.repeat(5_000)}`),
      400,
      'invalid_request',
      'A part of the path is too long',
    )
  })

  test.each([
    ['what is not HTTP', 'HELLO\r\n\r\n', 'This is not a well-formed HTTP request'],
    [
      'a TLS greeting',
      '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
      'This is not a well-formed HTTP request',
    ],
    [
      'a broken header',
      'GET /healthz HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n',
      'This is not a well-formed HTTP request',
    ],
    [
      'two lengths',
      'POST /v1/keys HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      'This is not a well-formed HTTP request',
    ],
    [
      'a method that does not exist',
      'FETCH /healthz HTTP/1.1\r\nHost: x\r\n\r\n',
      'This is not a well-formed HTTP request',
    ],
    [
      'headers without end',
      `GET /healthz HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
      'The headers of the request are too large',
    ],
    ['no Host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 'The Host header is missing'],
  ])('%s is answered 400, in JSON', async (_, text, message) => {
    const answer = await sendRaw(text)
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(answer).toMatch(/content-type: application\/json/)
    const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))
    expect(body).toEqual({
      error: { type: 'invalid_request', code: 400, message, details: [{ path: '', message }] },
    })
  })

  test('an expectation that nobody knows is ignored', async () => {
    expect(
      await sendRaw('GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nConnection: close\r\n\r\n'),
    ).toMatch(/^HTTP\/1\.1 200/)
  })

  test('several faults are reported together, each with its place', async () => {
    const { body } = await api.post('/v1/keys', {
      nmae: 'a',
      rpmLimit: 0,
      metadata: { a: 1 },
      allowedModels: ['ok', ''],
      expiresAt: 'soon',
    })
    expect(body.error.details).toEqual(
      expect.arrayContaining([
        { path: 'name', message: 'is required' },
        { path: 'nmae', message: 'unknown field' },
        { path: 'rpmLimit', message: 'must be at least 1' },
        { path: 'metadata.a', message: 'must be a string' },
        { path: 'allowedModels.1', message: 'must not be empty' },
        { path: 'expiresAt', message: 'must be a date and time with its zone, such as 2026-01-31T09:30:00Z' },
      ]),
    )
    expect(body.error.details).toHaveLength(6)
  })
})

describe('writes', () => {
  test('PATCH needs at least one field', async () => {
    for (const path of ['/v1/keys/key_x', '/v1/keys/key_x/limits']) {
      await expectError(
        await send('PATCH', path, '{}', json),
        400,
        'invalid_request',
        'the body: needs at least one field',
      )
    }
  })

  test('DELETE answers 204 without a body, and 204 again', async () => {
    const { body } = await api.post('/v1/keys', { name: 'Gone' })
    for (const headers of [{}, json, {}]) {
      const response = await send('DELETE', `/v1/keys/${body.id}`, undefined, headers)
      expect(response.status).toBe(204)
      expect(await response.text()).toBe('')
    }
  })

  test('a body where none is expected may be empty; fields in it are refused', async () => {
    const { body } = await api.post('/v1/keys', { name: 'Gone' })
    const path = `/v1/keys/${body.id}`
    await expectError(
      await send('DELETE', path, '{"force":true}', json),
      400,
      'invalid_request',
      'This endpoint takes no body',
    )
    expect((await send('DELETE', path, '', json)).status).toBe(204)
    expect((await send('DELETE', path, '{}', json)).status).toBe(204)
  })

  test('POST that creates answers 201 with the record', async () => {
    const { status, body } = await api.post('/v1/keys', { name: 'New' })
    expect(status).toBe(201)
    expect(body).toMatchObject({ id: expect.stringMatching(/^key_[0-9a-z]{26}$/), name: 'New' })
  })

  test('a row of another tenant is answered exactly like a row that does not exist', async () => {
    const { body } = await api.post('/v1/keys', { name: 'Ours' })
    const stranger = service.as(strangerKey)
    for (const id of [body.id, 'key_00000000000000000000000000']) {
      const answers = [
        await stranger.get(`/v1/keys/${id}`),
        await stranger.patch(`/v1/keys/${id}`, { name: 'Theirs' }),
        await stranger.patch(`/v1/keys/${id}/limits`, { rpmLimit: 1 }),
        await stranger.delete(`/v1/keys/${id}`),
      ]
      for (const answer of answers)
        expect(answer.body).toEqual({ error: { type: 'not_found', message: 'No such key', code: 404 } })
    }
    expect((await stranger.get('/v1/keys')).body.data).toHaveLength(1)
    expect((await api.get(`/v1/keys/${body.id}`)).body).toMatchObject({
      name: 'Ours',
      status: 'active',
      rpmLimit: null,
    })
  })
})

describe('what needs no key', () => {
  test.each([
    ['/healthz', /^application\/json/, '{"status":"ok"}'],
    ['/readyz', /^application\/json/, '{"status":"ready","checks":{"database":{"state":"ready","since":"'],
    ['/metrics', /^text\/plain; version=0\.0\.4/, 'tallystick_calls_total'],
    ['/openapi.json', /^application\/json/, '"openapi":"3.1.0"'],
    ['/docs', /^text\/html/, '/openapi.json'],
    ['/.well-known/tallystick/jwks.json', /^application\/json/, '"kty":"OKP"'],
  ])('GET %s', async (path, type, content) => {
    const response = await fetch(service.address + path)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(type)
    expect(await response.text()).toContain(content)
  })

  test('the reference loads nothing from another host', async () => {
    const page = await (await fetch(`${service.address}/docs/api/`)).text()
    const sources = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '')
    expect(sources.length).toBeGreaterThan(0)
    for (const source of sources) {
      expect(source).not.toMatch(/^(https?:)?\/\//)
      expect((await fetch(new URL(source, `${service.address}/docs/api/`))).status).toBe(200)
    }
  })
})

test.each([
  ['/v1/keys', '{"name":"Twice","role":"member","role":"manager"}', 'role'],
  ['/v1/keys', '{"name":"Twice","role":"member","r\\u006fle":"manager"}', 'role'],
  ['/v1/keys', '{"name":"Twice","metadata":{"a":"1","a":"2"}}', 'metadata.a'],
  [
    '/v1/policies',
    '{"name":"Twice","kind":"pattern","config":{"patterns":[{"name":"a","regex":"x","regex":"y"}]}}',
    'config.patterns.0.regex',
  ],
])('a body in which a member stands twice is refused: %s %s', async (path, body, place) => {
  const before = (await service.api.get('/v1/audit-log?limit=1')).body
  const answer = await service.api.post(path, body)
  expect(answer).toMatchObject({
    status: 400,
    body: { error: { type: 'invalid_request', details: [{ path: place }] } },
  })
  expect((await service.api.get('/v1/audit-log?limit=1')).body).toEqual(before)
})
