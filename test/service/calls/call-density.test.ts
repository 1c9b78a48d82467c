import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Api } from '../../harness/service/api.js'
import { startTestService, type TestService } from '../../harness/service/service.js'

let service: TestService
let api: Api
let ada: { id: string; key: string }

const call = (by: Api, model: string, headers: Record<string, string> = {}) =>
  by.post('/v1/chat/completions', { model, messages: [{ role: 'user', content: 'Hi' }] }, headers)

beforeAll(async () => {
  service = await startTestService()
  api = service.api
  ada = (await api.post('/v1/keys', { name: 'of ada', userId: 'ada', allowedModels: ['mock/echo'] })).body
  for (const _ of [1, 2, 3]) await call(api, 'mock/echo', { 'x-tallystick-session': 'run 1' })
  await call(api, 'mock/fail')
  await call(service.as(ada.key), 'mock/echo')
  await call(service.as(ada.key), 'mock/slow')
})
afterAll(() => service.stop())

const density = async (query = '', by = api) => (await by.get(`/v1/calls/density?${query}`)).body
const list = async (query = '', by = api) => (await by.get(`/v1/calls?limit=200&${query}`)).body.data

test('the buckets add up to the list, by outcome and in dollars, whatever the filter and the number of buckets', async () => {
  for (const filter of [
    '',
    'outcome=ok',
    `keyId=${ada.id}`,
    'session=run%201',
    'model=mock/echo',
    'provider=mock&outcome=upstream_error',
    'minCostUsd=0.000000001',
    'outcome=aborted',
  ])
    for (const buckets of [1, 7, 500]) {
      const calls: { outcome: string; costUsd: number; ts: string }[] = await list(filter)
      const answer = await density(`${filter}&buckets=${buckets}`)
      const outcomes: Record<string, number> = {}
      for (const { outcome } of calls) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
      expect(answer).toMatchObject({ total: calls.length, outcomes })
      expect(answer.costUsd).toBeCloseTo(
        calls.reduce((sum, { costUsd }) => sum + costUsd, 0),
        9,
      )
      const expected = new Map<number, number>()
      for (const { ts } of calls) {
        // Whole numbers until the division: divided by `bucketMs`, a call on the edge may fall into the bucket before.
        const [at, from, to] = [ts, answer.from, answer.to].map((time) => Date.parse(time)) as [
          number,
          number,
          number,
        ]
        const place = Math.min(Math.floor(((at - from) * buckets) / (to - from)), buckets - 1)
        expected.set(place, (expected.get(place) ?? 0) + 1)
      }
      const counted = answer.buckets.map((bucket: { index: number; calls: number }) => [
        bucket.index,
        bucket.calls,
      ])
      expect(new Map(counted)).toEqual(expected)
    }
})

test('a span is cut into equal parts, its end is not in it, and one call is found by its id', async () => {
  const [newest] = await list()
  const from = new Date(Date.parse(newest.ts) - 60_000).toISOString()
  expect(
    await density(`from=${from}&to=${newest.ts}&buckets=60&requestId=${newest.requestId}`),
  ).toMatchObject({
    from,
    to: newest.ts,
    bucketMs: 1_000,
    total: 0,
    buckets: [],
  })
  const to = new Date(Date.parse(newest.ts) + 1).toISOString()
  expect((await density(`from=${from}&to=${to}&requestId=${newest.requestId}`)).buckets).toMatchObject([
    { index: 119, calls: 1 },
  ])
  expect((await api.get('/v1/calls/density?from=2026-02-01&to=2026-01-01')).status).toBe(400)
})

test('a member counts its own calls alone', async () => {
  expect(await density('', service.as(ada.key))).toMatchObject({ total: 2, outcomes: { ok: 1, blocked: 1 } })
  const [{ keyId }] = await list('session=run%201')
  expect((await density(`keyId=${keyId}`, service.as(ada.key))).total).toBe(0)
})

test('a call says where its time went and how its cost comes about', async () => {
  const [{ requestId }] = await list('session=run%201')
  const { body } = await api.get(`/v1/calls/${requestId}`)
  expect(body.stages.map(({ name }: { name: string }) => name)).toEqual([
    ...['read', 'receive', 'plan', 'reserve', 'admit', 'guard', 'forward', 'answer', 'settle'],
  ])
  let end = 0
  for (const { startMs, durationMs } of body.stages) {
    expect(startMs).toBeCloseTo(end, 6)
    end = startMs + durationMs
  }
  const [read] = body.stages
  const answered = body.stages.find(({ name }: { name: string }) => name === 'settle').startMs
  expect(answered - read.durationMs).toBeLessThanOrEqual(body.latencyMs + 1)
  const lines: { usd: number; count: number; usdPerMillion: number }[] = body.costLines
  for (const { usd, count, usdPerMillion } of lines)
    expect(usd).toBeCloseTo((count * usdPerMillion) / 1e6, 12)
  const sum = lines.reduce((total, { usd }) => total + usd, 0)
  expect(body.costUsd).toBeCloseTo(Math.ceil(Math.round(sum * 1e12) / 1e3) / 1e9, 12)
})

test('a call that was blocked has the stages that it came to', async () => {
  const [{ requestId }] = await list('outcome=blocked')
  const { body } = await api.get(`/v1/calls/${requestId}`)
  const names = body.stages.map(({ name }: { name: string }) => name)
  expect(names).toContain('admit')
  expect(names).not.toContain('forward')
})
