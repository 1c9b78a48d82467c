import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Entry } from '../../../packages/record/src/format/entry.js'
import {
  type SeenRequest,
  sendJson,
  startEvents,
  startUpstream,
  type Upstream,
} from '../../harness/providers/upstream.js'
import { chatAnswer, chatChunk } from '../../harness/providers/vendor-answers.js'
import { verifyRecord } from '../../harness/record/record.js'
import { pick, random } from '../../harness/run/seed.js'
import { startTestGateway, type TestGateway } from '../../harness/service/gateway.js'

// A thousand calls over three targets that fail in every way, at random, under a hard budget. One more target is forbidden.

const calls = 1_000
const callers = 24
const small = 'gpt-4o-mini'

let gateway: TestGateway
const upstreams = new Map<string, Upstream>()

type Behaviour = (response: ServerResponse, wantsStream: boolean) => void

// No more than the request can have used: a provider that bills more than that is believed, and would pass any budget.
const usage = { prompt_tokens: 9, completion_tokens: 20, total_tokens: 29 }

function streamWell(response: ServerResponse): void {
  const send = startEvents(response)
  send(chatChunk({ role: 'assistant', content: '' }))
  send(chatChunk({ content: 'fine' }))
  send(chatChunk({}, 'stop'))
  send({ ...chatChunk({}), choices: [], usage })
  send('[DONE]')
  response.end()
}

const behaviours: Behaviour[] = [
  (response) => sendJson(response, 429, { error: { message: 'too many' } }),
  (response) => sendJson(response, 429, { error: { message: 'too many' } }, { 'retry-after': '0' }),
  (response) => sendJson(response, 500, { error: { message: 'broken' } }),
  (response) => sendJson(response, 503, { error: { message: 'overloaded' } }),
  (response) => sendJson(response, 400, { error: { message: 'what is this?' } }),
  (response) => void response.destroy(),
  (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('garbage {'),
  // The head of an answer, and no more.
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' })
    response.write('{"choices":')
    setImmediate(() => response.destroy())
  },
  // A stream that breaks before its content, and one that breaks after some.
  (response) => {
    startEvents(response)(chatChunk({ role: 'assistant', content: '' }))
    setImmediate(() => response.destroy())
  },
  (response) => {
    const send = startEvents(response)
    send(chatChunk({ role: 'assistant', content: '' }))
    send(chatChunk({ content: 'half of it' }))
    setImmediate(() => response.destroy())
  },
  (response) => {
    startEvents(response)({ error: { message: 'overloaded', type: 'server_error' } })
    response.end()
  },
  (response) => {
    const send = startEvents(response)
    send(chatChunk({ content: 'without an end' }, 'stop'))
    send({ ...chatChunk({}), choices: [], usage })
    response.end()
  },
]

const answerWell: Behaviour = (response, wantsStream) => {
  if (wantsStream) streamWell(response)
  else sendJson(response, 200, { ...chatAnswer({ content: 'fine' }), usage })
}

function misbehave({ body }: SeenRequest, response: ServerResponse): void {
  const act = random() < 0.5 ? pick(behaviours) : answerWell
  act(response, body.stream === true)
}

beforeAll(async () => {
  for (const name of ['a', 'b', 'c', 'forbidden']) upstreams.set(name, await startUpstream(misbehave))
  gateway = await startTestGateway({
    providers: () =>
      Object.fromEntries(
        [...upstreams].map(([name, { url }]) => [
          name,
          { type: 'openai', baseUrl: `${url}/v1`, apiKey: 'sk-x', pricesOf: 'openai' },
        ]),
      ),
  })
})
afterAll(async () => {
  await gateway.stop()
  for (const upstream of upstreams.values()) await upstream.close()
})

/** One answer, or one clear error: never both, never neither. */
async function judgeAnswer(response: Response, wantsStream: boolean): Promise<void> {
  const text = await response.text()
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  if (!isStream) {
    const body = JSON.parse(text)
    expect(body.choices !== undefined).toBe(response.status === 200)
    expect(typeof body.error?.message === 'string').toBe(response.status !== 200)
    return
  }
  expect(wantsStream).toBe(true)
  expect(text.match(/"role":"assistant"/g)?.length ?? 0).toBeLessThanOrEqual(1)
  const events = text.split('\n\n').filter((event) => event.startsWith('data: '))
  const failures = events.filter((event) => event.includes('"error"'))
  const isComplete = events.some(
    (event) => event.includes('[DONE]') || event.includes('"finish_reason":"stop"'),
  )
  expect(failures.length).toBe(isComplete ? 0 : 1)
}

test('every caller gets one answer or one clear error; receipts are what the targets saw; no budget is passed; nothing forbidden is reached', async () => {
  const { api, database } = gateway.service
  const names = ['a', 'forbidden', 'b', 'c']
  const { body: route } = await api.post('/v1/routes', {
    name: 'storm',
    strategy: 'weighted',
    targets: names.map((name) => ({ model: `${name}/${small}`, weight: name === 'forbidden' ? 1_000 : 1 })),
    retry: { attempts: 3, on: ['connect', 'timeout', '429', '5xx'] },
    timeoutMs: 600_000,
  })
  expect(route.id).toMatch(/^route_/)
  const { body: key } = await api.post('/v1/keys', {
    name: 'storm',
    allowedModels: ['a', 'b', 'c'].map((name) => `${name}/${small}`),
  })
  // Less than all of it costs.
  const amountUsd = 0.02
  await api.post('/v1/budgets', {
    name: 'storm',
    scope: { type: 'key', id: key.id },
    amountUsd,
    period: 'total',
  })

  const statuses = new Map<number, number>()
  const answered: string[] = []
  let begun = 0
  async function callOn(): Promise<void> {
    while (begun < calls) {
      begun++
      const stream = random() < 0.5
      const body = {
        model: 'storm',
        messages: [{ role: 'user', content: 'Hello!' }],
        max_tokens: 200,
        stream,
      }
      const response = await gateway.send('/v1/chat/completions', body, { key: key.key })
      answered.push(response.headers.get('x-tallystick-request-id') ?? '')
      await judgeAnswer(response, stream)
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: callers }, callOn))

  const rows = await database.query<{ canonical: string }>('select canonical from receipts order by seq')
  const receipts = rows
    .map(({ canonical }): Entry => JSON.parse(canonical))
    .filter((entry) => entry.kind === 'model')
  const forwarded = receipts.filter(({ outcome }) => outcome !== 'blocked')
  for (const name of ['a', 'b', 'c']) {
    const seen = upstreams.get(name)?.seen.length
    expect(forwarded.filter(({ provider }) => provider === name).length, name).toBe(seen)
  }
  expect(upstreams.get('forbidden')?.seen.length).toBe(0)

  const byCall = new Map<string, Entry[]>()
  for (const receipt of receipts) {
    const id = receipt.call ?? receipt.id
    byCall.set(id, [...(byCall.get(id) ?? []), receipt])
  }
  expect(new Set(byCall.keys())).toEqual(new Set(answered))
  expect(answered.length).toBe(calls)
  for (const attempts of byCall.values()) {
    expect(attempts.map(({ attempt = 1 }) => attempt)).toEqual(attempts.map((_, i) => i + 1))
    // Only the last one may have been seen by its caller.
    for (const { outcome } of attempts.slice(0, -1)) expect(outcome).toBe('upstream_error')
  }
  expect(Math.max(...[...byCall.values()].map(({ length }) => length))).toBe(4)

  const spent = receipts.reduce((sum, { costNanos = 0 }) => sum + costNanos, 0)
  expect(spent).toBeLessThanOrEqual(amountUsd * 1e9)
  expect(statuses.get(200)).toBeGreaterThan(0)
  expect(statuses.get(402)).toBeGreaterThan(0)
  const { body: usage } = await api.get('/v1/usage?range=24h')
  expect(Math.round(usage.totals.spendUsd * 1e9)).toBe(spent)
  expect(usage.totals.requests).toBe(receipts.length)
  await verifyRecord(gateway.service.database)
})
