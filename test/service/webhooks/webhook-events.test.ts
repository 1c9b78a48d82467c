import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Db, newId, openDatabase } from '../../../packages/service/src/db/index.js'
import type { Ledger } from '../../../packages/service/src/record/index.js'
import { projectCalls } from '../../../packages/service/src/reporting/calls/index.js'
import { projectUsage } from '../../../packages/service/src/reporting/usage/index.js'
import { checkSpikes } from '../../../packages/service/src/resources/webhooks/alerts/spikes.js'
import { checkThresholds } from '../../../packages/service/src/resources/webhooks/alerts/thresholds.js'
import { noCapacity } from '../../../packages/service/src/resources/webhooks/delivery/endpoint-queues.js'
import { projectWebhooks } from '../../../packages/service/src/resources/webhooks/index.js'
import { newToolReceipt } from '../../harness/mcp/tool-receipt.js'
import {
  createLedgerBench,
  type LedgerBench,
  newReceipt,
  type TestReceipt,
} from '../../harness/record/ledger.js'
import { findFaultsOf } from '../../harness/service/check-documented-deliveries.js'

let bench: LedgerBench
let ledger: Ledger
let db: Db
let closeDb: () => Promise<void>
let tenantId: string
let otherTenantId: string

beforeAll(async () => {
  bench = await createLedgerBench({ tenants: 2 })
  ;[tenantId = '', otherTenantId = ''] = bench.tenantIds
  const subscriptions = { mayHave: () => true, forget: () => undefined }
  const claimOnInsert = () => ({ capacity: noCapacity, start: () => undefined })
  ledger = await bench.open({
    projections: [projectUsage, projectCalls, projectWebhooks(subscriptions, { claimOnInsert })],
  })
  const database = openDatabase(bench.database.url, () => undefined)
  db = database.db
  closeDb = database.close
})
afterAll(async () => {
  await closeDb()
  await bench.close()
})
beforeEach(async () => {
  for (const table of [
    'webhook_deliveries',
    'webhook_occurrences',
    'webhook_endpoints',
    'folded_spend_days',
    'folded_usage_hours',
    'folded_usage_minutes',
    'usage_deltas',
    'calls',
  ])
    await query(`delete from ${table}`)
  await query(`update budgets set deleted_at = now()`)
  await listen(['budget.threshold_reached', 'policy.violation', 'anomaly.usage_spike'])
})

const query = (text: string, values: unknown[] = []) => bench.database.query(text, values)

async function listen(events: string[], { tenant = tenantId, enabled = true } = {}): Promise<string> {
  const id = newId('whe')
  await query(
    `insert into webhook_endpoints (id, tenant_id, name, url, type, events, enabled)
     values ($1, $2, 'x', 'http://127.0.0.1:9/', 'generic', $3, $4)`,
    [id, tenant, events, enabled],
  )
  return id
}

async function addBudget(fields: {
  amountUsd: number
  period?: string
  pct?: number
  action?: string
  scope?: [string, string]
  name?: string
}): Promise<string> {
  const id = newId('bud')
  const [type, scopeId] = fields.scope ?? ['tenant', tenantId]
  await query(
    `insert into budgets (id, tenant_id, name, scope_type, scope_id, amount_nanos, period, threshold_pct, action)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      id,
      tenantId,
      fields.name ?? id,
      type,
      scopeId,
      fields.amountUsd * 1e9,
      fields.period ?? 'monthly',
      fields.pct ?? 80,
      fields.action ?? 'block',
    ],
  )
  return id
}

const raise = (id: string, amountUsd: number) =>
  query('update budgets set amount_nanos = $2 where id = $1', [id, amountUsd * 1e9])

const spend = (usd: number, draft: Partial<TestReceipt['draft']> = {}, tenant = tenantId) =>
  ledger.append(newReceipt(tenant, { costNanos: usd * 1e9, ...draft }))

async function told(event = 'budget.threshold_reached') {
  const rows = await bench.database.query<{ data: string }>(
    `select data from webhook_deliveries where event = $1
     order by (data::json ->> 'spent_usd')::numeric, (data::json ->> 'receipt_seq')::int, data`,
    [event],
  )
  const told = rows.map(({ data }) => JSON.parse(data))
  // As the document describes it.
  expect(told.flatMap((data) => findFaultsOf(event, data))).toEqual([])
  return told
}
const spentWhenTold = async () => (await told()).map(({ spent_usd }) => spent_usd)

describe('a budget', () => {
  test('is spent by calls of tools too', async () => {
    await addBudget({ name: 'tools', amountUsd: 10 })
    const call = (usd: number, key: string) =>
      ledger.append(newToolReceipt(tenantId, { costNanos: usd * 1e9, key }))
    await call(7.9, 'key_early')
    expect(await told()).toEqual([])
    await call(0.1, 'key_crossing')
    expect(await told()).toMatchObject([{ virtual_key_id: 'key_crossing', spent_usd: 8 }])
  })

  test('alerts when its spend crosses the threshold, once, and says by whose call', async () => {
    await addBudget({ name: 'research', amountUsd: 10 })
    await spend(7.9, { key: 'key_early' })
    expect(await told()).toEqual([])
    await spend(0.1, { key: 'key_crossing' })
    for (let i = 0; i < 20; i++) await spend(1, { key: 'key_late' })
    const alerts = await told()
    expect(alerts).toEqual([
      {
        message: 'Budget "research" has reached 80 % of USD 10: USD 8 spent',
        virtual_key_id: 'key_crossing',
        spent_usd: 8,
        budget_usd: 10,
        threshold_pct: 80,
        budget: {
          id: expect.stringMatching(/^bud_/),
          name: 'research',
          scope: { type: 'tenant', id: expect.any(String) },
        },
      },
    ])
    expect(Object.keys(alerts[0])).toEqual([
      'message',
      'virtual_key_id',
      'spent_usd',
      'budget_usd',
      'threshold_pct',
      'budget',
    ])
  })

  test('is as exact as a micro-dollar', async () => {
    await addBudget({ amountUsd: 0.000_003, pct: 67 })
    await spend(0.000_002)
    expect(await told()).toEqual([])
    await spend(0.000_001)
    expect(await spentWhenTold()).toEqual([0.000003])
  })

  test('of any scope and action alerts, and only for its own', async () => {
    await addBudget({ amountUsd: 1, scope: ['key', 'key_1'], name: 'key' })
    await addBudget({ amountUsd: 1, scope: ['user', 'ann'], name: 'user', action: 'alert' })
    await addBudget({ amountUsd: 1, scope: ['team', 'team_1'], name: 'team' })
    await addBudget({ amountUsd: 1, scope: ['key', 'key_2'], name: 'another key' })
    await addBudget({ amountUsd: 100, name: 'far away' })
    await spend(1, { key: 'key_1', user: 'ann', team: 'team_1' })
    expect((await told()).map(({ message }) => message.split('"')[1]).toSorted()).toEqual([
      'key',
      'team',
      'user',
    ])
  })

  test('alerts anew in the next period, by the time of the call', async () => {
    await addBudget({ amountUsd: 1, period: 'daily', name: 'day' })
    await addBudget({ amountUsd: 3, pct: 100, period: 'monthly', name: 'month' })
    await addBudget({ amountUsd: 4, pct: 100, period: 'total', name: 'total' })
    for (const ts of [
      '2026-03-30T23:59:59.999Z',
      '2026-03-31T00:00:00.000Z',
      '2026-03-31T12:00:00.000Z',
      '2026-04-01T00:00:00.000Z',
    ])
      await spend(1, { ts })
    expect((await told()).map(({ message, spent_usd }) => [message.split('"')[1], spent_usd])).toEqual([
      ['day', 1],
      ['day', 1],
      ['day', 1],
      ['month', 3],
      ['total', 4],
    ])
  })

  test('that is raised stays quiet while its spend is over the new threshold too', async () => {
    const id = await addBudget({ amountUsd: 10 })
    await spend(9)
    await raise(id, 11)
    await spend(1)
    expect(await spentWhenTold()).toEqual([9])
  })

  test('that is raised above its spend is armed again, however quickly it is crossed', async () => {
    const id = await addBudget({ amountUsd: 10 })
    await spend(8)
    await raise(id, 20)
    await spend(4)
    await spend(4)
    await spend(4)
    expect(await spentWhenTold()).toEqual([8, 16])
    await raise(id, 40)
    await spend(20)
    expect((await told()).map(({ budget_usd }) => budget_usd)).toEqual([10, 20, 40])
  })

  test('a grant arms it the same way, and counts as part of the budget', async () => {
    const id = await addBudget({ amountUsd: 10 })
    await spend(8)
    await query(
      `insert into budget_requests (id, tenant_id, budget_id, amount_nanos, reason, status, requested_key, granted_nanos, granted_period)
       values ($1, $2, $3, 10000000000, 'x', 'approved', 'k', 10000000000, date_trunc('month', now() at time zone 'UTC') at time zone 'UTC')`,
      [newId('breq'), tenantId, id],
    )
    await spend(7.9)
    expect(await spentWhenTold()).toEqual([8])
    await spend(0.1)
    expect((await told()).map(({ spent_usd, budget_usd }) => [spent_usd, budget_usd])).toEqual([
      [8, 10],
      [16, 20],
    ])
  })

  test('lowered and raised again over the same threshold does not alert twice for it', async () => {
    const id = await addBudget({ amountUsd: 10 })
    await spend(8)
    for (const amount of [5, 10, 5, 10]) {
      await raise(id, amount)
      await spend(0.1)
      await checkThresholds(db)
    }
    expect(await spentWhenTold()).toEqual([8])
  })

  test('that comes back to a threshold it was told of does not alert for it again', async () => {
    const id = await addBudget({ amountUsd: 10 })
    await spend(8)
    await raise(id, 20)
    await spend(8)
    await raise(id, 40)
    await checkThresholds(db)
    await raise(id, 20)
    await checkThresholds(db)
    await spend(1)
    expect(await spentWhenTold()).toEqual([8, 16])
  })

  test('crossed by a hundred calls in one group alerts once', async () => {
    await addBudget({ amountUsd: 10 })
    await Promise.all(Array.from({ length: 100 }, (_, i) => spend(1, { key: `key_${i}` })))
    expect(await told()).toHaveLength(1)
    const [alert] = await told()
    // The first to be recorded after which the sum was over it: the eighth.
    const [eighth] = await bench.database.query<{ canonical: string }>(
      'select canonical from receipts where tenant_id = $1 order by seq desc offset 92 limit 1',
      [tenantId],
    )
    expect(alert.virtual_key_id).toBe(JSON.parse(eighth?.canonical ?? '{}').key)
  })

  test('that nobody listens to is told of once somebody does', async () => {
    await query('delete from webhook_endpoints')
    await addBudget({ amountUsd: 1 })
    await spend(1)
    await listen(['policy.violation'])
    await listen(['budget.threshold_reached'], { enabled: false })
    await spend(1)
    expect(await query('select 1 from webhook_occurrences')).toEqual([])
    await listen(['budget.threshold_reached'])
    await checkThresholds(db)
    await checkThresholds(db)
    expect(await told()).toHaveLength(1)
  })

  test('of one tenant is no news for another', async () => {
    await listen(['budget.threshold_reached'], { tenant: otherTenantId })
    await addBudget({ amountUsd: 1 })
    await spend(1, {}, otherTenantId)
    expect(await told()).toEqual([])
    await spend(1)
    const rows = await bench.database.query('select tenant_id from webhook_deliveries')
    expect(rows).toEqual([{ tenant_id: tenantId }])
  })
})

describe('the periodic check', () => {
  test('finds a budget that was lowered below its spend, and names the key that spent last', async () => {
    const id = await addBudget({ amountUsd: 100 })
    await spend(10, { key: 'key_last' })
    await checkThresholds(db)
    expect(await told()).toEqual([])
    await raise(id, 12)
    await checkThresholds(db)
    await checkThresholds(db)
    await spend(1)
    expect(await told()).toMatchObject([{ virtual_key_id: 'key_last', spent_usd: 10, budget_usd: 12 }])
  })

  test.each([
    { scope: ['session', 'run-1'] as const },
    { scope: ['session', '*'] as const },
    { scope: ['tag', 'project=alpha'] as const },
    { scope: ['tag', 'project=*'] as const },
  ])(
    'names the key that spent where a budget of a $scope is over its threshold when it is made',
    async ({ scope }) => {
      const filed = { session: 'run-1', tags: { project: 'alpha' } }
      await spend(4, { key: 'key_before', ...filed })
      await spend(5, { key: 'key_that_spent', ...filed })
      await spend(1, { key: 'key_elsewhere', session: 'run-2', tags: { project: 'beta' } })
      await spend(0, { key: 'key_free', ...filed })
      await addBudget({ amountUsd: 10, scope: [...scope] })
      await checkThresholds(db)
      expect(await told()).toMatchObject([{ virtual_key_id: 'key_that_spent', spent_usd: 9 }])
    },
  )

  test('arms what was raised, so that the next crossing is told even if no receipt told it', async () => {
    const id = await addBudget({ amountUsd: 10 })
    await spend(8)
    await raise(id, 20)
    await checkThresholds(db)
    await query('delete from usage_deltas')
    await query(
      `insert into folded_spend_days values ($1, 'tenant', $1, (now() at time zone 'UTC')::date, 17000000000)`,
      [tenantId],
    )
    await checkThresholds(db)
    await checkThresholds(db)
    expect(await spentWhenTold()).toEqual([8, 17])
  })
})

describe('pools and caps', () => {
  test('a team’s pool and a user’s cap alert at 80 % of the month', async () => {
    const team = newId('team')
    await query(
      `insert into teams (id, tenant_id, name, budget_pool_nanos) values ($1, $2, $3, 10000000000)`,
      [team, tenantId, team],
    )
    await query(`insert into members (tenant_id, user_id, budget_cap_nanos) values ($1, 'ann', 5000000000)`, [
      tenantId,
    ])
    await query(`insert into members (tenant_id, user_id) values ($1, 'uncapped')`, [tenantId])
    await spend(4, { user: 'ann', team })
    await spend(3.9, { user: 'uncapped', team })
    await spend(1, { user: 'ann', team })
    expect(await told()).toMatchObject([
      {
        message: 'The cap of user "ann" has reached 80 % of USD 5: USD 4 spent',
        budget_usd: 5,
        threshold_pct: 80,
      },
      {
        message: `The pool of team "${team}" has reached 80 % of USD 10: USD 8.9 spent`,
        budget_usd: 10,
        threshold_pct: 80,
      },
    ])
  })
})

describe('a violation', () => {
  test('by a call of a tool says which tool it was', async () => {
    const blocked = { outcome: 'blocked' as const, costNanos: 0, key: 'key_7' }
    const fails = (name: string, policy?: string) => ({
      checks: [
        { name, applicable: true, result: 'fail' as const, action: 'block', ...(policy && { policy }) },
      ],
    })
    await ledger.append(newToolReceipt(tenantId, { ...blocked, ...fails('tool_allowlist') }))
    await ledger.append(newToolReceipt(tenantId, { ...blocked, ...fails('pii', 'pol_gone@2') }))
    // No violations: a budget, and a failure of the server.
    await ledger.append(newToolReceipt(tenantId, { ...blocked, ...fails('budget') }))
    await ledger.append(newToolReceipt(tenantId, { outcome: 'upstream_error', rpcCode: -32603 }))
    const about = { virtual_key_id: 'key_7', user_id: null, policy_name: null, model: 'files__read' }
    expect(await told('policy.violation')).toEqual([
      {
        ...about,
        message: 'A call to the tool files__read was blocked: it is not in the allowlist',
        ...{ check: 'tool_allowlist', policy_id: null, receipt_seq: expect.any(Number) },
      },
      {
        ...about,
        message: 'Policy "pol_gone" (pii) blocked a call to the tool files__read',
        ...{ check: 'pii', policy_id: 'pol_gone', receipt_seq: expect.any(Number) },
      },
    ])
  })

  const passed = { name: 'rate_limit', applicable: true, result: 'pass' as const }
  const failed = (name: string, policy?: string) => ({
    name,
    applicable: true,
    result: 'fail' as const,
    action: 'block',
    ...(policy !== undefined && { policy }),
  })
  const block = (...checks: NonNullable<TestReceipt['draft']['checks']>) =>
    spend(0, { outcome: 'blocked', status: 403, checks: [passed, ...checks], model: 'gpt-4o', user: 'ann' })

  test('of a policy is told with the policy’s name, however its id is written', async () => {
    const id = newId('pol')
    await query(
      `insert into policies (id, tenant_id, name, kind, config, scope_type, scope_id, phase, action)
       values ($1, $2, $3, 'secrets', '{}', 'tenant', $2, 'input', 'block')`,
      [id, tenantId, `No secrets ${id}`],
    )
    const { seq } = await block(failed('secrets', `${id}@3`))
    await block(failed('secrets', id))
    await block(failed('secrets', 'pol_unknown'))
    const alerts = await told('policy.violation')
    expect(alerts[0]).toEqual({
      message: `Policy "No secrets ${id}" (secrets) blocked a call to the model gpt-4o`,
      virtual_key_id: 'key_1',
      user_id: 'ann',
      policy_id: id,
      policy_name: `No secrets ${id}`,
      check: 'secrets',
      model: 'gpt-4o',
      receipt_seq: seq,
    })
    expect(alerts.slice(1)).toMatchObject([
      { policy_id: id, policy_name: `No secrets ${id}` },
      { policy_id: 'pol_unknown', policy_name: null },
    ])
  })

  test('is each blocked call, once', async () => {
    await Promise.all(
      Array.from({ length: 30 }, () => block(failed('model_allowlist'), failed('pii', 'pol_x'))),
    )
    expect(await told('policy.violation')).toHaveLength(30)
    expect(await query('select 1 from webhook_occurrences')).toHaveLength(30)
  })

  test.each([
    ['a budget', [failed('budget'), failed('model_allowlist')]],
    ['a suspension', [failed('user_status'), failed('secrets', 'pol_x')]],
    ['a fault of our own', []],
    ['a policy that only flags', [{ ...failed('pii', 'pol_x'), action: 'flag' }]],
  ])('is not what %s refused', async (_, checks) => {
    await block(...checks)
    expect(await told('policy.violation')).toEqual([])
  })

  test('is not a call that went through', async () => {
    await spend(0, { outcome: 'ok', checks: [failed('pii', 'pol_x')] })
    await spend(0, { outcome: 'redacted', checks: [{ ...failed('pii', 'pol_x'), action: 'redact' }] })
    expect(await told('policy.violation')).toEqual([])
  })

  test('that is replayed is not told again', async () => {
    const receipt = newReceipt(tenantId, { outcome: 'blocked', checks: [failed('model_allowlist')] })
    await ledger.append(receipt)
    const { seq } = await ledger.append(receipt).catch(() => ({ seq: null }))
    expect(seq).not.toBe(0)
    expect(await told('policy.violation')).toHaveLength(1)
  })
})

describe('a usage spike', () => {
  const now = new Date('2026-05-20T10:30:15.000Z')
  const count = async (table: 'hours' | 'minutes', at: string, requests: number) =>
    query(
      `insert into folded_usage_${table} (tenant_id, ${table.slice(0, -1)}, key_id, user_id, team_id, provider, model, requests)
       values ($1, $2, 'k', '', '', 'p', 'm', $3)`,
      [tenantId, at, requests],
    )
  const spikes = () => told('anomaly.usage_spike')

  test('is at least 20 calls and three times the mean of 24 hours, told once in a clock hour', async () => {
    await count('hours', '2026-05-19T09:00:00Z', 100)
    await count('hours', '2026-05-20T08:00:00Z', 140)
    await count('minutes', '2026-05-20T09:31:00Z', 10)
    await count('minutes', '2026-05-20T10:30:00Z', 19)
    await checkSpikes(db, now)
    expect(await spikes()).toEqual([])
    await count('minutes', '2026-05-20T10:29:00Z', 1)
    await checkSpikes(db, now)
    await checkSpikes(db, new Date('2026-05-20T10:30:59.000Z'))
    expect(await spikes()).toEqual([
      {
        message: '30 calls in the last hour, against 10 an hour in the 24 hours before',
        requests_last_hour: 30,
        baseline_per_hour: 10,
        ratio: 3,
        hour: '2026-05-20T10:00:00.000Z',
      },
    ])
    await count('minutes', '2026-05-20T11:00:00Z', 40)
    await checkSpikes(db, new Date('2026-05-20T11:00:00.000Z'))
    expect((await spikes()).map(({ hour }) => hour)).toEqual([
      '2026-05-20T10:00:00.000Z',
      '2026-05-20T11:00:00.000Z',
    ])
  })

  test('needs 20 calls even over nothing, and is a number then too', async () => {
    await count('minutes', '2026-05-20T10:00:00Z', 19)
    await checkSpikes(db, now)
    expect(await spikes()).toEqual([])
    await count('minutes', '2026-05-20T10:01:00Z', 2)
    await checkSpikes(db, now)
    expect(await spikes()).toMatchObject([{ requests_last_hour: 21, baseline_per_hour: 0, ratio: 21 }])
  })

  test('counts neither what is older than the last hour nor what is older than its baseline', async () => {
    await count('hours', '2026-05-19T08:00:00Z', 1_000_000)
    await count('minutes', '2026-05-20T09:30:00Z', 1_000_000)
    await count('hours', '2026-05-20T09:00:00Z', 1_000_000)
    await count('minutes', '2026-05-20T10:00:00Z', 25)
    await checkSpikes(db, now)
    expect(await spikes()).toMatchObject([{ requests_last_hour: 25, baseline_per_hour: 0 }])
  })

  test('is no news for who does not listen to it', async () => {
    await query('delete from webhook_endpoints')
    await listen(['policy.violation'])
    await count('minutes', '2026-05-20T10:00:00Z', 25)
    await checkSpikes(db, now)
    expect(await spikes()).toEqual([])
  })
})
