import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import {
  credential,
  providerFor,
  requestFor,
  sendTo,
  serveVendor,
} from '../../../../test/harness/providers/vendor-server.js'
import { waitFor } from '../../../../test/harness/run/wait.js'
import { createOutbound } from '../outbound/index.js'
import type { CredentialFault } from './credentials/pool.js'

const opened: { close(): unknown }[] = []
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close()
})
async function serve(...args: Parameters<typeof serveVendor>) {
  const server = await serveVendor(...args)
  opened.push(server)
  return server
}
function provide(...args: Parameters<typeof providerFor>) {
  const provider = providerFor(...args)
  opened.push(provider.transport)
  return provider
}
const chat = () => requestFor('chat')

describe('several credentials', () => {
  test('share the calls by weight', async () => {
    const { url, arrived } = await serve()
    const credentials = [credential('heavy', { id: 'a', weight: 3 }), credential('light', { id: 'b' })]
    const provider = provide({ type: 'openai', baseUrl: url, credentials })
    for (let i = 0; i < 8; i++) await sendTo(provider, chat())
    expect(arrived.filter(({ headers }) => headers.authorization === 'Bearer heavy')).toHaveLength(6)
  })

  test('one that is refused rests, and the others go on', async () => {
    const { url, arrived } = await serve((request, response) => {
      response.writeHead(request.headers.authorization === 'Bearer revoked' ? 401 : 200).end('{}')
    })
    const faults: CredentialFault[] = []
    const credentials = [credential('revoked', { id: 'a' }), credential('good', { id: 'b' })]
    const provider = provide(
      { type: 'openai', baseUrl: url, credentials },
      { onCredentialFault: (fault) => faults.push(fault) },
    )
    const statuses: number[] = []
    for (let i = 0; i < 6; i++) statuses.push((await sendTo(provider, chat())).status)
    expect(statuses).toEqual([401, 200, 200, 200, 200, 200])
    expect(arrived).toHaveLength(6)
    expect(faults).toEqual([
      { credentialId: 'a', status: 401, message: 'p answered 401: it refuses this credential' },
    ])
    expect(provider.credentials()).toMatchObject([{ status: 'resting' }, { status: 'active' }])
  })

  test.each([
    ['retry-after', '7', 7_000],
    ['retry-after-ms', '1500', 1_500],
    ['retry-after', 'soon', null],
  ])('one that is over its limit rests for as long as %s: %s says', async (header, value, retryAfterMs) => {
    const clock = { nowMs: 1_000_000 }
    const { url, arrived } = await serve((request, response) => {
      if (request.headers.authorization === 'Bearer busy') response.setHeader(header, value).writeHead(429)
      response.end('{}')
    })
    const credentials = [credential('busy', { id: 'a' }), credential('free', { id: 'b' })]
    const provider = provide({ type: 'openai', baseUrl: url, credentials }, { now: () => clock.nowMs })
    expect(await sendTo(provider, chat())).toMatchObject({ status: 429, retryAfterMs })
    const rests = retryAfterMs ?? 10_000
    expect(provider.credentials()[0]).toMatchObject({ restsUntilMs: clock.nowMs + rests })
    for (let i = 0; i < 3; i++) expect(await sendTo(provider, chat())).toMatchObject({ status: 200 })
    clock.nowMs += rests
    for (let i = 0; i < 2; i++) await sendTo(provider, chat())
    expect(arrived.slice(4).map(({ headers }) => headers.authorization)).toContain('Bearer busy')
  })
})

test('without a credential nothing is claimed', async () => {
  const { url, arrived } = await serve()
  await sendTo(provide({ type: 'ollama', baseUrl: url, credentials: [] }), chat())
  expect(arrived[0]?.headers.authorization).toBeUndefined()
})

describe('with the caller’s own account', () => {
  test('its authorization goes to the provider, and a refusal of it rests nothing', async () => {
    const { url, arrived } = await serve((_, response) => response.writeHead(401).end('{}'))
    const provider = provide({ type: 'anthropic', baseUrl: url, auth: 'caller' })
    const callerAuthorization = 'Bearer sk-ant-oat01-subscription'
    await sendTo(provider, requestFor('messages', { callerAuthorization }))
    expect(arrived[0]?.headers).toMatchObject({ authorization: callerAuthorization })
    expect(arrived[0]?.headers['x-api-key']).toBeUndefined()
    expect(provider.credentials()).toEqual([])
  })

  test('a call without one is refused in words, and does not reach the provider', async () => {
    const { url, arrived } = await serve()
    const { failure } = await sendTo(provide({ type: 'anthropic', baseUrl: url, auth: 'caller' }), chat())
    expect(failure).toMatchObject({ kind: 'refused', error: { type: 'unauthorized' } })
    expect(failure?.error.message).toContain('X-Tallystick-Key')
    expect(arrived).toEqual([])
  })
})

async function listen(serveSocket: Parameters<typeof createServer>[1]): Promise<number> {
  const server = createServer(serveSocket)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  opened.push({ close: () => server.close() })
  return (server.address() as AddressInfo).port
}

describe('a failure says whether the provider can have got the request', () => {
  const base = { connectMs: 60_000, firstByteMs: 60_000, idleMs: 60_000, totalMs: 60_000, hangUpGraceMs: 1 }
  const kindOf = async (baseUrl: string, timeouts = {}) => {
    const provider = provide({ type: 'openai', baseUrl, timeouts: { ...base, ...timeouts } })
    return (await sendTo(provider, chat())).failure?.kind
  }

  test('not when the connection is refused', async () => {
    expect(await kindOf('http://127.0.0.1:1')).toBe('connect')
  })

  test('not when TLS fails', async () => {
    const { url, arrived } = await serve()
    expect(await kindOf(url.replace('http:', 'https:'))).toBe('connect')
    expect(arrived).toEqual([])
  })

  test('perhaps when it stays silent, or falls silent', async () => {
    const silent = await serve(() => undefined)
    expect(await kindOf(silent.url, { firstByteMs: 200 })).toBe('timeout')
    const stalled = await serve((_, response) => void response.writeHead(200).write('{'))
    expect(await kindOf(stalled.url, { idleMs: 200 })).toBe('timeout')
  })

  test('perhaps when it takes too long with its answer', async () => {
    let isSilent = false
    const { url } = await serve((_, response) => void (isSilent || response.end('{}')))
    const timeouts = { ...base, totalMs: 200 }
    const provider = provide({ type: 'openai', baseUrl: url, timeouts })
    // From then on there is a connection: the time cannot end while one is made.
    await waitFor('an answer in time', async () => (await sendTo(provider, chat())).failure === null)
    isSilent = true
    expect((await sendTo(provider, chat())).failure?.kind).toBe('timeout')
  })

  test('perhaps when it breaks off, before an answer or in the middle of one', async () => {
    const port = await listen((socket) => socket.once('data', () => socket.resetAndDestroy()))
    expect(await kindOf(`http://127.0.0.1:${port}`)).toBe('broken')
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{')
      setImmediate(() => response.destroy())
    })
    expect(await kindOf(url)).toBe('broken')
  })
})

test('an address that the rules for tenants refuse is not connected to, by name or by number', async () => {
  const { url, arrived } = await serve()
  const outbound = createOutbound({ strict: true, resolve: async () => ['127.0.0.1'] })
  opened.push(outbound)
  for (const baseUrl of [
    url,
    url.replace('127.0.0.1', 'models.example.com'),
    url.replace('http:', 'https:'),
  ]) {
    const provider = provide(
      { type: 'openai', baseUrl },
      { createAgent: (options) => outbound.createAgent({ ...options, isVetted: true }) },
    )
    const { failure } = await sendTo(provider, chat())
    expect(failure?.kind).toBe('connect')
    expect((await provider.check()).ok).toBe(false)
  }
  expect(arrived).toEqual([])
})

describe('a provider that was replaced', () => {
  test('ends the calls that are under way, answers one that was planned before, and leaves no connection open', async () => {
    const answers: (() => void)[] = []
    let connections = 0
    const { url } = await serve((_, response) => {
      const { socket } = response
      if (socket && answers.length < 2) {
        connections++
        socket.once('close', () => connections--)
      }
      answers.push(() => response.end('{"late":true}'))
    })
    const provider = provide({ type: 'openai', baseUrl: url })
    const underWay = sendTo(provider, chat())
    await waitFor('the call to arrive', async () => answers.length === 1 || undefined)
    provider.transport.retire()
    const planned = sendTo(provider, chat())
    await waitFor('the planned call to arrive', async () => answers.length === 2 || undefined)
    for (const answer of answers) answer()
    expect(await Promise.all([underWay, planned])).toMatchObject([
      { status: 200, body: '{"late":true}', failure: null },
      { status: 200, body: '{"late":true}', failure: null },
    ])
    await waitFor('the connections to end', async () => connections === 0 || undefined)
    const last = sendTo(provider, chat())
    await waitFor('the last call to arrive', async () => answers.length === 3 || undefined)
    answers[2]?.()
    expect(await last).toMatchObject({ status: 200 })
  })

  test('and is idle leaves no connection open either', async () => {
    let connections = 0
    const { url } = await serve((_, response) => {
      connections++
      response.socket?.once('close', () => connections--)
      response.end('{}')
    })
    const provider = provide({ type: 'openai', baseUrl: url })
    await sendTo(provider, chat())
    expect(connections).toBe(1)
    provider.transport.retire()
    await waitFor('the connection to end', async () => connections === 0 || undefined)
  })

  test('fails in words once it is closed', async () => {
    const { url } = await serve()
    const provider = provide({ type: 'openai', baseUrl: url })
    await provider.transport.close()
    expect((await sendTo(provider, chat())).failure).toMatchObject({ kind: 'refused' })
  })
})

describe('a check', () => {
  test('tries every credential, those that rest included, and costs nothing', async () => {
    const { url, arrived } = await serve((request, response) => {
      response.writeHead(request.headers.authorization === 'Bearer bad' ? 401 : 200).end('{}')
    })
    const credentials = [credential('good', { id: 'good' }), credential('bad', { id: 'bad' })]
    const provider = provide({ type: 'openai', baseUrl: `${url}/v1`, credentials })
    expect(await provider.check()).toMatchObject({ ok: false, error: 'Credential bad: p answered 401' })
    await provider.check()
    expect(arrived.map(({ method, path }) => `${method} ${path}`)).toEqual(
      Array.from({ length: 4 }, () => 'GET /v1/models'),
    )
    expect(provider.credentials()[1]).toMatchObject({ status: 'resting', lastError: { status: 401 } })
  })

  test('of one that is well is ok, and of one that is away says so', async () => {
    const server = await serveVendor()
    const provider = provide({ type: 'openai', baseUrl: server.url })
    expect(await provider.check()).toMatchObject({ ok: true, error: null })
    await server.close()
    expect(await provider.check()).toMatchObject({
      ok: false,
      error: expect.stringContaining('could not be reached'),
    })
  })
})
