import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../../packages/service/src/db/index.js'
import { createMinutePruner } from '../../../packages/service/src/reporting/usage/index.js'
import { reportUsage } from '../../../packages/service/src/reporting/usage/reports/report.js'
import { createTestDatabase } from '../../harness/service/database.js'
import { startTestService, type TestService } from '../../harness/service/service.js'

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
  ['mtd', 'day', null],
])('%s without a call has all of its points, each of them zero', async (range, interval, points) => {
  const { status, body } = await service.api.get(`/v1/usage?range=${range}`)
  expect(status).toBe(200)
  expect(body).toMatchObject({ range, interval, totals: nothing, groups: [] })
  // Of a month, as many as it had days when it was read.
  expect(body.series).toHaveLength(points ?? new Date(Date.parse(body.to) - 1).getUTCDate())
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
    `insert into folded_usage_hours (tenant_id, hour, key_id, user_id, team_id, provider, model, requests, cost_nanos)
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
    ['folded_usage_minutes', 'minute'],
    ['folded_usage_hours', 'hour'],
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

describe('questions that finance asks', () => {
  const get = (query: string, as = service.api) => as.get(`/v1/usage?${query}`)

  test('names stand beside ids, and a second dimension beside the first', async () => {
    const { body: team } = await service.api.post('/v1/team/teams', { name: 'Research', budgetPoolUsd: 9 })
    const { body: key } = await service.api.post('/v1/keys', {
      name: 'notebook',
      userId: 'ada',
      teamId: team.id,
    })
    const call = { model: 'mock/echo', messages: [{ role: 'user', content: 'hello' }] }
    await service.as(key.key).post('/v1/chat/completions', call)
    const { body } = await get(`groupBy=team,model&range=24h&teamId=${team.id}`)
    expect(body.groups).toEqual([
      { key: team.id, name: 'Research', second: { key: 'mock/echo' }, ...body.totals },
    ])
    expect(body.rest).toBeNull()
    const byKey = await get(`groupBy=key&range=24h&keyId=${key.id}`)
    expect(byKey.body.groups[0]).toMatchObject({ key: key.id, name: 'notebook' })
    expect((await get('groupBy=user&range=24h&userId=ada')).body.groups[0]).toMatchObject({
      key: 'ada',
      name: null,
    })
  })

  test('a table has its filters as columns and in the name of the file', async () => {
    const { body: team } = await service.api.post('/v1/team/teams', { name: 'Sales', budgetPoolUsd: 9 })
    const { body: key } = await service.api.post('/v1/keys', { name: 'crm', teamId: team.id })
    const call = { model: 'mock/echo', messages: [{ role: 'user', content: 'hello' }] }
    await service.as(key.key).post('/v1/chat/completions', call)
    const query = `range=24h&groupBy=key&teamId=${team.id}&keyId=${key.id}&model=mock/echo&minCostUsd=0&format=csv`
    const response = await fetch(`${service.address}/v1/usage?${query}`, {
      headers: { authorization: `Bearer ${service.managerKey}` },
    })
    const day = String.raw`\d{4}-\d\d-\d\d`
    expect(response.headers.get('content-disposition')).toMatch(
      new RegExp(
        `^attachment; filename="usage-${day}-${day}-team-${team.id}-key-${key.id}-model-mock_echo-min_cost_usd-0.csv"$`,
      ),
    )
    const [header = '', line = ''] = (await response.text()).split('\r\n')
    expect(header).toMatch(/^from,to,team_id,team_name,model,min_cost_usd,key_id,key_name,requests,/)
    expect(line.split(',').slice(2, 9)).toEqual([team.id, 'Sales', 'mock/echo', '0', key.id, 'crm', '1'])
  })

  test.each(['keyId', 'userId', 'teamId', 'policyId'])(
    'an unknown %s is refused with its name, in each report and format',
    async (filter) => {
      for (const path of ['/v1/usage?', '/v1/usage?format=csv&', '/v1/usage/latency?']) {
        const { status, body } = await service.api.get(`${path}${filter}=nobody_1`)
        expect({ path, status, body }).toMatchObject({
          status: 400,
          body: { error: { type: 'invalid_request' } },
        })
        expect(body.error.message).toContain(filter)
      }
    },
  )

  test('what was deleted, or has no calls, can be asked for', async () => {
    const { body: team } = await service.api.post('/v1/team/teams', { name: 'Gone', budgetPoolUsd: 9 })
    const { body: key } = await service.api.post('/v1/keys', { name: 'gone', userId: 'someone.new' })
    expect((await service.api.delete(`/v1/team/teams/${team.id}`)).status).toBeLessThan(300)
    expect((await service.api.delete(`/v1/keys/${key.id}`)).status).toBeLessThan(300)
    for (const filter of [`teamId=${team.id}`, `keyId=${key.id}`, 'userId=someone.new'])
      for (const path of ['/v1/usage', '/v1/usage/latency', '/v1/calls'])
        expect((await service.api.get(`${path}?${filter}`)).status).toBe(200)
  })

  test('a table has a header, and is a file of its own', async () => {
    const response = await fetch(`${service.address}/v1/usage?range=last-month&groupBy=team&format=csv`, {
      headers: { authorization: `Bearer ${service.managerKey}` },
    })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="usage-\d{4}-\d\d-01-\d{4}-\d\d-01\.csv"$/,
    )
    expect(await response.text()).toBe(
      'from,to,team_id,team_name,requests,input_tokens,output_tokens,total_tokens,spend_usd,blocked,rate_limited,errors,avg_latency_ms,p50_latency_ms,p95_latency_ms\r\n',
    )
  })

  test.each([
    ['from=2026-11-01&range=7d', 'range: cannot be combined with from and to'],
    ['to=2026-11-01', 'from: is required with `to`'],
    ['from=2026-11-02&to=2026-11-01', 'to: must be after `from`, because it is exclusive'],
    ['from=2199-01-01', 'from: must be between 2000 and 2100'],
    ['from=2026-02-30', 'from: must be'],
    ['from=yesterday', 'from: must be'],
    ['timeZone=Mars', 'timeZone: must be the name of a time zone'],
    ['timeZone=%2B01:00', 'timeZone: must be the name of a time zone'],
    ['groupBy=team,model,user', 'groupBy: must be at most two dimensions'],
    ['groupBy=team,team', 'groupBy: has the same dimension twice'],
    ['groupBy=tag.', 'groupBy: must be one of'],
    ['groupBy=team&groupBy=model', 'groupBy: may be'],
    ['range=90d&interval=minute', 'interval: makes more than 2200 points'],
    ['interval=year', 'interval: must be one of'],
    ['outcome=fine', 'outcome: must be one of'],
    ['tag.=x', 'tag.: unknown'],
    ['minCostUsd=0.0000000001', 'minCostUsd: has more than nine decimal places'],
  ])('%s is refused in words', async (query, words) => {
    const { status, body } = await get(query)
    expect(status).toBe(400)
    expect(JSON.stringify(body.error.details ?? body.error.message)).toContain(words.split(': ')[1])
    expect(body.error.message).toContain(words.split(':')[0])
  })

  test('a day of another time zone is its own', async () => {
    const { body } = await get('from=2026-10-25&to=2026-10-26&timeZone=Europe/Berlin&interval=hour')
    expect(body).toMatchObject({
      range: null,
      from: '2026-10-24T22:00:00.000Z',
      to: '2026-10-25T23:00:00.000Z',
      timeZone: 'Europe/Berlin',
    })
    expect(body.series).toHaveLength(25)
  })

  test.each([
    ['from=2026-11-02&to=2026-11-09', '2026-10-26T00:00:00.000Z', '2026-11-02T00:00:00.000Z'],
    // Seven days, one of which has 25 hours.
    [
      'from=2026-10-26&to=2026-11-02&timeZone=Europe/Berlin',
      '2026-10-18T22:00:00.000Z',
      '2026-10-25T23:00:00.000Z',
    ],
    [
      'from=2026-11-02T10:00:00Z&to=2026-11-02T10:30:00Z',
      '2026-11-02T09:30:00.000Z',
      '2026-11-02T10:00:00.000Z',
    ],
  ])('%s is compared with the span before', async (query, from, to) => {
    const { body } = await get(`${query}&compare=previous`)
    expect(body.previous).toMatchObject({ from, to, change: { requests: 0, spendPct: null } })
  })

  test('a member that asks for another person is told of nobody', async () => {
    const { body: key } = await service.api.post('/v1/keys', { name: 'of ben', userId: 'ben' })
    const { status, body } = await get('range=24h&userId=ada&groupBy=session', service.as(key.key))
    expect(status).toBe(200)
    expect(body).toMatchObject({ totals: nothing, groups: [] })
  })
})

describe('what is not known is not left out in silence', () => {
  const insertHour = (hour: string, columns: Record<string, string | number>) =>
    service.database.query(
      `insert into folded_usage_hours (tenant_id, hour, key_id, user_id, team_id, provider, model, ${Object.keys(columns).join(', ')})
       select id, $1, 'old', '', '', 'p', 'm', ${Object.keys(columns).map((_, i) => `$${i + 2}`)} from tenants limit 1`,
      [hour, ...Object.values(columns)],
    )

  test('calls that are not kept one by one are told by whole hours only', async () => {
    await insertHour('2026-01-06T10:00:00Z', { outcome: 'ok', requests: 4, cost_nanos: 5 })
    for (const query of [
      'to=2026-01-06T10:30:00Z',
      'to=2026-01-07&session=s',
      'to=2026-01-07&timeZone=Asia/Kolkata&interval=hour',
    ]) {
      const { status, body } = await service.api.get(`/v1/usage?from=2026-01-06&${query}`)
      expect(status, query).toBe(400)
      expect(body.error.message).toContain(
        'Choose a later `from`. Or ask for whole hours of UTC, without `session`',
      )
    }
    const { body } = await service.api.get('/v1/usage?from=2026-01-06&to=2026-01-06T11:00:00Z')
    expect(body.totals.requests).toBe(4)
  })

  test('refusals of an hour count where it begins, and with no filter that they do not have', async () => {
    await insertHour('2026-01-08T10:00:00Z', { rate_limited: 6 })
    const refusedIn = async (query: string) =>
      (await service.api.get(`/v1/usage?${query}`)).body.totals.rateLimited
    const day = 'from=2026-01-08&to=2026-01-09'
    expect(await refusedIn('from=2026-01-08T10:00:00.001Z&to=2026-01-08T12:00:00Z')).toBe(0)
    expect(await refusedIn('from=2026-01-08T09:00:00Z&to=2026-01-08T10:00:01Z')).toBe(6)
    expect(await refusedIn(`${day}&keyId=old`)).toBe(6)
    const { body: other } = await service.api.post('/v1/keys', { name: 'other' })
    expect(await refusedIn(`${day}&keyId=${other.id}`)).toBe(0)
    expect(await refusedIn(`${day}&tag.project=alpha`)).toBe(0)
    expect(await refusedIn(`${day}&outcome=ok`)).toBe(0)
  })

  test('more groups than are listed are added up in one', async () => {
    await service.database.query(
      `insert into folded_usage_hours (tenant_id, hour, key_id, user_id, team_id, provider, model, requests, cost_nanos, input_tokens)
       select id, '2026-01-10T10:00:00Z', 'k', 'u' || n, '', 'p', 'm', 1, n, 2 from tenants, generate_series(1, 1005) as n
       where id = (select id from tenants limit 1)`,
    )
    const { body } = await service.api.get('/v1/usage?from=2026-01-10&to=2026-01-11&groupBy=user')
    expect(body.groups).toHaveLength(1_000)
    expect(body.groups[0]).toMatchObject({ key: 'u1005', spendUsd: 1005e-9 })
    expect(body.rest).toMatchObject({ groups: 5, requests: 5, inputTokens: 10, spendUsd: 15e-9 })
    expect(body.totals.requests).toBe(1_005)
  })
})

test('no text that a caller chose is a formula in a spreadsheet', async () => {
  const call = { model: 'mock/echo', messages: [{ role: 'user', content: 'hi' }] }
  const formulas = ['=1+1', '+1+1', '-1+1', '@SUM(A1)', '＝1+1', '＋1', '－1+1', '＠SUM(A1)', '\u200b=1+1']
  for (const text of formulas) {
    const header = Buffer.from(`cell=${text}`).toString('latin1')
    const { status } = await service.api.post('/v1/chat/completions', call, { 'x-tallystick-tags': header })
    expect(status).toBe(200)
  }
  const { body } = await service.api.get('/v1/usage?range=1h&groupBy=tag.cell&format=csv')
  const cells = String(body)
    .split('\r\n')
    .map((line) => line.split(',')[2])
  expect(cells).toEqual(expect.arrayContaining(formulas.map((text) => `'${text}`)))
})
