import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createOutbound, type Outbound, type OutboundOptions } from './outbound.js'
import { parseRange } from './public-address.js'

const opened: { close(): unknown }[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()))
})

interface Receiver {
  url: string
  port: number
  connections(): number
  requests(): number
}

async function receive(listener: RequestListener): Promise<Receiver> {
  let connections = 0
  let requests = 0
  const server: Server = createServer((request, response) => {
    requests++
    listener(request, response)
  })
  server.on('connection', () => connections++)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  opened.push({
    close() {
      server.closeAllConnections()
      server.close()
    },
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    connections: () => connections,
    requests: () => requests,
  }
}

function outboundWith(options: OutboundOptions): Outbound {
  const outbound = createOutbound(options)
  opened.push(outbound)
  return outbound
}
const anywhere = () => outboundWith({ strict: false })

const post = (outbound: Outbound, url: string, timeoutMs = 600_000) =>
  outbound.post({ url, headers: { 'content-type': 'application/json' }, body: '{}', timeoutMs })

test('an answer comes with its status and its body', async () => {
  const { url } = await receive((request, response) => request.pipe(response.writeHead(202)))
  expect(await post(anywhere(), url)).toEqual({ status: 202, body: Buffer.from('{}'), complete: true })
})

test('a redirect is an answer like any other', async () => {
  const inside = await receive((_, response) => response.end())
  const { url } = await receive((_, response) => response.writeHead(307, { location: inside.url }).end())
  expect(await post(anywhere(), url)).toMatchObject({ status: 307 })
  expect(inside.connections()).toBe(0)
})

test('of an endless answer 64 KiB are read', async () => {
  const { url } = await receive((_, response) => {
    const piece = Buffer.alloc(16_384, 'x')
    const pour = () => {
      while (response.write(piece));
    }
    response.writeHead(200).on('drain', pour)
    pour()
  })
  const result = await post(anywhere(), url)
  expect(result).toMatchObject({ status: 200, complete: false })
  expect('body' in result && result.body.length).toBe(65_536)
})

test.each<[string, RequestListener]>([
  ['says nothing', () => undefined],
  [
    'drips its answer byte by byte',
    (_, response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write('x'), 20)
      response.on('close', () => clearInterval(drip))
    },
  ],
])('a receiver that %s is given up at the deadline', async (_, listener) => {
  const { url } = await receive(listener)
  expect(await post(anywhere(), url, 300)).toEqual({ failure: 'No complete answer within 0.3 s' })
})

test('a receiver that never accepts the connection fails at the deadline', async () => {
  const silent = anywhere()
  const neverResolved = outboundWith({ strict: false, resolve: () => new Promise(() => undefined) })
  expect(await post(neverResolved, 'http://hooks.example.com/', 100)).toMatchObject({
    failure: expect.stringContaining('within 0.1 s'),
  })
  expect(await post(silent, 'http://127.0.0.1:1/')).toEqual({ failure: 'The connection was refused' })
})

test('a receiver that hangs up in the middle has not answered', async () => {
  const { url } = await receive((_, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('x')
    setImmediate(() => response.destroy())
  })
  expect(await post(anywhere(), url)).toEqual({
    failure: 'The connection was closed before the answer was complete',
  })
})

test('an answer that is not HTTP is reported as such, without its content', async () => {
  const server = createTcpServer((socket) => socket.end('SSH-2.0-secret-banner\r\n'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  opened.push({ close: () => server.close() })
  const { port } = server.address() as AddressInfo
  expect(await post(anywhere(), `http://127.0.0.1:${port}/`)).toEqual({ failure: 'The answer is not HTTP' })
})

test('a receiver that does not speak TLS gets nothing in production', async () => {
  const { port } = await receive((_, response) => response.end())
  const outbound = outboundWith({ strict: true, allowedRanges: [parseRange('127.0.0.0/8')] })
  expect(await post(outbound, `https://127.0.0.1:${port}/`)).toMatchObject({
    failure: expect.stringContaining('The TLS connection failed'),
  })
})

test('proxy variables have no effect here: the configuration alone reads them', async () => {
  const proxy = await receive((_, response) => response.end())
  const { url, requests } = await receive((_, response) => response.end())
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy']
  for (const name of names) process.env[name] = `http://127.0.0.1:${proxy.port}`
  try {
    expect(await post(anywhere(), url)).toMatchObject({ status: 200 })
  } finally {
    for (const name of names) delete process.env[name]
  }
  expect(requests()).toBe(1)
  expect(proxy.connections()).toBe(0)
})

const publicAddress = '93.184.216.34'

test.each([
  ['a private address', ['10.0.0.1']],
  ['loopback', ['127.0.0.1']],
  ['public and private addresses mixed', [publicAddress, '127.0.0.1']],
  ['IPv4 within IPv6', ['::ffff:127.0.0.1']],
  ['a link-local address with its zone', ['fe80::1%eth0']],
])(
  'in production a name that leads to %s is refused when it is set, and when it is dialled',
  async (_, found) => {
    const outbound = outboundWith({ strict: true, resolve: async () => found })
    const url = 'https://hooks.example.com/'
    await expect(outbound.requireUrl(url, 'url')).rejects.toMatchObject({ type: 'invalid_webhook_url' })
    expect(await post(outbound, url)).toMatchObject({
      failure: expect.stringMatching(/^The address is refused: it must not lead to/),
    })
  },
)

test('a name that is public when it is checked and private when it is connected to reaches no host', async () => {
  const inside = await receive((_, response) => response.end())
  const answers = [[publicAddress], ['127.0.0.1']]
  const outbound = outboundWith({ strict: true, resolve: async () => answers.shift() ?? [] })
  const url = `https://rebinding.example.com:${inside.port}/`
  await outbound.requireUrl(url, 'url')
  expect(await post(outbound, url)).toMatchObject({ failure: expect.stringContaining('is refused') })
  expect(inside.connections()).toBe(0)
})

test('the address that was checked is the one that is connected to: the name is not resolved twice', async () => {
  const inside = await receive((_, response) => response.end())
  let asked = 0
  const resolve = async () => (++asked === 1 ? ['127.0.0.1'] : ['127.0.0.2'])
  const rules = { strict: true, allowedRanges: [parseRange('127.0.0.1/32')], resolve }
  await post(outboundWith(rules), `https://hooks.example.com:${inside.port}/`)
  expect({ asked, connections: inside.connections() }).toEqual({ asked: 1, connections: 1 })
})

test('an address in the URL is refused without a connection', async () => {
  const inside = await receive((_, response) => response.end())
  const outbound = outboundWith({ strict: true })
  for (const host of ['127.0.0.1', '0x7f.1', '[::ffff:127.0.0.1]']) {
    expect(await post(outbound, `https://${host}:${inside.port}/`)).toMatchObject({
      failure: expect.stringContaining('The URL is refused: it must not lead to this machine'),
    })
  }
  expect(await post(outbound, inside.url)).toEqual({
    failure: 'The URL is refused: it must be an https URL',
    isRefused: true,
  })
  expect(inside.connections()).toBe(0)
})

test('a name that does not resolve yet may be set; it is checked again when it is called', async () => {
  const resolve = async () => {
    throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
  }
  const outbound = outboundWith({ strict: true, resolve })
  await outbound.requireUrl('https://soon.example.com/', 'url')
  expect(await post(outbound, 'https://soon.example.com/')).toEqual({
    failure: 'The host name cannot be resolved',
  })
})

test('the resolver of the service knows this machine', async () => {
  const { port } = await receive((_, response) => response.writeHead(204).end())
  expect(await post(anywhere(), `http://localhost:${port}/`)).toMatchObject({ status: 204 })
})

test('by plain HTTP a name reaches an allowed range and nothing else, a public address included', async () => {
  const inside = await receive((_, response) => response.writeHead(204).end())
  const found = ['127.0.0.1']
  const allowedRanges = [parseRange('127.0.0.1/32')]
  const outbound = outboundWith({ strict: true, allowedRanges, resolve: async () => found })
  const url = `http://hooks.example.com:${inside.port}/`
  await outbound.requireUrl(url, 'url')
  expect(await post(outbound, url)).toMatchObject({ status: 204 })

  for (const address of [publicAddress, '127.0.0.2', '10.0.0.1']) {
    found.splice(0, 1, address)
    const fresh = outboundWith({ strict: true, allowedRanges, resolve: async () => found })
    await expect(fresh.requireUrl(url, 'url')).rejects.toThrow('must be an https URL')
    expect(await post(fresh, url)).toEqual({
      failure: 'The address is refused: it must be an https URL',
      isRefused: true,
    })
  }
  expect(inside.connections()).toBe(1)
})
