import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../harness/service/service.js'

const days = 90
const combinations = 50
const callsPerRow = 93

let service: TestService
let firstMs: number

beforeAll(async () => {
  service = await startTestService()
  // Ten million calls of ninety days: fifty combinations of key, user and model in each hour.
  await service.database.query(
    `insert into folded_usage_hours (tenant_id, hour, key_id, user_id, team_id, provider, model, requests, input_tokens,
       output_tokens, cost_nanos, latency_ms, latency_buckets)
     select t.id, date_trunc('day', now(), 'UTC') - interval '89 days' + h * interval '1 hour', 'key_' || c % 25,
       'user_' || c % 10, 'team_' || c % 3, 'openai', 'model-' || c % 8, $1::integer, 92000, 40000, 123457, 140000,
       
       (select sum(power(10::numeric, 12 * bucket)) from generate_series(25, 44) as bucket) + ($1::integer - 20) * 1e540
     from tenants t, generate_series(0, $2::integer * 24 - 1) h, generate_series(0, $3::integer - 1) c`,
    [callsPerRow, days, combinations],
  )
  await service.database.query('analyze folded_usage_hours')
  const [first] = await service.database.query<{ hour: Date }>('select min(hour) as hour from usage_hours')
  firstMs = first?.hour.getTime() ?? Number.NaN
})
afterAll(() => service.stop())

test('ninety days of ten million calls are told without a look at the receipts', async () => {
  const blocker = new pg.Client(service.database.url)
  await blocker.connect()
  // Whoever as much as plans a query on the receipts now waits until this is rolled back.
  await blocker.query('begin; lock table receipts in access exclusive mode')
  try {
    for (const groupBy of ['model', 'key']) {
      const { status, body } = await service.api.get(`/v1/usage?range=90d&groupBy=${groupBy}`)
      expect(status).toBe(200)
      // All ninety days, or one less when midnight has passed since they were written.
      const daysBefore = (Date.parse(body.from) - firstMs) / 86_400_000
      expect([0, 1]).toContain(daysBefore)
      const rows = (days - daysBefore) * 24 * combinations
      expect(body.totals).toMatchObject({ requests: rows * callsPerRow, spendUsd: (rows * 123_457) / 1e9 })
      expect(body.series).toHaveLength(days)
      expect(body.groups).toHaveLength(groupBy === 'model' ? 8 : 25)
    }
  } finally {
    await blocker.end()
  }
})
