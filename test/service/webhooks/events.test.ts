import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EventReader, type ReadOptions, readEvents } from '../../harness/providers/event-stream.js'
import { aSecondMs, waitFor } from '../../harness/run/wait.js'
import type { TestService } from '../../harness/service/service.js'
import { shareTestService } from '../../harness/service/shared-service.js'
import { addTenant } from '../../harness/service/tenant.js'

let service: TestService
const readers: EventReader[] = []

beforeAll(async () => {
  service = await shareTestService()
})
afterAll(async () => {
  for (const reader of readers) reader.close()
  await service.stop()
})

async function listen(key = service.managerKey, options: ReadOptions = {}): Promise<EventReader> {
  const reader = await readEvents(service.address, key, options)
  readers.push(reader)
  return reader
}

const refusal = (key: string, options: ReadOptions) =>
  listen(key, options).then(
    () => null,
    (error) => error,
  )

async function call(key = service.managerKey, model = 'mock/echo', content = 'Hi'): Promise<string> {
  const { headers } = await service
    .as(key)
    .post('/v1/chat/completions', { model, messages: [{ role: 'user', content }] })
  return headers.get('x-tallystick-request-id') ?? ''
}

const create = async (fields: object = {}): Promise<{ id: string; key: string }> =>
  (await service.api.post('/v1/keys', { name: 'A key', ...fields })).body

const idsOf = (reader: EventReader) => reader.of('call').map(({ requestId }) => requestId)

test('a reader is greeted, told what it follows, and sees each call that ends', async () => {
  const reader = await listen()
  const [hello] = await reader.until('hello')
  expect(reader.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-tallystick-request-id': expect.stringMatching(/^req_/),
  })
  expect(hello).toMatchObject({
    types: ['call', 'alert', 'budget', 'provider'],
    scope: 'tenant',
    resumed: false,
    retryMs: reader.retryMs(),
  })
  expect(Math.abs(Date.parse(hello.now) - Date.now())).toBeLessThan(60_000)
  const ids = [await call(), await call(), await call()]
  await reader.until('call', 3)
  expect(idsOf(reader)).toEqual(ids)
  const { body } = await service.api.get('/v1/calls?limit=3')
  expect(reader.of('call')).toEqual(body.data.toReversed())
})

test('it goes on after the last event id, given in the header or in the address', async () => {
  const first = await listen()
  await first.until('hello')
  const ids = [await call(), await call(), await call()]
  await first.until('call', 3)
  first.close()
  const [one] = first.events.filter(({ type }) => type === 'call')
  const missed = [await call()]
  for (const options of [{ lastEventId: one?.id ?? '' }, { query: { lastEventId: one?.id ?? '' } }]) {
    const next = await listen(service.managerKey, options)
    await next.until('call', 3)
    expect(idsOf(next)).toEqual([...ids.slice(1), ...missed])
    expect(next.of('hello')[0].resumed).toBe(true)
    next.close()
  }
})

test('a caller that asks for what it may not have, or for what is not there, is told so before any event', async () => {
  const { key: member } = await create({ userId: 'ada' })
  const wrong: [number, string, ReadOptions][] = [
    [400, service.managerKey, { query: { types: 'call,weather' } }],
    [400, service.managerKey, { query: { types: '' } }],
    [400, service.managerKey, { query: { unknown: '1' } }],
    [400, service.managerKey, { query: { maxSeconds: '-1' } }],
    [400, service.managerKey, { query: { lastEventId: 'c1-a1' } }],
    [400, service.managerKey, { lastEventId: 'AAAAAAAAAAAAAAAAMS0w' }],
    [401, 'tallystick_sk_x', {}],
    [403, member, { query: { types: 'provider' } }],
  ]
  for (const [status, key, options] of wrong)
    expect({ options, ...(await refusal(key, options)) }).toMatchObject({ options, status })
})

test('an id of another tenant is as good as one that was made up', async () => {
  const stranger = await addTenant(service, 'id-stranger')
  const theirs = await listen(stranger.managerKey)
  await theirs.until('hello')
  expect(await refusal(service.managerKey, { lastEventId: theirs.lastEventId() })).toMatchObject({
    status: 400,
  })
})

test('a member sees its own calls and violations, a stranger nothing, a manager and an auditor everything of their tenant', async () => {
  const stranger = await addTenant(service, 'calls-stranger')
  const ada = await create({ userId: 'ada' })
  const bob = await create({ userId: 'bob' })
  const lone = await create()
  const auditor = await create({ role: 'auditor' })
  await service.api.post('/v1/policies', {
    name: 'No nightfall',
    kind: 'keywords',
    config: { words: ['nightfall'] },
    action: 'block',
  })
  const streams = {
    manager: await listen(),
    auditor: await listen(auditor.key),
    ada: await listen(ada.key),
    bob: await listen(bob.key),
    lone: await listen(lone.key),
    stranger: await listen(stranger.managerKey),
  }
  for (const stream of Object.values(streams)) await stream.until('hello')
  const made = {
    ada: [await call(ada.key), await call(ada.key, 'mock/echo', 'nightfall')],
    bob: [await call(bob.key)],
    lone: [await call(lone.key)],
  }
  const last = await call()
  const everything = [...made.ada, ...made.bob, ...made.lone, last]
  await streams.manager.until('call', 5)
  await streams.auditor.until('call', 5)
  expect(idsOf(streams.manager)).toEqual(everything)
  expect(idsOf(streams.auditor)).toEqual(everything)
  // Whatever the others are sent comes with what the manager has: another call of each is the end of what could come.
  for (const name of ['ada', 'bob', 'lone'] as const) {
    const id = await call({ ada, bob, lone }[name].key)
    await waitFor('the call', () => idsOf(streams[name]).includes(id))
    expect(idsOf(streams[name])).toEqual([...made[name], id])
  }
  const theirs = await call(stranger.managerKey)
  await waitFor('the call', () => idsOf(streams.stranger).includes(theirs))
  expect(idsOf(streams.stranger)).toEqual([theirs])
  expect(streams.ada.of('hello')[0]).toMatchObject({ scope: 'own', types: ['call', 'alert', 'budget'] })
  for (const stream of [streams.manager, streams.auditor, streams.ada])
    expect(stream.of('alert')).toEqual([
      expect.objectContaining({
        id: `violation:${made.ada[1]}`,
        event: 'policy.violation',
        data: expect.objectContaining({
          policy_name: 'No nightfall',
          user_id: 'ada',
          virtual_key_id: ada.id,
        }),
      }),
    ])
  for (const stream of [streams.bob, streams.lone, streams.stranger]) expect(stream.of('alert')).toEqual([])
  // Between a blocked call and its alert, both of which have an id, nothing is lost and nothing is sent again.
  const blocked = streams.manager.events.find(({ data }) => data.requestId === made.ada[1])
  const rest = await listen(service.managerKey, {
    query: { lastEventId: blocked?.id ?? '', maxSeconds: '0', types: 'call,alert' },
  })
  await rest.ended
  const [, alert, next] = rest.events
  expect([alert?.type, next?.type, next?.data.requestId]).toEqual(['alert', 'call', made.bob[0]])
})

test('types are chosen, and what is chosen comes alone', async () => {
  const { key } = await create()
  const calls = await listen(service.managerKey, { query: { types: 'call' } })
  const alerts = await listen(service.managerKey, { query: { types: 'alert,provider' } })
  await calls.until('hello')
  await alerts.until('hello')
  await call(key, 'mock/echo', 'nightfall')
  await alerts.until('alert')
  await calls.until('call')
  expect(new Set(calls.events.map(({ type }) => type))).toEqual(new Set(['hello', 'call']))
  expect(alerts.of('call')).toEqual([])
})

test('a budget is told of as it stands, then when that changes to be seen, and when it is gone; its threshold once', async () => {
  const ada = await create({ userId: 'budget-ada' })
  const bob = await create({ userId: 'budget-bob' })
  const { body: budget } = await service.api.post('/v1/budgets', {
    name: 'Of Ada',
    scope: { type: 'user', id: 'budget-ada' },
    amountUsd: 0.001,
    period: 'total',
    thresholdPct: 1,
    action: 'alert',
  })
  const query = { types: 'budget,alert' }
  const streams = [await listen(service.managerKey, { query }), await listen(ada.key, { query })]
  const other = await listen(bob.key, { query })
  for (const stream of streams) {
    const standings = await stream.until('budget')
    expect(standings.find(({ id }) => id === budget.id)).toMatchObject({
      spentUsd: 0,
      share: 0,
      deleted: false,
    })
  }
  await waitFor('a visible step', async () => {
    await call(ada.key)
    return streams.every(
      (stream) =>
        stream.of('alert').some(({ data }) => data.budget?.id === budget.id) &&
        stream.of('budget').at(-1)?.spentUsd > 0,
    )
  })
  const told = streams[0]?.of('budget').findLast(({ id }) => id === budget.id)
  expect(told.share).toBeCloseTo(told.spentUsd / 0.001, 3)
  const [manager, own] = streams
  const thresholds = (stream?: EventReader) =>
    stream?.of('alert').filter(({ event }) => event === 'budget.threshold_reached')
  // What is about the tenant, such as a spike, is not for a member.
  expect(own?.of('alert')).toEqual(thresholds(own))
  for (const stream of [manager, own])
    expect(thresholds(stream)).toEqual([
      expect.objectContaining({
        event: 'budget.threshold_reached',
        data: expect.objectContaining({ budget: expect.objectContaining({ id: budget.id }) }),
      }),
    ])
  await service.api.delete(`/v1/budgets/${budget.id}`)
  for (const stream of streams)
    await waitFor('the end of the budget', () =>
      stream.of('budget').some(({ id, deleted }) => id === budget.id && deleted),
    )
  expect(other.of('budget').filter(({ id }) => id === budget.id)).toEqual([])
  expect(other.of('alert')).toEqual([])
  // Whoever comes back hears of the alert if it was away, and of nothing twice.
  const again = await listen(service.managerKey, {
    query: { types: 'alert', lastEventId: streams[0]?.events[0]?.id ?? '', maxSeconds: '0' },
  })
  await again.ended
  expect(thresholds(again)).toEqual(thresholds(manager))
  const later = await listen(service.managerKey, {
    query: { types: 'alert', lastEventId: again.events.at(-2)?.id ?? '', maxSeconds: '0' },
  })
  await later.ended
  // A spike is told of again in each hour.
  expect(thresholds(later)).toEqual([])
})

test('a provider that fails is said to, and later that it answers again', async () => {
  const { api } = service
  await api.post('/v1/policies', {
    name: 'x',
    kind: 'keywords',
    config: { words: ['never said'] },
    action: 'flag',
  })
  const stranger = await addTenant(service, 'health-stranger')
  const reader = await listen(stranger.managerKey, { query: { types: 'provider' } })
  await reader.until('hello')
  for (let i = 0; i < 3; i++) await call(stranger.managerKey, 'mock/fail')
  await waitFor('the failure', () => reader.of('provider').at(-1)?.status === 'failing')
  expect(reader.of('provider').at(-1)).toMatchObject({ provider: 'mock', calls: 3, failed: 3 })
  for (let i = 0; i < 4; i++) await call(stranger.managerKey)
  await waitFor('the recovery', () => reader.of('provider').at(-1)?.status === 'up')
  const late = await listen(stranger.managerKey, { query: { types: 'provider', maxSeconds: '0' } })
  await late.ended
  // On a slow machine the first calls are more than a minute ago.
  const [health, ...others] = late.of('provider')
  expect(health).toMatchObject({ provider: 'mock', status: 'up', windowSeconds: 60 })
  expect(health.calls).toBeGreaterThanOrEqual(1)
  expect(health.calls).toBeLessThanOrEqual(7)
  expect(health.failed).toBe(Math.max(0, health.calls - 4))
  expect(others).toEqual([])
})

test('whoever may no longer see it loses the stream within a second, with the reason', async () => {
  const revoked = await create()
  const expiring = await create()
  const suspended = await create({ userId: 'suspended' })
  const demoted = await create({ userId: 'demoted', role: 'manager' })
  await service.api.patch('/v1/team/members/demoted/role', { role: 'manager' })
  const lesser = await create({ role: 'manager' })
  const unchanged = await listen((await create()).key)
  const cases: [string, string, string, () => Promise<unknown>][] = [
    ['a revoked key', revoked.key, 'unauthorized', () => service.api.delete(`/v1/keys/${revoked.id}`)],
    [
      'an expired key',
      expiring.key,
      'unauthorized',
      // Far enough ahead for a machine that stands still before the service reads it: what is past is refused.
      () =>
        service.api.patch(`/v1/keys/${expiring.id}`, {
          expiresAt: new Date(Date.now() + 10_000).toISOString(),
        }),
    ],
    [
      'a suspended owner',
      suspended.key,
      'user_suspended',
      () => service.api.patch('/v1/user-limits/suspended', { status: 'suspended' }),
    ],
    [
      'a demoted owner',
      demoted.key,
      'access_changed',
      () => service.api.patch('/v1/team/members/demoted/role', { role: 'member' }),
    ],
    [
      'a key of less',
      lesser.key,
      'access_changed',
      () => service.api.patch(`/v1/keys/${lesser.id}`, { role: 'member' }),
    ],
  ]
  for (const [what, key, reason, act] of cases) {
    const stream = await listen(key)
    await stream.until('hello')
    await act()
    await waitFor(`the end for ${what}`, () => stream.isEnded(), aSecondMs)
    expect({ what, ...stream.events.at(-1) }).toMatchObject({ what, type: 'error', data: { reason } })
  }
  expect(unchanged.isEnded()).toBe(false)
})

test('a key has so many streams and no more; one that ends makes room', async () => {
  const { key } = await create()
  const open = await Promise.all(Array.from({ length: 20 }, () => listen(key, { query: { types: 'call' } })))
  expect(await refusal(key, {})).toMatchObject({
    status: 429,
    headers: { 'retry-after': '5' },
    body: { error: { type: 'rate_limit_exceeded', message: expect.stringContaining('20 event streams') } },
  })
  open[0]?.close()
  await waitFor('room', async () => (await refusal(key, {})) === null)
})

test('whose session leads is not for members to know', async () => {
  const ada = await create({ userId: 'leading-ada' })
  const bob = await create({ userId: 'leading-bob' })
  const auditor = await create({ role: 'auditor' })
  const { body: budget } = await service.api.post('/v1/budgets', {
    name: 'Each session',
    scope: { type: 'session', id: '*' },
    amountUsd: 0.0001,
    action: 'alert',
  })
  const query = { types: 'budget' }
  const streams = [await listen(ada.key, { query }), await listen(auditor.key, { query })]
  for (const stream of streams) await stream.until('budget')
  const late = await service
    .as(bob.key)
    .post(
      '/v1/chat/completions',
      { model: 'mock/echo', messages: [{ role: 'user', content: 'one two three four five' }] },
      { 'x-tallystick-session': 'the run of bob' },
    )
  expect(late.status).toBe(200)
  const toldOf = (stream: EventReader) => stream.of('budget').filter(({ id }) => id === budget.id)
  for (const stream of streams)
    await waitFor('the spend', () => toldOf(stream).some(({ spentUsd }) => spentUsd > 0))
  streams.push(await listen(ada.key, { query }))
  await streams[2]?.until('budget')
  const seen = streams.map((stream) => toldOf(stream).at(-1)?.leading)
  expect(seen).toEqual([null, 'the run of bob', null])
  for (const [key, leading] of [
    [ada.key, null],
    [auditor.key, 'the run of bob'],
  ] as const) {
    const { body: one } = await service.as(key).get(`/v1/budgets/${budget.id}`)
    const { body: page } = await service.as(key).get('/v1/budgets?limit=200')
    const [listed] = page.data.filter(({ id }: { id: string }) => id === budget.id)
    expect([one.leading, listed.leading]).toEqual([leading, leading])
  }
  await service.api.delete(`/v1/budgets/${budget.id}`)
})
