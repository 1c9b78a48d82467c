import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/db/index.js'
import { createMinutePruner } from '../../src/modules/usage/index.js'
import { reportUsage } from '../../src/modules/usage/report.js'
import { createTestDatabase } from '../harness/database.js'
import { startTestService, type TestService } from '../harness/service.js'

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const nothing = {
  requests: 0,
  inputTokens: 0,
  outputTokens: 0,
  totalTokens: 0,
  spendUsd: 0,
  blocked: 0,
  rateLimited: 0,
  errors: 0,
  avgLatencyMs: 0,
  p50LatencyMs: 0,
  p95LatencyMs: 0,
}

test.each([
  ['1h', 'minute', 60],
  ['24h', 'hour', 24],
  ['7d', 'day', 7],
  ['30d', 'day', 30],
  ['90d', 'day', 90],
  ['mtd', 'day', new Date().getUTCDate()],
])('%s without a call has all of its points, each of them zero', async (range, interval, points) => {
  const { status, body } = await service.api.get(`/v1/usage?range=${range}`)
  expect(status).toBe(200)
  expect(body).toMatchObject({ range, interval, totals: nothing, groups: [] })
  expect(body.series).toHaveLength(points)
  expect(body.series[0].ts).toBe(body.from)
  for (const { ts, ...figures } of body.series) expect(figures, ts).toEqual(nothing)
})

test('any valid key reads it, for thirty days and by model unless it says otherwise', async () => {
  const { body: member } = await service.api.post('/v1/keys', { name: 'member' })
  const call = { model: 'mock/echo', messages: [{ role: 'user', content: 'two words' }] }
  expect((await service.as(member.key).post('/v1/chat/completions', call)).status).toBe(200)
  const { status, body } = await service.as(member.key).get('/v1/usage')
  expect(status).toBe(200)
  expect(body).toMatchObject({ range: '30d', interval: 'day' })
  expect(body.groups).toEqual([{ key: 'mock/echo', ...body.totals }])
  expect(body.totals).toMatchObject({
    requests: 1,
    inputTokens: 2,
    outputTokens: 2,
    totalTokens: 4,
    spendUsd: 0.000006,
  })
})

test('calls that have no user are told under null', async () => {
  const { body } = await service.api.get('/v1/usage?range=1h&groupBy=user')
  expect(body.groups.map((group: { key: string | null }) => group.key)).toEqual([null])
})

test('a range, grouping or parameter that does not exist is refused', async () => {
  for (const query of ['range=1y', 'groupBy=colour', 'rangee=7d', 'range=']) {
    const { status, body } = await service.api.get(`/v1/usage?${query}`)
    expect(status, query).toBe(400)
    expect(body.error.type).toBe('invalid_request')
  }
})

test('a call without a valid key is refused', async () => {
  const { status } = await service.as('tallystick_sk_nonsense').get('/v1/usage')
  expect(status).toBe(401)
})

test('usage of another tenant is not in it', async () => {
  await service.database.query(
    `insert into usage_hours (tenant_id, hour, key_id, user_id, team_id, provider, model, requests, cost_nanos)
     values ('tenant_other', date_trunc('hour', now()), 'k', '', '', 'p', 'theirs', 7, 7000000)`,
  )
  const { body } = await service.api.get('/v1/usage?range=24h')
  expect(body.groups.map((group: { key: string }) => group.key)).toEqual(['mock/echo'])
})

test('a report whose reading takes until after midnight ends at midnight', async () => {
  const { db, close } = openDatabase(service.database.url, () => undefined)
  const moments = [new Date('2026-02-28T23:59:59.999Z'), new Date('2026-03-01T00:00:00.005Z')]
  const now = () => moments.shift() ?? new Date(0)
  const report = await reportUsage(db, now, { own: null, tenantId: 'none', range: 'mtd', groupBy: 'model' })
  expect(report).toMatchObject({ from: '2026-02-01T00:00:00.000Z', to: '2026-03-01T00:00:00.000Z' })
  expect(report.series).toHaveLength(28)
  await close()
})

test('replicas that prune at once keep two hours by the minute and all of the hours', async () => {
  const database = await createTestDatabase()
  const { db, close } = openDatabase(database.url, () => undefined)
  const now = new Date('2026-06-01T12:00:30Z')
  for (const [table, column] of [
    ['usage_minutes', 'minute'],
    ['usage_hours', 'hour'],
  ]) {
    await database.query(
      `insert into ${table} (tenant_id, ${column}, key_id, user_id, team_id, provider, model)
       select 't', date_trunc('minute', $1::timestamptz) - i * interval '1 minute', 'k', '', '', 'p', 'm'
       from generate_series(0, 600) i`,
      [now],
    )
  }
  const faults: unknown[] = []
  const onError = (fault: unknown) => faults.push(fault)
  const pruners = Array.from({ length: 5 }, () => createMinutePruner({ db, now: () => now, onError }))
  await Promise.all(pruners.map((pruner) => pruner.close()))
  const count = async (table: string) =>
    (await database.query<{ n: number }>(`select count(*)::int as n from ${table}`))[0]?.n
  expect(await count('usage_minutes')).toBe(120)
  expect(await count('usage_hours')).toBe(601)
  expect(faults).toEqual([])
  await close()
  await database.drop()
})
