import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, newId, openDatabase } from '../../../packages/service/src/db/index.js'
import { projectCalls } from '../../../packages/service/src/reporting/calls/index.js'
import { projectUsage } from '../../../packages/service/src/reporting/usage/index.js'
import { forecastMonth } from '../../../packages/service/src/reporting/usage/reports/forecast.js'
import { periodAt, readSpend } from '../../../packages/service/src/resources/budgets/index.js'
import { readForecasts } from '../../../packages/service/src/resources/budgets/spend/forecast.js'
import { createLedgerBench, type LedgerBench } from '../../harness/record/ledger.js'
import { pick, random } from '../../harness/run/seed.js'

// A Monday in the middle of a month; spend began five weeks before, with days of rest in it.
const now = new Date('2026-11-16T09:12:30Z')
const dayMs = 86_400_000

let bench: LedgerBench
let database: Database
let tenantId: string
let quietTenantId: string

beforeAll(async () => {
  bench = await createLedgerBench({ tenants: 2 })
  ;[tenantId = '', quietTenantId = ''] = bench.tenantIds
  database = openDatabase(bench.database.url, () => undefined)
  const ledger = await bench.open({ projections: [projectCalls, projectUsage] })
  const spend = (tenant: string, at: number, user: string) =>
    ledger.append({
      tenantId: tenant,
      commitmentKey: null,
      draft: {
        id: newId('req'),
        ts: new Date(at).toISOString(),
        kind: 'model',
        key: 'key_1',
        user,
        provider: 'openai',
        model: 'gpt-4o',
        inputTokens: 10,
        outputTokens: 10,
        costNanos: Math.floor(random() * 1e9) + 1,
        usage: 'provider',
        latencyMs: 5,
        status: 200,
        outcome: 'ok',
        checks: [],
      },
    })
  await Promise.all(
    Array.from({ length: 300 }, () => {
      const ago = Math.floor(random() * 35)
      const isRest = [0, 6].includes(new Date(now.getTime() - ago * dayMs).getUTCDay())
      return spend(tenantId, now.getTime() - (isRest ? 3 : ago) * dayMs, pick(['ann', 'ben']))
    }),
  )
  await spend(quietTenantId, now.getTime() - 2 * dayMs, 'ann')
})
afterAll(async () => {
  await database.close()
  await bench.close()
})

const read = (timeZone: string, own: { userId: string } | null = null, tenant = tenantId) =>
  forecastMonth(database.db, () => now, { tenantId: tenant, own, timeZone })

describe('the forecast of a month', () => {
  test.each([
    ['the tenant', null, 'tenant' as const],
    ['a member', { userId: 'ann' }, 'user' as const],
  ])('is that of a monthly budget of %s', async (_, own, scopeType) => {
    const scopeId = own?.userId ?? tenantId
    const account = { scopeType, scopeId, ...periodAt('monthly', now) }
    const [spent] = await readSpend(database.db, tenantId, [account])
    const [expected] = await readForecasts(
      database.db,
      tenantId,
      [account],
      [spent?.spentNanos ?? Number.NaN],
      now,
    )
    const answer = await read('UTC', own)
    expect(expected).toBeGreaterThan(spent?.spentNanos ?? 0)
    expect(Math.round(answer.spentUsd * 1e9)).toBe(spent?.spentNanos)
    expect(Math.round((answer.forecastUsd ?? 0) * 1e9)).toBe(expected)
  })

  test.each(['UTC', 'Asia/Kolkata', 'America/New_York'])('is the sum of its days in %s', async (timeZone) => {
    const { days, spentUsd, forecastUsd } = await read(timeZone)
    expect(days).toHaveLength(30)
    const sum = (values: (number | null)[]) =>
      values.reduce<number>((total, value) => total + (value ?? 0), 0)
    expect(sum(days.map((day) => day.spentUsd))).toBeCloseTo(spentUsd, 6)
    expect(sum(days.map((day) => day.forecastUsd ?? day.spentUsd))).toBeCloseTo(forecastUsd ?? 0, 6)
    expect(days.filter((day) => day.spentUsd === null)).toHaveLength(14)
    expect(days.filter((day) => day.forecastUsd !== null)).toHaveLength(15)
  })

  test('is not known with less than a week to go by', async () => {
    const { days, spentUsd, forecastUsd } = await read('UTC', null, quietTenantId)
    expect(spentUsd).toBeGreaterThan(0)
    expect([forecastUsd, ...days.map((day) => day.forecastUsd)]).toEqual(Array(31).fill(null))
  })
})
