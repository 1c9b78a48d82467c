import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Api } from '../../harness/service/api.js'
import { startTestService, type TestService } from '../../harness/service/service.js'

// Calls with made-up latencies, against a plain percentile over the rows of calls.

let service: TestService
let api: Api
let memberKey: string

const call = (by: Api, model: string) =>
  by.post('/v1/chat/completions', { model, messages: [{ role: 'user', content: 'Hi' }] })

beforeAll(async () => {
  service = await startTestService()
  api = service.api
  const { body } = await api.post('/v1/keys', {
    name: 'of ada',
    userId: 'ada',
    allowedModels: ['mock/echo', 'mock/fail'],
  })
  memberKey = body.key
  for (let n = 0; n < 12; n++) await call(api, 'mock/echo')
  for (let n = 0; n < 8; n++) await call(service.as(memberKey), n % 4 === 0 ? 'mock/fail' : 'mock/echo')
  await call(service.as(memberKey), 'mock/slow')
  // Spread over a day, each with another latency; the blocked one says 0.
  await service.database.query(`update calls set
    latency_ms = case when outcome = 'blocked' then 0 else (37 * seq * seq) % 9001 + 1 end,
    first_token_ms = case when outcome = 'ok' then (13 * seq) % 801 end`)
})
afterAll(() => service.stop())

interface Row {
  latency_ms: number
  first_token_ms: number | null
}

function plain(values: (number | null)[], percent: number): number | null {
  const sorted = values.filter((value) => value !== null).toSorted((a, b) => a - b)
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? null
}

function expectNear(
  told: { calls: number; p50Ms: number; p95Ms: number; p99Ms: number },
  values: (number | null)[],
) {
  expect(told.calls).toBe(values.filter((value) => value !== null).length)
  for (const [percent, read] of [
    [50, told.p50Ms],
    [95, told.p95Ms],
    [99, told.p99Ms],
  ] as const) {
    const exact = plain(values, percent) ?? 0
    expect(Math.abs(read - exact)).toBeLessThanOrEqual(exact * 0.03 + 0.05)
  }
}

const latency = async (query: string, by = api) => (await by.get(`/v1/usage/latency?${query}`)).body
const rowsWhere = (condition: string) =>
  service.database.query<Row>(`select latency_ms, first_token_ms from calls where ${condition}`)

test('percentiles in all and by group are within 3 % of a plain percentile over the calls', async () => {
  const all = await rowsWhere("outcome <> 'blocked'")
  const report = await latency('range=24h&groupBy=outcome')
  expect(report.relativeError).toBe(0.03)
  expectNear(
    report.totals.latency,
    all.map((row) => row.latency_ms),
  )
  expectNear(
    report.totals.firstToken,
    all.map((row) => row.first_token_ms),
  )
  expect(report.groups.map(({ key }: { key: string }) => key)).toEqual(['ok', 'upstream_error'])
  for (const group of report.groups)
    expectNear(
      group.latency,
      (await rowsWhere(`outcome = '${group.key}'`)).map((row) => row.latency_ms),
    )
})

test('the points of the series have the calls of their interval, and null where there was none', async () => {
  const { series, totals } = await latency('range=24h')
  expect(series).toHaveLength(24)
  const measured = series.map(({ latency }: { latency: { calls: number } }) => latency.calls)
  expect(measured.reduce((sum: number, calls: number) => sum + calls, 0)).toBe(totals.latency.calls)
  expect(series[0].latency).toEqual({ calls: 0, p50Ms: null, p95Ms: null, p99Ms: null })
})

test('filters are those of usage; blocked calls count only where they are asked for', async () => {
  expect((await latency('range=24h&outcome=blocked')).totals.latency).toMatchObject({ calls: 1, p50Ms: 0 })
  expect((await latency('range=24h&outcome=ok&userId=ada')).totals.latency.calls).toBe(6)
  expect((await latency('range=24h&model=mock/slow')).totals.latency.calls).toBe(0)
  expect((await api.get('/v1/usage/latency?format=csv')).status).toBe(400)
})

test('a member reads its own', async () => {
  expect((await latency('range=24h', service.as(memberKey))).totals.latency.calls).toBe(8)
})

test('a span of which calls are gone is refused, not answered in part', async () => {
  await service.database.query(
    "delete from calls where seq = (select max(seq) from calls where outcome = 'ok')",
  )
  expect(await latency('range=24h')).toMatchObject({ error: { type: 'invalid_request' } })
})
