import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createClient } from './create-client.js'
import { TallystickError } from './errors.js'
import type { ClientOptions } from './request.js'

// The client against a server that answers as the service would, or not at all. The service itself: test/service/clients/typed-client.test.ts.

interface Seen {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}

type Answer = (response: ServerResponse) => void

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

/** Gives the answers in turn, the last one again and again. */
async function serve(answers: Answer[], options: Partial<ClientOptions> = {}) {
  const seen: Seen[] = []
  server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const { method = '', url = '', headers } = request
    seen.push({ method, url, headers, body })
    answers[Math.min(seen.length, answers.length) - 1]?.(response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = createClient({
    baseUrl: `http://127.0.0.1:${port}/behind/`,
    apiKey: 'tallystick_sk_1',
    ...options,
  })
  return { client, seen }
}

const answer =
  (status: number, body: unknown = null, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
const error = (type: string, code: number, more: object = {}) => ({
  error: { type, message: 'No', code, ...more },
})
const hangUp: Answer = (response) => response.destroy()
const stayQuiet: Answer = () => undefined
const failureOf = (promise: PromiseLike<unknown>) =>
  promise.then(
    () => undefined,
    (reason) => reason,
  )

describe('a request', () => {
  test('fills in the path, sends the body as JSON, and stays below the base URL', async () => {
    const { client, seen } = await serve([answer(200, { id: 'key_1' })])
    expect(await client.updateKey('a/b?c', { rpmLimit: 5 })).toEqual({ id: 'key_1' })
    expect(seen[0]).toMatchObject({
      method: 'PATCH',
      url: '/behind/v1/keys/a%2Fb%3Fc',
      body: '{"rpmLimit":5}',
      headers: { authorization: 'Bearer tallystick_sk_1', 'content-type': 'application/json' },
    })
  })

  test('sends the query, without what is undefined', async () => {
    const { client, seen } = await serve([answer(200, { data: [], nextCursor: null })])
    await client.listAuditLog({ action: 'key create', limit: 2 })
    expect(seen[0]?.url).toBe('/behind/v1/audit-log?action=key+create&limit=2')
  })

  test('is not sent with an empty id, which would be the path of the list', async () => {
    const { client, seen } = await serve([answer(200, {})])
    expect(() => client.getKey('')).toThrow('id must be a text that is not empty')
    expect(seen).toEqual([])
  })

  test('returns texts, nothing, and any answer as it came', async () => {
    const { client } = await serve([answer(200, 'note\n'), answer(204), answer(200, 'a,b\n')])
    expect(await client.getCheckpoint()).toBe('note\n')
    expect(await client.revokeKey('key_1')).toBeUndefined()
    const csv = await client.request('GET', '/v1/usage', { query: { format: 'csv' } })
    expect(await csv.text()).toBe('a,b\n')
  })
})

describe('a refusal', () => {
  test('has the code, the message, the request id and the time to wait', async () => {
    const { client } = await serve(
      [
        answer(429, error('rate_limit_exceeded', 429, { retry_after: 7 }), {
          'x-tallystick-request-id': 'req_1',
        }),
      ],
      { maxRetries: 0 },
    )
    const failure = await failureOf(client.getKey('key_1'))
    expect(failure).toBeInstanceOf(TallystickError)
    expect(failure).toMatchObject({
      code: 'rate_limit_exceeded',
      message: 'No',
      status: 429,
      requestId: 'req_1',
      retryAfter: 7,
    })
  })

  test('lists what is invalid', async () => {
    const details = [{ path: '/rpmLimit', message: 'must be an integer' }]
    const { client } = await serve([answer(400, error('invalid_request', 400, { details }))])
    expect(await failureOf(client.updateKey('key_1', {}))).toMatchObject({ code: 'invalid_request', details })
  })

  test('by a proxy is no answer of the service', async () => {
    const { client } = await serve([answer(403, '<h1>Forbidden</h1>')])
    expect(await failureOf(client.getCaller())).toMatchObject({
      code: 'unexpected_answer',
      status: 403,
      body: '<h1>Forbidden</h1>',
    })
    const { client: misled } = await serve([answer(200, '<h1>Welcome</h1>')])
    expect(await failureOf(misled.getCaller())).toMatchObject({ code: 'unexpected_answer' })
  })

  test('is what a redirect is: the key goes nowhere else', async () => {
    const { client, seen } = await serve([answer(302, '', { location: '/elsewhere' })], { maxRetries: 0 })
    expect(await failureOf(client.getCaller())).toMatchObject({ code: 'connection_failed' })
    expect(seen.length).toBe(1)
  })
})

describe('a request is repeated', () => {
  test('when it has no effect twice, after a failure of the network or a proxy', async () => {
    const { client, seen } = await serve([
      hangUp,
      answer(503, error('unavailable', 503)),
      answer(200, { id: 'key_1' }),
    ])
    expect(await client.getKey('key_1')).toEqual({ id: 'key_1' })
    expect(seen.length).toBe(3)
  })

  test('with the same idempotency key, where the operation has one', async () => {
    const { client, seen } = await serve([hangUp, answer(201, { id: 'key_1' })])
    await client.createKey({ name: 'nightly' })
    const keys = seen.map(({ headers }) => headers['idempotency-key'])
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(keys[1]).toBe(keys[0])
    await client.createKey({ name: 'nightly' }, { idempotencyKey: 'mine' })
    expect(seen[2]?.headers['idempotency-key']).toBe('mine')
    await client.createKey({ name: 'nightly' })
    expect(seen[3]?.headers['idempotency-key']).not.toBe(keys[0])
  })

  test('but not when it might take effect twice', async () => {
    const { client, seen } = await serve([hangUp, answer(200, {})])
    expect(await failureOf(client.updateKey('key_1', { rpmLimit: 5 }))).toMatchObject({
      code: 'connection_failed',
    })
    expect(seen.length).toBe(1)
  })

  test('unless a rate limit refused it, which is before it has any effect', async () => {
    const { client, seen } = await serve([
      answer(429, error('rate_limit_exceeded', 429)),
      answer(200, { id: 'key_1' }),
    ])
    expect(await client.updateKey('key_1', { rpmLimit: 5 })).toEqual({ id: 'key_1' })
    expect(seen.length).toBe(2)
  })

  test('as often as was asked, and not when the service says to wait for long', async () => {
    const { client, seen } = await serve([answer(502, '')], { maxRetries: 1 })
    expect(await failureOf(client.getCaller())).toMatchObject({ status: 502 })
    expect(seen.length).toBe(2)
    await failureOf(client.getCaller({ maxRetries: 0 }))
    expect(seen.length).toBe(3)
    const patient = await serve([answer(429, error('rate_limit_exceeded', 429, { retry_after: 3_600 }))])
    expect(await failureOf(patient.client.getCaller())).toMatchObject({ retryAfter: 3_600 })
    expect(patient.seen.length).toBe(1)
  })
})

describe('a request ends', () => {
  test('after its time limit, also while its answer arrives', async () => {
    const { client } = await serve([stayQuiet, (response) => void response.writeHead(200).write('{"id":')])
    const options = { timeoutMs: 100, maxRetries: 0 }
    expect(await failureOf(client.getKey('key_1', options))).toMatchObject({ code: 'timeout' })
    expect(await failureOf(client.getKey('key_1', options))).toMatchObject({ code: 'timeout' })
  })

  test('when its signal is aborted: before, during, and while it waits for its next attempt', async () => {
    const { client, seen } = await serve([
      stayQuiet,
      answer(429, error('rate_limit_exceeded', 429, { retry_after: 60 })),
    ])
    const reason = new Error('enough')
    expect(await failureOf(client.getCaller({ signal: AbortSignal.abort(reason) }))).toBe(reason)
    expect(seen.length).toBe(0)
    for (const attempts of [1, 2]) {
      const controller = new AbortController()
      const failure = failureOf(client.getCaller({ signal: controller.signal }))
      await expect.poll(() => seen.length).toBe(attempts)
      controller.abort(reason)
      expect(await failure).toBe(reason)
    }
  })
})

describe('a list', () => {
  const page = (ids: string[], nextCursor: string | null) =>
    answer(200, { data: ids.map((id) => ({ id })), nextCursor })

  test('yields the items of all pages, and requests a page when it is needed', async () => {
    const { client, seen } = await serve([page(['a', 'b'], 'next'), page([], 'last'), page(['c'], null)])
    const ids: string[] = []
    for await (const { id } of client.listKeys({ status: 'active' })) ids.push(id)
    expect(ids).toEqual(['a', 'b', 'c'])
    expect(seen.map(({ url }) => url.split('?')[1])).toEqual([
      'status=active',
      'status=active&cursor=next',
      'status=active&cursor=last',
    ])
    for await (const _ of client.listKeys()) break
    expect(seen.length).toBe(4)
  })

  test('gives its first page to await, and each page to pages()', async () => {
    const { client } = await serve([page(['a'], 'next'), page(['a'], 'next'), page(['b'], null)])
    expect(await client.listKeys()).toEqual({ data: [{ id: 'a' }], nextCursor: 'next' })
    const sizes: number[] = []
    for await (const { data } of client.listKeys().pages()) sizes.push(data.length)
    expect(sizes).toEqual([1, 1])
  })
})

describe('a stream of events', () => {
  test('yields each with its id, however the chunks are cut, and passes over comments', async () => {
    const text = ': hello\n\nevent: call\nid: 7\ndata: {"model":"é: x"}\n\nevent: bye\ndata: {}\n\n'
    const { client } = await serve([
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        for (const byte of Buffer.from(text)) response.write(Buffer.of(byte))
        response.end()
      },
    ])
    const events: unknown[] = []
    for await (const event of client.streamEvents()) events.push(event)
    expect(events).toEqual([
      { event: 'call', id: '7', data: { model: 'é: x' } },
      { event: 'bye', data: {} },
    ])
  })

  test('ends the request when the loop is left', async () => {
    let hasClosed = false
    const { client } = await serve([
      (response) => {
        response.on('close', () => {
          hasClosed = true
        })
        response.writeHead(200).write('event: hello\ndata: {}\n\n')
      },
    ])
    for await (const _ of client.streamEvents()) break
    await expect.poll(() => hasClosed).toBe(true)
  })
})
