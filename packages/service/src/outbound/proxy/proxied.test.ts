import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type ForwardProxy, startForwardProxy } from '../../../../../test/harness/network/forward-proxy.js'
import { waitFor } from '../../../../../test/harness/run/wait.js'
import { createOutbound, type Outbound, type OutboundOptions } from '../outbound.js'
import { parseRange } from '../public-address.js'
import type { ProxySettings } from './proxies.js'

const opened: { close(): unknown }[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()))
})

const publicAddress = '93.184.216.34'

/** Through a proxy of both schemes. */
function outboundThrough(
  url: string,
  rules: Partial<OutboundOptions> = {},
  settings: Partial<ProxySettings> = {},
): Outbound {
  const outbound = createOutbound({
    strict: true,
    resolve: async () => [publicAddress],
    ...rules,
    proxies: { http: url, https: url, bypass: [], resolvesNames: false, ...settings },
  })
  opened.push(outbound)
  return outbound
}

async function startProxy(options?: Parameters<typeof startForwardProxy>[0]): Promise<ForwardProxy> {
  const proxy = await startForwardProxy(options)
  opened.push(proxy)
  return proxy
}

async function receive(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  opened.push({
    close() {
      server.closeAllConnections()
      server.close()
    },
  })
  return (server.address() as AddressInfo).port
}

const post = (outbound: Outbound, url: string, timeoutMs = 60_000) =>
  outbound.post({ url, headers: { 'content-type': 'application/json' }, body: '{"a":1}', timeoutMs })

test('an HTTPS target is reached by a tunnel, by its name', async () => {
  const proxy = await startProxy()
  const port = await receive((_, response) => response.end())
  // The receiver speaks no TLS, so the handshake inside the tunnel fails: with the receiver, not with the proxy.
  expect(await post(outboundThrough(proxy.url), `https://hooks.example.com:${port}/`)).toMatchObject({
    failure: expect.stringContaining('The TLS connection failed'),
  })
  expect(proxy.asked).toEqual([`CONNECT hooks.example.com:${port}`])
})

test('a plain HTTP target is reached by its whole URL, on connections that are used again', async () => {
  const proxy = await startProxy({ login: 'ada:s3cret' })
  const seen: unknown[] = []
  const port = await receive((request, response) => {
    seen.push([request.url, request.headers.host, request.headers['proxy-authorization']])
    request.pipe(response.writeHead(202))
  })
  const outbound = outboundThrough(proxy.url, { strict: false })
  const url = `http://hooks.example.com:${port}/hook?a=b`
  for (let i = 0; i < 3; i++)
    expect(await post(outbound, url)).toEqual({ status: 202, body: Buffer.from('{"a":1}'), complete: true })
  expect(proxy.asked).toEqual([`POST ${url}`, `POST ${url}`, `POST ${url}`])
  expect(seen[0]).toEqual(['/hook?a=b', `hooks.example.com:${port}`, undefined])
  expect(proxy.open()).toBeLessThan(3)
})

test.each([
  ['10.0.0.1', 'https://hooks.example.com/'],
  ['127.0.0.1', 'https://hooks.example.com/'],
  [publicAddress, 'https://10.0.0.1/'],
  [publicAddress, 'https://169.254.169.254/'],
])('a private target (%s at %s) is refused, though the proxy would reach it', async (address, url) => {
  const proxy = await startProxy()
  for (const resolvesNames of [false, true]) {
    if (resolvesNames && address !== publicAddress) continue
    const outbound = outboundThrough(proxy.url, { resolve: async () => [address] }, { resolvesNames })
    expect(await post(outbound, url)).toMatchObject({
      failure: expect.stringMatching(/is refused: it must not lead to/),
    })
  }
  expect(proxy.asked).toEqual([])
})

test('private ranges that the operator allows are reached through the proxy too', async () => {
  const proxy = await startProxy()
  const port = await receive((_, response) => response.writeHead(204).end())
  const rules = { resolve: async () => ['10.20.0.1'], allowedRanges: [parseRange('10.20.0.0/16')] }
  expect(await post(outboundThrough(proxy.url, rules), `http://inside.example.com:${port}/`)).toMatchObject({
    status: 204,
  })
})

test('a name that only the proxy can resolve is refused, unless the operator leaves names to the proxy', async () => {
  const proxy = await startProxy()
  const resolve = async () => Promise.reject(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }))
  const url = 'https://hooks.example.com:1/'
  expect(await post(outboundThrough(proxy.url, { resolve }), url)).toMatchObject({
    failure: expect.stringContaining('set TALLYSTICK_PROXY_RESOLVES_NAMES=true'),
  })
  expect(proxy.asked).toEqual([])
  await post(outboundThrough(proxy.url, { resolve }, { resolvesNames: true }), url)
  expect(proxy.asked).toEqual(['CONNECT hooks.example.com:1'])
})

test.each([407, 502, 503])('a proxy that answers %d is named, without its password', async (status) => {
  const proxy = await startProxy({ login: 'ada:s3cret' })
  proxy.answerWith(status)
  const result = await post(outboundThrough(proxy.url), 'https://hooks.example.com/')
  expect(result).toMatchObject({
    failure: expect.stringContaining(`The proxy http://127.0.0.1:${proxy.port} answered ${status}`),
  })
  expect(JSON.stringify(result)).not.toContain('s3cret')
})

test('a wrong password is told apart from an answer of the target, by plain HTTP too', async () => {
  const proxy = await startProxy({ login: 'ada:s3cret' })
  const outbound = outboundThrough(`http://ada:wrong@127.0.0.1:${proxy.port}`, { strict: false })
  for (const scheme of ['http', 'https'])
    expect(await post(outbound, `${scheme}://hooks.example.com/`)).toEqual({
      failure: `The proxy http://127.0.0.1:${proxy.port} answered 407 Proxy Authentication Required: check the user and password in its URL`,
    })
})

test('a proxy that is away is named', async () => {
  const proxy = await startProxy()
  await proxy.close()
  opened.pop()
  const outbound = outboundThrough(proxy.url, { strict: false })
  for (const scheme of ['http', 'https'])
    expect(await post(outbound, `${scheme}://hooks.example.com/`)).toEqual({
      failure: `The proxy ${proxy.url} cannot be reached (ECONNREFUSED)`,
    })
})

test('a proxy that says nothing is given up, and keeps no connection', async () => {
  const proxy = await startProxy()
  proxy.answerWith(0)
  const agent = outboundThrough(proxy.url).createAgent({ isVetted: false, connectTimeoutMs: 200 })
  opened.push({ close: () => agent.destroy() })
  await expect(
    agent.request({ origin: 'https://api.example.com', path: '/', method: 'GET' }),
  ).rejects.toThrow(`the proxy ${proxy.url} opened no connection within 0.2 s`)
  await waitFor('no open connection', () => proxy.open() === 0)
})

test('hosts in NO_PROXY are reached directly', async () => {
  const proxy = await startProxy()
  const outbound = outboundThrough(
    proxy.url,
    { strict: false, resolve: async () => ['127.0.0.1'] },
    { bypass: [{ host: { domain: 'example.com' }, port: null }] },
  )
  const port = await receive((_, response) => response.writeHead(204).end())
  expect(await post(outbound, `http://hooks.example.com:${port}/`)).toMatchObject({ status: 204 })
  expect(proxy.asked).toEqual([])
})
