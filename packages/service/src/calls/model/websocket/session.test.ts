import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { BodiesInFlight, type BodyAccount } from '../../../http/index.js'
import { unauthorized } from '../../../shared/errors.js'
import { defaultSocketLimits, type SocketLimits } from './limits.js'
import { SocketSession } from './session.js'
import type { SocketChannel } from './socket-caller.js'

// Real sockets, and calls that end when the test says so.

const mebibyte = 1024 * 1024
const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

interface Bench {
  session: SocketSession
  client: WebSocket
  channel: SocketChannel
  bodies: BodiesInFlight
  closed: Promise<{ code: number; reason: string }>
  received: string[]
  /** The messages that became calls. */
  calls: string[]
  /** Ends the call that is under way. */
  end(isFault?: boolean): void
}

async function open(limits: Partial<SocketLimits> = {}, autoPong = true): Promise<Bench> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sockets = new WebSocketServer({ noServer: true, autoPong: false, maxPayload: 32 * mebibyte })
  const bodies = new BodiesInFlight({
    totalBytes: 64 * mebibyte,
    perTenantBytes: 64 * mebibyte,
    perKeyBytes: 64 * mebibyte,
  })
  const received: string[] = []
  const calls: string[] = []
  let end = (_: { isFault: boolean }) => {}
  const made = new Promise<{ session: SocketSession; channel: SocketChannel }>((resolve) => {
    server.on('upgrade', (request, stream, head) => {
      if (!(stream instanceof Socket)) return
      sockets.handleUpgrade(request, stream, head, (webSocket) => {
        const lines: SocketChannel[] = []
        const session = new SocketSession(webSocket, stream, {
          limits: { ...defaultSocketLimits, ...limits },
          openAccount: () => bodies.open({ tenantId: 'acme', keyId: 'ann', userId: null }),
          makeCalls: (channel) => {
            lines.push(channel)
            return { start, forget: () => undefined }
          },
          track: () => undefined,
        })
        const [channel] = lines
        if (channel) resolve({ session, channel })
      })
    })
  })
  function start(raw: Buffer, account: BodyAccount) {
    calls.push(raw.toString())
    const done = new Promise<{ isFault: boolean }>((resolve) => {
      end = resolve
    }).finally(() => account.release())
    return { done, hasBegun: () => false }
  }
  const { port } = server.address() as AddressInfo
  const client = new WebSocket(`ws://127.0.0.1:${port}`, { autoPong })
  client.on('message', (data) => received.push(String(data)))
  client.on('error', () => undefined)
  const closed = once(client, 'close').then(([code, reason]) => ({ code, reason: String(reason) }))
  await once(client, 'open')
  stops.push(() => {
    client.terminate()
    server.close()
  })
  return {
    ...(await made),
    ...{ client, bodies, closed, received, calls },
    end: (isFault = false) => end({ isFault }),
  }
}

async function until(look: () => boolean): Promise<void> {
  while (!look()) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** Everything sent before has been read. */
async function settle({ client }: Pick<Bench, 'client'>): Promise<void> {
  client.ping()
  await once(client, 'pong')
}

test('a peer that answers pings stays, one that does not is gone by the next', async () => {
  const alive = await open()
  const dead = await open({}, false)
  alive.session.check()
  dead.session.check()
  await settle(alive)
  alive.session.check()
  dead.session.check()
  expect(await dead.closed).toEqual({ code: 1006, reason: '' })
  expect(alive.client.readyState).toBe(WebSocket.OPEN)
})

test('a socket on which nothing is asked for long is closed, but not while a call is under way', async () => {
  const bench = await open({ idleMs: -1 })
  bench.client.send('call')
  await until(() => bench.calls.length === 1)
  bench.session.check()
  await settle(bench)
  bench.end()
  await settle(bench)
  bench.session.check()
  expect(await bench.closed).toMatchObject({ code: 1001 })
})

test('calls run one after the other; what waits is given back when the socket ends', async () => {
  const bench = await open()
  for (const text of ['one', 'two', 'three']) bench.client.send(text)
  await settle(bench)
  expect(bench.calls).toEqual(['one'])
  expect(bench.bodies.totalBytes).toBeGreaterThanOrEqual('onetwothree'.length)
  bench.end()
  await until(() => bench.calls.length === 2)
  bench.session.end(1001, 'bye')
  bench.end()
  expect(await bench.closed).toEqual({ code: 1001, reason: 'bye' })
  expect(bench.calls).toEqual(['one', 'two'])
  await until(() => bench.bodies.totalBytes === 0)
})

test('a caller that may call no more is told so while its call goes on, and its socket is closed', async () => {
  const bench = await open({ revokedMs: 20 })
  bench.client.send('call')
  await until(() => bench.calls.length === 1)
  bench.session.revoke(unauthorized())
  expect(await bench.closed).toMatchObject({ code: 1008 })
  expect(bench.received.map((text) => JSON.parse(text))).toMatchObject([{ type: 'error', status: 401 }])
  expect(bench.channel.isOpen()).toBe(false)
  bench.end()
})

test('a peer that does not close its side is not waited for', async () => {
  const bench = await open({ closeMs: 20 })
  bench.client.pause()
  bench.session.end(1001, 'bye')
  await until(() => bench.bodies.totalBytes === 0 && !bench.channel.isOpen())
  bench.client.resume()
  await bench.closed
})

test('a call that is slow to end when all are let go is still told how it ended', async () => {
  const bench = await open({ closeMs: 20 })
  bench.client.send('call')
  await until(() => bench.calls.length === 1)
  bench.session.end(1001, 'bye')
  bench.session.terminateIfIdle()
  bench.channel.send('its end')
  bench.end()
  expect(await bench.closed).toEqual({ code: 1001, reason: 'bye' })
  expect(bench.received).toEqual(['its end'])
})

test('a peer that pings and does not read is written to no more than its buffers hold', async () => {
  const bench = await open()
  const payload = Buffer.alloc(125)
  // Fills what the system buffers on the way, so that what is written from now on waits.
  bench.client.pause()
  while (!bench.channel.needsDrain()) {
    bench.channel.send('x'.repeat(mebibyte))
    await new Promise((resolve) => setImmediate(resolve))
  }
  // The system may still find room for some of it.
  for (let i = 0; i < 8; i++) bench.channel.send('x'.repeat(mebibyte))
  for (let i = 0; i < 20_000; i++) bench.client.ping(payload)
  bench.client.send('after them')
  await until(() => bench.bodies.totalBytes === 'after them'.length)
  let pongs = 0
  bench.client.on('pong', () => pongs++)
  bench.client.resume()
  await until(() => bench.calls.length === 1)
  await settle(bench)
  expect(pongs).toBe(1)
})

test('messages in a row that are no calls end the socket, with those that could not be read', async () => {
  const bench = await open({ faults: 3 })
  bench.client.send(Buffer.from([1]))
  bench.client.send('unreadable')
  await until(() => bench.calls.length === 1)
  bench.end(true)
  bench.client.send('a call')
  await until(() => bench.calls.length === 2)
  bench.end()
  for (let i = 0; i < 3; i++) bench.client.send(Buffer.from([1]))
  expect(await bench.closed).toMatchObject({ code: 1008 })
  expect(bench.received).toHaveLength(4)
})

test('what has come of a message is counted, whatever comes between its parts', async () => {
  const bench = await open()
  bench.client.send('x'.repeat(10_000), { fin: false })
  for (let i = 0; i < 2_000; i++) bench.client.pong(Buffer.alloc(i % 125))
  await settle(bench)
  expect(bench.bodies.totalBytes).toBeGreaterThanOrEqual(10_000)
  expect(bench.bodies.totalBytes).toBeLessThan(10_100)
  bench.client.send('y', { fin: true })
  await until(() => bench.calls.length === 1)
  expect(bench.bodies.totalBytes).toBe(10_001)
  bench.end()
})
