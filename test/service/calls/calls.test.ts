import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sendJson } from '../../harness/providers/upstream.js'
import { chatAnswer } from '../../harness/providers/vendor-answers.js'
import { waitFor } from '../../harness/run/wait.js'
import { shareTestGateway, type TestGateway } from '../../harness/service/gateway.js'
import { addTenant } from '../../harness/service/tenant.js'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await shareTestGateway()
})
afterAll(() => gateway.stop())
beforeEach(() =>
  gateway.upstream.answerWith((_, response) => sendJson(response, 200, chatAnswer({ content: 'x' }))),
)

const api = () => gateway.service.api
const search = async (query: Record<string, string>, by = api()) =>
  await by.get(`/v1/calls?${new URLSearchParams(query)}`)
const found = async (query: Record<string, string>, by = api()): Promise<string[]> =>
  (await search(query, by)).body.data.map(({ requestId }: { requestId: string }) => requestId)

async function call(
  key: string,
  {
    model = 'gpt-4o-mini',
    content = 'hi',
    headers = {},
  }: { model?: string; content?: string; headers?: Record<string, string> } = {},
): Promise<string> {
  const body = { model, max_tokens: 100, messages: [{ role: 'user', content }] }
  const response = await gateway.send('/v1/chat/completions', body, { key, headers })
  await response.text()
  return response.headers.get('x-tallystick-request-id') ?? ''
}

interface UsageGroup {
  key: string | null
  second: { key: string | null }
  requests: number
}

let made = 0
const newKey = async (fields: object = {}): Promise<{ id: string; key: string }> =>
  (await api().post('/v1/keys', { name: `Key ${++made}`, ...fields })).body

test('a call is found by all that is known of it as soon as it has ended, and shown with the names of that time', async () => {
  const team = (await api().post('/v1/team/teams', { name: 'Search', budgetPoolUsd: 5 })).body
  await api().post('/v1/team/members', { userId: 'ann', name: 'Ann', teamId: team.id })
  const { id, key } = await newKey({ name: 'ci', userId: 'ann' })
  const requestId = await call(key, {
    headers: { 'x-tallystick-tags': 'project=alpha,env=prod', 'x-tallystick-session': 'nightly' },
  })
  await api().patch(`/v1/keys/${id}`, { name: 'renamed' })
  await api().patch(`/v1/team/members/ann`, { name: 'Ann B.' })
  await api().patch(`/v1/team/teams/${team.id}`, { name: 'Ads' })
  const queries: Record<string, string>[] = [
    { keyId: id },
    { userId: 'ann' },
    { teamId: team.id, provider: 'openai', model: 'gpt-4o-mini' },
    { session: 'nightly', outcome: 'ok' },
    { 'tag.project': 'alpha', 'tag.env': 'prod', minCostUsd: '0.000000001' },
    { requestId },
    { keyId: id, from: new Date(Date.now() - 60_000).toISOString(), to: '2099-01-01' },
  ]
  for (const query of queries) expect(await found(query)).toEqual([requestId])
  const misses: Record<string, string>[] = [
    { requestId, outcome: 'blocked' },
    { keyId: id, 'tag.project': 'beta' },
    { keyId: id, minCostUsd: '1' },
    { keyId: id, to: '2020-01-01' },
    { keyId: id, policyId: 'pol_1' },
  ]
  for (const query of misses) expect(await found(query)).toEqual([])
  expect((await search({ requestId })).body).toMatchObject({
    data: [
      {
        keyName: 'ci',
        userName: 'Ann',
        teamName: 'Search',
        model: 'gpt-4o-mini',
        status: 200,
        tags: { project: 'alpha', env: 'prod' },
        session: 'nightly',
        policies: [],
      },
    ],
    nextCursor: null,
  })
})

test('a call is found by its route, its agent, and by whether the cache answered it', async () => {
  const name = `kept-${++made}`
  const targets = [{ model: 'gpt-4o-mini' }]
  await api().post('/v1/routes', { name, targets, cache: { ttlSeconds: 60, scope: 'tenant' } })
  const { id, key } = await newKey()
  const headers = { 'user-agent': 'codex_cli_rs/0.166.0 (Debian 13.0.0; aarch64)' }
  const missed = await call(key, { model: name, headers })
  await waitFor(
    'the answer to be kept',
    async () => (await gateway.service.database.query('select from cached_answers')).length > 0,
  )
  const hit = await call(key, { model: name })
  const plain = await call(key)
  expect(await found({ route: name })).toEqual([hit, missed])
  expect(await found({ route: name, agent: 'codex' })).toEqual([missed])
  expect(await found({ keyId: id, cache: 'hit' })).toEqual([hit])
  expect(await found({ keyId: id, cache: 'hit', agent: 'codex' })).toEqual([])
  expect((await search({ keyId: id })).body.data).toMatchObject([
    { requestId: plain, route: null, agent: null, cache: null },
    { requestId: hit, route: name, agent: null, cache: 'hit', costUsd: 0 },
    { requestId: missed, route: name, agent: 'codex', cache: null },
  ])
  expect((await api().get(`/v1/calls/${hit}`)).body).toMatchObject({
    route: name,
    cache: 'hit',
    attempts: [{ attempt: 1, cache: 'hit' }],
  })
  expect((await api().get(`/v1/calls/density?${new URLSearchParams({ route: name })}`)).body.total).toBe(2)
  const usage = (await api().get(`/v1/usage?range=24h&keyId=${id}&groupBy=route,cache`)).body
  expect(usage.groups.map(({ key, second, requests }: UsageGroup) => [key, second.key, requests])).toEqual(
    expect.arrayContaining([
      [name, null, 1],
      [name, 'hit', 1],
      [null, null, 1],
    ]),
  )
  expect((await search({ cache: 'miss' })).status).toBe(400)
})

test('a model is one, however it was asked for', async () => {
  const { id, key } = await newKey()
  const spelt = [await call(key), await call(key, { model: 'openai/gpt-4o-mini' })]
  for (const model of ['gpt-4o-mini', 'openai/gpt-4o-mini'])
    expect((await found({ keyId: id, model })).toSorted()).toEqual(spelt.toSorted())
  const { data } = (await search({ keyId: id })).body
  expect(data.map(({ askedModel }: { askedModel: string }) => askedModel)).toEqual([
    'openai/gpt-4o-mini',
    'gpt-4o-mini',
  ])
})

test('the policy that blocked a call is in its checks and finds it, with its name', async () => {
  const { id, key } = await newKey()
  const policy = (
    await api().post('/v1/policies', {
      name: 'No codenames',
      kind: 'keywords',
      config: { words: ['bluebird'] },
      scope: { type: 'key', id },
    })
  ).body
  const requestId = await call(key, { content: 'tell me about bluebird' })
  expect(await found({ policyId: policy.id, outcome: 'blocked' })).toEqual([requestId])
  const { body } = await api().get(`/v1/calls/${requestId}`)
  expect(body).toMatchObject({ outcome: 'blocked', policies: [{ id: policy.id, name: 'No codenames' }] })
  expect(body.checks).toContainEqual({
    name: 'keywords',
    applicable: true,
    result: 'fail',
    action: 'block',
    policyId: policy.id,
    policyVersion: 1,
    policyName: 'No codenames',
  })
})

test('one call: its attempt, price, counts and receipt', async () => {
  const { key } = await newKey()
  const requestId = await call(key)
  const { status, body } = await api().get(`/v1/calls/${requestId}`)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    requestId,
    receipt: { seq: body.receiptSeq, state: 'kept' },
    attempts: [
      {
        provider: 'openai',
        model: 'gpt-4o-mini',
        status: 200,
        costUsd: body.costUsd,
        receiptSeq: body.receiptSeq,
      },
    ],
    counts: { input: body.inputTokens, output: body.outputTokens },
    price: { hash: expect.stringMatching(/^[0-9a-f]{64}$/), terms: expect.any(Object) },
    corrections: [],
  })
})

test('a corrected cost is the cost of the call, in the list too', async () => {
  const { key } = await newKey()
  gateway.upstream.answerWith((_, response) => void response.destroy())
  const requestId = await call(key)
  const before = (await api().get(`/v1/calls/${requestId}`)).body
  expect(before).toMatchObject({ usage: 'reserved', outcome: 'upstream_error' })
  const correct = (amountUsd: number) =>
    api().post(`/v1/compliance/receipts/${before.receiptSeq}/adjust`, { amountUsd, reason: 'the bill' })
  expect((await correct(0.5)).status).toBe(200)
  expect((await correct(0.000000123)).status).toBe(200)
  const { body } = await api().get(`/v1/calls/${requestId}`)
  expect(body.costUsd).toBe(0.000000123)
  expect(body.corrections).toMatchObject([{ reason: 'the bill' }, { differenceUsd: -0.499999877 }])
  expect((await search({ requestId })).body.data[0].costUsd).toBe(0.000000123)
  expect(await found({ requestId, minCostUsd: '0.000000124' })).toEqual([])
})

test('a call whose receipt was dropped from the record is shown, and says so', async () => {
  const { id, key } = await newKey()
  const requestId = await call(key)
  await gateway.service.database.query('delete from receipts where request_id = $1', [requestId])
  expect(await found({ keyId: id })).toEqual([requestId])
  expect(await found({ requestId })).toEqual([requestId])
  const { status, body } = await api().get(`/v1/calls/${requestId}`)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    requestId,
    receipt: { state: 'dropped' },
    checks: null,
    price: null,
    counts: null,
  })
})

describe('who sees what', () => {
  test('a member sees its own calls, a key without an owner its own, an auditor all of them', async () => {
    const mine = await newKey({ userId: 'mia' })
    const alone = await newKey()
    const auditor = gateway.service.as((await newKey({ role: 'auditor' })).key)
    const [hers, its] = [await call(mine.key), await call(alone.key)]
    const [mia, machine] = [gateway.service.as(mine.key), gateway.service.as(alone.key)]
    expect(await found({}, mia)).toEqual([hers])
    expect(await found({}, machine)).toEqual([its])
    expect(await found({ requestId: its }, mia)).toEqual([])
    expect((await mia.get(`/v1/calls/${its}`)).status).toBe(404)
    expect((await mia.get(`/v1/calls/${hers}`)).status).toBe(200)
    expect((await found({}, auditor)).slice(0, 2)).toEqual([its, hers])
    expect((await auditor.get(`/v1/calls/${hers}`)).status).toBe(200)
  })

  test('another tenant finds nothing, also by id', async () => {
    const requestId = await call((await newKey()).key)
    const stranger = await addTenant(gateway.service, 'stranger')
    expect(await found({}, stranger.api)).toEqual([])
    expect(await found({ requestId }, stranger.api)).toEqual([])
    expect((await stranger.api.get(`/v1/calls/${requestId}`)).status).toBe(404)
  })
})

test('a query that cannot be right is refused, with its place', async () => {
  const faults: [Record<string, string>, string][] = [
    [{ modle: 'x' }, 'modle'],
    [{ 'tag.': 'x' }, 'tag.'],
    [{ 'tag.a b': 'x' }, 'tag.a b'],
    [{ 'tag.project': '' }, 'tag.project'],
    [{ 'tag.project': 'a,b' }, 'tag.project'],
    [{ from: 'yesterday' }, 'from'],
    [{ from: '2026-02-30' }, 'from'],
    [{ from: '2026-11-02', to: '2026-11-01' }, 'to'],
    [{ outcome: 'fine' }, 'outcome'],
    [{ minCostUsd: '-1' }, 'minCostUsd'],
    [{ cursor: 'made-up' }, 'cursor'],
  ]
  for (const [query, place] of faults) {
    const { status, body } = await search(query)
    expect({ query, status, type: body.error?.type }).toEqual({ query, status: 400, type: 'invalid_request' })
    expect(body.error.details.map(({ path }: { path: string }) => path)).toContain(place)
  }
})

test('a cursor goes on where it was issued, and only for the same search', async () => {
  const { id, key } = await newKey()
  const calls = [await call(key), await call(key), await call(key)]
  const first = (await search({ keyId: id, limit: '2' })).body
  expect(first.data.map(({ requestId }: { requestId: string }) => requestId)).toEqual([calls[2], calls[1]])
  await call(key)
  expect(await found({ keyId: id, limit: '2', cursor: first.nextCursor })).toEqual([calls[0]])
  expect((await search({ keyId: id, outcome: 'ok', cursor: first.nextCursor })).status).toBe(400)
})
