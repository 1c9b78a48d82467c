import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestService } from '../../harness/service/service.js'
import { shareTestService } from '../../harness/service/shared-service.js'
import { excluded, makeRows, type Rows, requestOf, routesTable } from '../resources/routes-table.js'

let service: TestService
let rows: Rows

beforeAll(async () => {
  service = await shareTestService()
  rows = await makeRows(service.api, 'ours', 3)
})
afterAll(() => service.stop())

/** What every answer has, whatever it is. */
function expectProtected(headers: Headers): void {
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('x-frame-options')).toBe('DENY')
  expect(headers.get('referrer-policy')).toMatch(/^(same-origin|no-referrer)$/)
  expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
}

async function send(method: string, path: string, body?: unknown, key: string | null = service.managerKey) {
  const response = await fetch(service.address + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && !(body instanceof FormData) && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** What the mock provider takes, with a file in one field. */
function formOf(field: string): FormData {
  const form = new FormData()
  form.set('model', 'mock/echo')
  form.set('prompt', 'Hi')
  form.set(field, new Blob(['RIFF']), 'a.wav')
  return form
}

describe.each(routesTable)('$route', (each) => {
  test('is kept by no cache and shown in no frame, whether it is answered or refused', async () => {
    const { method, path, query, body } = requestOf(each, rows)
    const search = new URLSearchParams(query).toString()
    const target = `${path}${search && `?${search}`}`
    for (const key of [null, service.managerKey]) {
      const { status, headers } = await send(method, target, body, key)
      expect(status).not.toBe(500)
      expectProtected(headers)
      expect(headers.get('cache-control')).toBe('no-store')
    }
  })
})

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
const call = { model: 'mock/echo', messages: [{ role: 'user', content: 'Hi' }] }
const others: Record<string, () => ReturnType<typeof send>> = {
  'GET /healthz': () => send('GET', '/healthz'),
  'GET /readyz': () => send('GET', '/readyz'),
  'GET /metrics': () => send('GET', '/metrics'),
  'GET /openapi.json': () => send('GET', '/openapi.json'),
  'GET /.well-known/tallystick/jwks.json': () => send('GET', '/.well-known/tallystick/jwks.json'),
  'POST /v1/session': () => send('POST', '/v1/session', { key: service.managerKey }),
  'GET /v1/session': () => send('GET', '/v1/session'),
  'DELETE /v1/session': () => send('DELETE', '/v1/session'),
  'GET /v1/session/methods': () => send('GET', '/v1/session/methods'),
  'GET /v1/session/oidc': () => send('GET', '/v1/session/oidc'),
  'GET /v1/session/oidc/callback': () => send('GET', '/v1/session/oidc/callback'),
  'POST /mcp': () => send('POST', '/mcp', ping),
  // With a key it would be a stream without an end.
  'GET /mcp': () => send('GET', '/mcp', undefined, null),
  'DELETE /mcp': () => send('DELETE', '/mcp'),
  'POST /mcp/{server}': () => send('POST', '/mcp/none', ping),
  'GET /mcp/{server}': () => send('GET', '/mcp/none'),
  'DELETE /mcp/{server}': () => send('DELETE', '/mcp/none'),
  'POST /mcp/tallystick': () => send('POST', '/mcp/tallystick', ping),
  'GET /mcp/tallystick': () => send('GET', '/mcp/tallystick'),
  'DELETE /mcp/tallystick': () => send('DELETE', '/mcp/tallystick'),
  'GET /mcp/oauth/start': () => send('GET', '/mcp/oauth/start?link=x'),
  'GET /mcp/oauth/callback': () => send('GET', '/mcp/oauth/callback'),
  'GET /mcp/oauth/client.json': () => send('GET', '/mcp/oauth/client.json'),
  'GET /v1/responses': () => send('GET', '/v1/responses'),
  'DELETE /v1/sessions': () => send('DELETE', '/v1/sessions'),
  'DELETE /v1/sessions/{id}': () => send('DELETE', '/v1/sessions/ses_01k9zq3w8hcv7m2x4n6p8r0t1y'),
  'POST /v1/chat/completions': () => send('POST', '/v1/chat/completions', call),
  'POST /v1/responses': () => send('POST', '/v1/responses', { model: 'mock/echo', input: 'Hi' }),
  'POST /v1/responses/compact': () =>
    send('POST', '/v1/responses/compact', { model: 'mock/echo', input: 'Hi' }),
  'POST /v1/embeddings': () => send('POST', '/v1/embeddings', { model: 'mock/echo', input: 'Hi' }),
  'POST /v1/messages': () => send('POST', '/v1/messages', { ...call, max_tokens: 10 }),
  'POST /v1/messages/count_tokens': () => send('POST', '/v1/messages/count_tokens', call),
  'POST /v1/completions': () => send('POST', '/v1/completions', { model: 'mock/echo', prompt: 'Hi' }),
  'POST /v1/moderations': () => send('POST', '/v1/moderations', { model: 'mock/echo', input: 'Hi' }),
  'POST /v1/images/generations': () =>
    send('POST', '/v1/images/generations', { model: 'mock/echo', prompt: 'Hi' }),
  'POST /v1/audio/speech': () =>
    send('POST', '/v1/audio/speech', { model: 'mock/echo', input: 'Hi', voice: 'alloy' }),
  'POST /v1/audio/transcriptions': () => send('POST', '/v1/audio/transcriptions', formOf('file')),
  'POST /v1/audio/translations': () => send('POST', '/v1/audio/translations', formOf('file')),
  'POST /v1/images/edits': () => send('POST', '/v1/images/edits', formOf('image')),
  'POST /v1/images/variations': () => send('POST', '/v1/images/variations', formOf('image')),
  'POST /v1/rerank': () =>
    send('POST', '/v1/rerank', { model: 'mock/echo', query: 'Hi', documents: ['Hello'] }),
  'GET /v1/models': () => send('GET', '/v1/models'),
  'POST /v1/files': () => send('POST', '/v1/files', {}),
  'GET /v1/files': () => send('GET', '/v1/files'),
  'GET /v1/files/{id}': () => send('GET', '/v1/files/file_none'),
  'GET /v1/files/{id}/content': () => send('GET', '/v1/files/file_none/content'),
  'DELETE /v1/files/{id}': () => send('DELETE', '/v1/files/file_none'),
  'POST /v1/batches': () => send('POST', '/v1/batches', {}),
  'GET /v1/batches': () => send('GET', '/v1/batches'),
  'GET /v1/batches/{id}': () => send('GET', '/v1/batches/batch_none'),
  'POST /v1/batches/{id}/cancel': () => send('POST', '/v1/batches/batch_none/cancel'),
  'GET /v1/models/{name}': () => send('GET', '/v1/models/mock/echo'),
  'POST /v1/compliance/attestations': () => send('POST', '/v1/compliance/attestations', { days: 1 }),
  'POST /v1/compliance/exports': () => send('POST', '/v1/compliance/exports', {}),
  'DELETE /v1/compliance/jobs/{id}': () => send('DELETE', '/v1/compliance/jobs/job_none'),
  'GET /v1/compliance/jobs/{id}/result': () => send('GET', '/v1/compliance/jobs/job_none/result'),
  'POST /v1/mcp-servers/{id}/approve': () => send('POST', '/v1/mcp-servers/mcp_none/approve', { tools: [] }),
  'POST /v1/mcp-servers/{id}/tools/{name}/approve': () =>
    send('POST', '/v1/mcp-servers/mcp_none/tools/read/approve', {}),
  'POST /v1/mcp-servers/{id}/tools/{name}/block': () =>
    send('POST', '/v1/mcp-servers/mcp_none/tools/read/block', {}),
}

test('every route that is not in the table is tried below', () => {
  expect(Object.keys(others).toSorted()).toEqual(Object.keys(excluded).toSorted())
})

test.each([
  ...Object.entries(others),
  ['a stream', () => send('POST', '/v1/chat/completions', { ...call, stream: true })],
  ['a call that is refused', () => send('POST', '/v1/chat/completions', {})],
  ['a call without a key', () => send('POST', '/v1/chat/completions', call, null)],
  ['a path that is not there', () => send('GET', '/v1/nothing')],
  ['a path that is no path', () => send('GET', '/%E0%A4%A')],
  ['a body that is no JSON', () => send('POST', '/v1/keys', 'x')],
  ['the document', () => send('GET', '/openapi.json')],
  ['the reference', () => send('GET', '/docs/api/')],
  ['the way to it', () => send('GET', '/docs')],
  ['the script of the reference', () => send('GET', '/docs/api/js/scalar.js')],
] as const)('%s has the headers too', async (_, ask) => {
  const { status, headers } = await ask()
  expect(status).toBeLessThan(500)
  expectProtected(headers)
})

test('what is not HTTP is answered with them', async () => {
  const { port } = new URL(service.address)
  const text = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () => socket.end('nonsense\r\n\r\n'))
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.on('end', () => resolve(received))
    socket.on('error', reject)
  })
  expect(text).toMatch(/^HTTP\/1\.1 400 /)
  expect(text).toContain('x-content-type-options: nosniff\r\n')
  expect(text).toContain('cache-control: no-store\r\n')
})

test.each(['json', 'yaml'])('there is one document, and no copy at /docs/api/openapi.%s', async (form) => {
  const { status, headers } = await send('GET', `/docs/api/openapi.${form}`)
  expect(status).toBe(404)
  expect(headers.get('access-control-allow-origin')).toBeNull()
})

test('the reference runs its own scripts and no other, and loads nothing from elsewhere', async () => {
  const { status, headers, text } = await send('GET', '/docs/api/', undefined, null)
  expect(status).toBe(200)
  const policy = Object.fromEntries(
    (headers.get('content-security-policy') ?? '').split('; ').map((each) => {
      const [name = '', ...sources] = each.split(' ')
      return [name, sources]
    }),
  )
  const inline = [...text.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)]
  const own = inline.filter(([, attributes = '']) => !attributes.includes('src='))
  expect(own.length).toBeGreaterThan(0)
  expect(policy['script-src']).toEqual([
    "'self'",
    ...own.map(([, , script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`),
  ])
  expect(policy['connect-src']).toEqual(["'self'"])
  const sources = [...text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, url]) => url)
  expect(sources).toEqual(['js/scalar.js'])
})
