import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startEvents } from '../../harness/providers/upstream.js'
import {
  chatChunk,
  chatCostNanos,
  chatUsageChunk,
  messageEvents,
  responseEvents,
  textBlock,
} from '../../harness/providers/vendor-answers.js'
import { waitFor } from '../../harness/run/wait.js'
import {
  commitmentTo,
  makeGate,
  readPieces,
  shareTestGateway,
  type TestGateway,
} from '../../harness/service/gateway.js'

let gateway: TestGateway

beforeAll(async () => {
  gateway = await shareTestGateway()
})
afterAll(() => gateway.stop())

const chatCall = { model: 'gpt-4o-mini', stream: true, messages: [{ role: 'user', content: 'Hello!' }] }
const dialects = {
  chat: { path: '/v1/chat/completions', body: chatCall },
  responses: { path: '/v1/responses', body: { model: 'gpt-4o-mini', stream: true, input: 'Hello!' } },
  messages: { path: '/v1/messages', body: { ...chatCall, model: 'claude-sonnet-4-6', max_tokens: 100 } },
}

const formatEvents = (events: { type: string }[]): string =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
const formatChunks = (...chunks: object[]): string =>
  chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')

/** Sends the text as the body of an event stream, in pieces of the given size, each in a packet of its own. */
async function sendPieces(
  response: ServerResponse,
  text: string,
  size = Number.POSITIVE_INFINITY,
): Promise<void> {
  const bytes = Buffer.from(text)
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  for (let at = 0; at < bytes.length; at += size) {
    await new Promise((resolve) =>
      response.write(bytes.subarray(at, Math.min(bytes.length, at + size)), resolve),
    )
  }
  response.end()
}

describe('events are relayed as they come', () => {
  test('the first reaches the caller while the provider still holds the second', async () => {
    const gate = makeGate()
    gateway.upstream.answerWith(async (_, response) => {
      const send = startEvents(response)
      send(chatChunk({ content: 'first' }))
      await gate.passed
      send(chatChunk({ content: 'second' }, 'stop'))
      send('[DONE]')
      response.end()
    })
    const pieces = readPieces(await gateway.send('/v1/chat/completions', chatCall))
    expect(await pieces.until((text) => text.includes('first'))).not.toContain('second')
    gate.open()
    expect(await pieces.until(() => false)).toContain('second')
  })

  test('headers come before the first event, with the rate limits of the key', async () => {
    const gate = makeGate()
    gateway.upstream.answerWith(async (_, response) => {
      const send = startEvents(response)
      response.flushHeaders()
      await gate.passed
      send('[DONE]')
      response.end()
    })
    const key = await gateway.key({ rpmLimit: 60, tpmLimit: 100_000 })
    const response = await gateway.send('/v1/chat/completions', { ...chatCall, max_tokens: 50 }, { key })
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(response.headers.get('x-ratelimit-remaining-requests')).toBe('59')
    expect(response.headers.get('x-tallystick-request-id')).toMatch(/^req_/)
    gate.open()
    await response.text()
  })

  const streams = {
    chat: `: a comment\n\n${formatChunks(chatChunk({ content: 'Grüße, 世界 😀' }), chatChunk({}, 'stop'))}data: [DONE]\n\n`,
    messages: formatEvents(messageEvents([textBlock('Grüße, ', '世界 😀')])),
    responses: formatEvents(responseEvents('Grüße, ', '世界 😀')),
    'chat with CR LF': `: ping\r\n\r\ndata: ${JSON.stringify(chatChunk({ content: 'a' }, 'stop'))}\r\n\r\ndata: [DONE]\r\n\r\n`,
    'messages with data over several lines, ids and a retry': `id: 1\nretry: 5\nevent: message_start\ndata: {"type":"message_start",\ndata: "message":{"model":"m","usage":{"input_tokens":1,"output_tokens":1}}}\n\n${formatEvents(
      [
        { type: 'ping' },
        { type: 'message_delta', usage: { output_tokens: 2 } },
        { type: 'message_stop' },
      ] as { type: string }[],
    )}`,
  }
  test.each(Object.entries(streams))(
    '%s: the same bytes arrive, whether they came at once or one by one',
    async (name, stream) => {
      const { path, body } = name.startsWith('chat')
        ? dialects.chat
        : name === 'responses'
          ? dialects.responses
          : dialects.messages
      for (const size of [Number.POSITIVE_INFINITY, 7, 1]) {
        gateway.upstream.answerWith((_, response) => sendPieces(response, stream, size))
        const response = await gateway.send(path, body)
        expect(await response.text()).toBe(stream)
        const receipt = await gateway.receiptOf(response)
        expect(receipt).toMatchObject({
          outcome: 'ok',
          status: 200,
          stream: true,
          response: commitmentTo(receipt, stream),
        })
      }
    },
  )

  test('a provider that closes without a closing event is believed once it said that it was done', async () => {
    const stream = `data: ${JSON.stringify(chatChunk({ content: 'all' }, 'stop'))}\n\n`
    gateway.upstream.answerWith((_, response) => sendPieces(response, stream))
    const response = await gateway.send('/v1/chat/completions', chatCall)
    expect(await response.text()).toBe(stream)
    expect(await gateway.receiptOf(response)).toMatchObject({ outcome: 'ok' })
  })

  test('a last event without its blank line still reaches the caller whole', async () => {
    const stream = `${formatChunks(chatChunk({ content: 'all' }, 'stop'))}data: [DONE]`
    gateway.upstream.answerWith((_, response) => sendPieces(response, stream))
    const response = await gateway.send('/v1/chat/completions', chatCall)
    expect(await response.text()).toBe(`${stream}\n\n`)
    expect(await gateway.receiptOf(response)).toMatchObject({ outcome: 'ok' })
  })
})

describe('usage in a chat stream', () => {
  const said = [chatChunk({ content: 'Hi' }), chatChunk({}, 'stop')]
  const answer = (response: ServerResponse) =>
    sendPieces(response, `${formatChunks(...said, chatUsageChunk)}data: [DONE]\n\n`)

  test('is asked for and taken out again when the caller did not ask', async () => {
    gateway.upstream.answerWith((_, response) => answer(response))
    const response = await gateway.send(
      '/v1/chat/completions',
      '{ "model":"gpt-4o-mini", "messages":[],\n"stream":true }',
    )
    expect(await response.text()).toBe(`${formatChunks(...said)}data: [DONE]\n\n`)
    expect(gateway.upstream.seen.at(-1)?.raw.toString()).toBe(
      '{ "model":"gpt-4o-mini", "messages":[],\n"stream":true,"stream_options":{"include_usage":true} }',
    )
    expect(await gateway.receiptOf(response)).toMatchObject({
      inputTokens: 1_000,
      cachedTokens: 400,
      outputTokens: 200,
      costNanos: chatCostNanos,
    })
  })

  test.each(['{"include_usage":false,"include_obfuscation":false}', 'null'])(
    'is asked for in place of %s',
    async (options) => {
      gateway.upstream.answerWith((_, response) => answer(response))
      const response = await gateway.send(
        '/v1/chat/completions',
        `{"stream_options":${options},"model":"gpt-4o-mini","messages":[],"stream":true}`,
      )
      expect(await response.text()).toBe(`${formatChunks(...said)}data: [DONE]\n\n`)
      expect(gateway.upstream.seen.at(-1)?.body.stream_options).toMatchObject({ include_usage: true })
    },
  )

  test('stays where the caller asked for it, and the request stays as it is', async () => {
    gateway.upstream.answerWith((_, response) => answer(response))
    const body =
      '{"stream": true, "stream_options": { "include_usage" : true }, "model": "gpt-4o-mini", "messages": []}'
    const response = await gateway.send('/v1/chat/completions', body)
    expect(await response.text()).toBe(`${formatChunks(...said, chatUsageChunk)}data: [DONE]\n\n`)
    expect(gateway.upstream.seen.at(-1)?.raw.toString()).toBe(body)
  })

  test('that the provider never reports is counted here', async () => {
    gateway.upstream.answerWith((_, response) =>
      sendPieces(response, `${formatChunks(...said)}data: [DONE]\n\n`),
    )
    const response = await gateway.send('/v1/chat/completions', chatCall)
    await response.text()
    // The bound of "Hello!" as a message; "Hi" is one token, and has something around it.
    expect(await gateway.receiptOf(response)).toMatchObject({
      usage: 'counted',
      inputTokens: 58,
      outputTokens: 9,
      costNanos: 58 * 150 + 9 * 600,
    })
  })
})

describe('the end of a stream', () => {
  const ends = {
    chat: { stream: `${formatChunks(chatChunk({ content: 'a' }, 'stop'))}data: [DONE]\n\n`, end: '[DONE]' },
    messages: { stream: formatEvents(messageEvents([textBlock('a')])), end: '"message_stop"' },
    responses: { stream: formatEvents(responseEvents('a')), end: '"response.completed"' },
  }
  test.each(Object.entries(ends))(
    'of %s is only seen by a caller whose receipt is in the database',
    async (name, { stream, end }) => {
      gateway.upstream.answerWith((_, response) => sendPieces(response, stream))
      const { path, body } = dialects[name as keyof typeof dialects]
      const before = stream.slice(0, stream.lastIndexOf('\n\n', stream.length - 3) + 2)
      const send = () => gateway.send(path, body)
      let seen = await callWhileLocked(send, before.length)
      // A writer gives up a lock after five seconds, and leaves the receipt to its spool: then the call says nothing.
      while (seen.lockedMs > 4_000) {
        await waitFor('the writer', async () => (await gateway.service.api.get('/readyz')).status === 200)
        seen = await callWhileLocked(send, before.length)
      }
      expect(seen.shown).toBe(before)
      expect(await seen.pieces.until((text) => text.includes(end))).toBe(stream)
      expect(await gateway.receiptOf(seen.response)).toMatchObject({ outcome: 'ok' })
    },
  )

  /** Nothing can be committed while the head of the record is locked: the end must not show until it is let go. */
  async function callWhileLocked(send: () => Promise<Response>, enough: number) {
    const locked = makeGate()
    const release = makeGate()
    const lock = holdHeads(locked.open, release.passed)
    await locked.passed
    const startedMs = performance.now()
    const response = await send()
    const pieces = readPieces(response)
    const shown = await pieces.until((text) => text.length >= enough)
    await waitFor('the writer to wait for the lock', async () => {
      const [row] = await gateway.service.database.query<{ waiting: number }>(
        `select count(*)::int as waiting from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return (row?.waiting ?? 0) > 0
    })
    release.open()
    await lock
    return { response, pieces, shown, lockedMs: performance.now() - startedMs }
  }

  async function holdHeads(locked: () => void, release: Promise<void>): Promise<void> {
    const { default: pg } = await import('pg')
    const client = new pg.Client(gateway.service.database.url)
    await client.connect()
    await client.query('begin')
    await client.query('select * from record_heads for update')
    locked()
    await release
    await client.query('rollback')
    await client.end()
  }
})

describe('a caller that reads slowly', () => {
  test('slows the provider down instead of filling our memory, and misses nothing', async () => {
    const event = `data: ${JSON.stringify(chatChunk({ content: 'x'.repeat(60_000) }))}\n\n`
    const count = 500
    let sent = 0
    gateway.upstream.answerWith(async (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (; sent < count; sent++) {
        if (!response.write(event)) await new Promise((resolve) => response.once('drain', resolve))
      }
      response.end(`${formatChunks(chatChunk({}, 'stop'), chatUsageChunk)}data: [DONE]\n\n`)
    })
    const { hostname, port } = new URL(gateway.service.address)
    const socket = connect(Number(port), hostname)
    const body = JSON.stringify(chatCall)
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${gateway.service.managerKey}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
    )
    await new Promise((resolve) => socket.once('readable', resolve))

    // The provider stops sending although nobody told it to: what is under way fits the sockets' own buffers.
    let before = -1
    await waitFor('the provider to stand still', async () => {
      const still = sent === before
      before = sent
      await new Promise((resolve) => setTimeout(resolve, 150))
      return still
    })
    // What was not sent cannot be in our memory.
    expect(sent).toBeLessThan(count / 2)

    let received = 0
    socket.on('data', (chunk) => {
      received += chunk.length
    })
    await new Promise((resolve) => socket.once('close', resolve))
    expect(received).toBeGreaterThan(count * event.length)
    expect(await gateway.nextReceipt()).toBeDefined()
  })
})
