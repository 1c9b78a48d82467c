import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOutbound } from '../../packages/service/src/outbound/index.js'
import { requestTimeStamp } from '../../packages/service/src/record/anchor/time-stamp-authority.js'
import { type ForwardProxy, startForwardProxy } from '../harness/network/forward-proxy.js'
import { type ServiceProcess, startServiceProcess } from '../harness/processes/process.js'
import { hasOpenssl, startTimeStampAuthority } from '../harness/record/time-stamp-authority.js'
import { createEndpoint } from '../harness/reporting/webhooks.js'
import { waitFor } from '../harness/run/wait.js'
import { type Api, createApi } from '../harness/service/api.js'
import { createTestDatabase, type TestDatabase } from '../harness/service/database.js'
import { hostsCertificate, readHostsTls } from '../harness/tls/files.js'

// A service whose machine knows no names and reaches nothing but a proxy, which speaks TLS and asks for a password.

const managerKey = 'tallystick_sk_0123456789abcdefghijKLMNOPQRSTUVWXYZ'
const login = 'ada:s3cret'

let targets: Server
let port: number
let proxy: ForwardProxy
let database: TestDatabase
let folder: string
let service: ServiceProcess
let api: Api
let hungUp = 0

const at = (name: string, path = '') => `https://${name}.example.com:${port}${path}`
const tunnelTo = (name: string) => `CONNECT ${name}.example.com:${port}`

/** Every server that the service talks to, by the path of its requests. */
function startTargets(): Server {
  return createServer(readHostsTls(), (request, response) => {
    const json = (value: unknown) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const { url = '' } = request
      if (url.includes('openid-configuration')) {
        const issuer = at('issuer')
        return json({
          ...{ issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` },
          ...{ jwks_uri: `${issuer}/keys`, response_types_supported: ['code'] },
        })
      }
      if (url === '/guardrail') return json({ violation: false })
      if (url === '/v1/traces') return json({})
      if (url !== '/v1/chat/completions') return void response.writeHead(204).end()
      if (!text.includes('"stream":true')) return json(answer('Hello'))
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.on('close', () => {
        if (!response.writableFinished) hungUp++
      })
      response.write(`data: ${JSON.stringify(piece('Hello'))}\n\n`)
      if (text.includes('forever')) return
      response.end(`data: ${JSON.stringify({ ...piece(''), usage })}\n\ndata: [DONE]\n\n`)
    })
  })
}

const usage = { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 }
const common = { id: 'chatcmpl-1', created: 1, model: 'gpt-4o-mini' }
const answer = (content: string) => ({
  ...{ ...common, object: 'chat.completion', usage },
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
})
const piece = (content: string) => ({
  ...{ ...common, object: 'chat.completion.chunk' },
  choices: [{ index: 0, delta: { content }, finish_reason: null }],
})

beforeAll(async () => {
  targets = startTargets().listen(0, '127.0.0.1')
  await once(targets, 'listening')
  port = (targets.address() as AddressInfo).port
  proxy = await startForwardProxy({ isSecure: true, login })
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'tallystick-proxy-'))
  const configuration = {
    providers: {
      configured: { type: 'openai', baseUrl: at('configured', '/v1'), apiKey: 'key-1', pricesOf: 'openai' },
    },
    oidc: { issuer: at('issuer'), clientId: 'tallystick', clientSecret: 'secret' },
  }
  await writeFile(join(folder, 'tallystick.yaml'), JSON.stringify(configuration))
  service = await startServiceProcess(
    {
      DATABASE_URL: database.url,
      TALLYSTICK_DATA_DIR: join(folder, 'data'),
      TALLYSTICK_BOOTSTRAP_KEY: managerKey,
      NODE_ENV: 'production',
      NODE_EXTRA_CA_CERTS: hostsCertificate,
      TALLYSTICK_PUBLIC_URL: 'https://ai.example.com',
      HTTPS_PROXY: proxy.url.replace('127.0.0.1', 'localhost'),
      TALLYSTICK_PROXY_RESOLVES_NAMES: 'true',
      OTEL_EXPORTER_OTLP_ENDPOINT: at('collector'),
      OTEL_BSP_SCHEDULE_DELAY: '1',
    },
    [],
    folder,
  )
  api = createApi(service.address, managerKey)
})
afterAll(async () => {
  await service?.end('SIGTERM')
  await proxy?.close()
  targets.closeAllConnections()
  targets.close()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

const call = (body: object, signal?: AbortSignal) =>
  fetch(`${service.address}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${managerKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'Hi' }], max_tokens: 5, ...body }),
    ...(signal && { signal }),
  })

test('calls to a provider of the configuration go through the proxy, and share its connections', async () => {
  proxy.asked.length = 0
  for (let i = 0; i < 3; i++) {
    const response = await call({ model: 'configured/gpt-4o-mini' })
    expect({ status: response.status, body: await response.json() }).toMatchObject({
      status: 200,
      body: { choices: [{ message: { content: 'Hello' } }] },
    })
  }
  expect(proxy.asked.filter((each) => each === tunnelTo('configured'))).toHaveLength(1)
})

test('streams arrive while they are sent, and a caller that hangs up is noticed by the provider', async () => {
  const whole = await call({ model: 'configured/gpt-4o-mini', stream: true })
  expect(await whole.text()).toContain('[DONE]')
  const hangUp = new AbortController()
  const content = [{ role: 'user', content: 'forever' }]
  const endless = await call(
    { model: 'configured/gpt-4o-mini', stream: true, messages: content },
    hangUp.signal,
  )
  const reader = endless.body?.getReader()
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toContain('Hello')
  hangUp.abort()
  await waitFor('the provider to notice', () => hungUp === 1)
})

test('a provider of a tenant, webhooks, guardrails, MCP servers and the issuer are reached through the proxy', async () => {
  const provider = {
    name: 'own',
    type: 'openai',
    baseUrl: at('own', '/v1'),
    credentials: [{ name: 'main', value: 'key-2' }],
    pricesOf: 'openai',
  }
  expect(await api.post('/v1/providers', provider)).toMatchObject({ status: 201 })
  const policy = {
    name: 'Guard',
    kind: 'http',
    scope: { type: 'tenant' },
    config: { url: at('guard', '/guardrail') },
  }
  expect(await api.post('/v1/policies', policy)).toMatchObject({ status: 201 })
  const governed = await waitFor('the provider to be known', async () => {
    const response = await call({ model: 'own/gpt-4o-mini' })
    return response.status === 200 ? response : null
  })
  expect(governed.status).toBe(200)
  const { id } = await createEndpoint(api, { url: at('hooks') })
  expect((await api.post(`/v1/webhook-endpoints/${id}/test`)).body).toEqual({ delivered: true, error: null })
  await api.post('/v1/mcp-servers', { name: 'tools', url: at('tools', '/mcp') })
  const signIn = await fetch(`${service.address}/v1/session/oidc`, { redirect: 'manual' })
  expect(signIn.headers.get('location')).toContain(at('issuer', '/auth'))
  for (const name of ['own', 'guard', 'hooks', 'issuer', 'tools', 'collector'])
    await waitFor(`a tunnel to ${name}`, () => proxy.asked.includes(tunnelTo(name)))
})

test('a private target is refused, though the proxy would reach it', async () => {
  proxy.asked.length = 0
  const answer = await api.post('/v1/webhook-endpoints', {
    ...{ name: 'Inside', type: 'generic', url: `https://10.0.0.1:${port}/`, events: ['policy.violation'] },
  })
  expect(answer).toMatchObject({ status: 400, body: { error: { type: 'invalid_webhook_url' } } })
  expect(proxy.asked).toEqual([])
})

test('a proxy that refuses is named to the caller, without its password', async () => {
  proxy.answerWith(502)
  const provider = {
    name: 'late',
    type: 'openai',
    baseUrl: at('late', '/v1'),
    credentials: [{ name: 'main', value: 'key-3' }],
    pricesOf: 'openai',
  }
  const { body } = await api.post('/v1/providers', provider)
  const check = await api.post(`/v1/providers/${body.id}/test`)
  proxy.answerWith(null)
  expect(JSON.stringify(check.body)).toContain(
    `the proxy https://localhost:${proxy.port} answered 502 Bad Gateway`,
  )
  expect(service.output()).not.toContain('s3cret')
})

test.skipIf(!hasOpenssl)('time stamps are requested through the proxy for plain HTTP', async () => {
  const authority = await startTimeStampAuthority()
  const plain = await startForwardProxy({ login })
  const outbound = createOutbound({
    strict: true,
    proxies: { http: plain.url, https: null, bypass: [], resolvesNames: false },
  })
  const url = authority.url.replace('127.0.0.1', 'stamps.example.com')
  const { token } = await requestTimeStamp(url, 'a checkpoint', outbound.operator)
  expect(await authority.verify('a checkpoint', token)).toBe(true)
  expect(plain.asked).toEqual([`POST ${new URL(url).href}`])
  await outbound.close()
  await plain.close()
  await authority.close()
})
