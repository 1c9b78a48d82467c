import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Entry } from '../../../packages/record/src/format/entry.js'
import { openDatabase } from '../../../packages/service/src/db/index.js'
import { countLimitStates } from '../../../packages/service/src/resources/budgets/index.js'
import { readBacklog } from '../../../packages/service/src/resources/webhooks/index.js'
import { openResponseSocket } from '../../harness/providers/response-socket.js'
import { sendJson, startEvents } from '../../harness/providers/upstream.js'
import {
  chatAnswer,
  chatChunk,
  messageAnswer,
  openAiError,
  streamChat,
} from '../../harness/providers/vendor-answers.js'
import { type MetricsReading, readMetrics } from '../../harness/reporting/metrics.js'
import { createEndpoint } from '../../harness/reporting/webhooks.js'
import { waitFor } from '../../harness/run/wait.js'
import { createTestDatabase } from '../../harness/service/database.js'
import { startDatabaseProxy } from '../../harness/service/database-proxy.js'
import { makeGate, readPieces, startTestGateway, type TestGateway } from '../../harness/service/gateway.js'
import { createKeyWithPolicies } from '../../harness/service/key-with-policies.js'
import { startTestService } from '../../harness/service/service.js'

const chat = '/v1/chat/completions'
const messages = [{ role: 'user', content: 'Hello!' }]

describe('after calls of every kind', () => {
  let gateway: TestGateway
  let receipts: Entry[]
  let metrics: MetricsReading
  let teamId: string
  let whileStreaming: MetricsReading

  beforeAll(async () => {
    gateway = await startTestGateway({ models: { fast: { provider: 'openai', model: 'gpt-4o-mini' } } })
    const { upstream, service } = gateway
    const { body: team } = await service.api.post('/v1/team/teams', { name: 'Red', budgetPoolUsd: 100 })
    teamId = team.id
    const key = await gateway.key({ teamId, rpmLimit: 1_000 })
    const send = async (path: string, body: object, as = key) => {
      const response = await gateway.send(path, { messages, max_tokens: 300, ...body }, { key: as })
      await response.text()
      return response.status
    }

    upstream.answerWith((_, response) => sendJson(response, 200, chatAnswer({ content: 'Hi' })))
    for (const model of ['gpt-4o-mini', 'openai/gpt-4o-mini', 'fast'])
      expect(await send(chat, { model })).toBe(200)
    upstream.answerWith((_, response) =>
      sendJson(response, 200, messageAnswer([{ type: 'text', text: 'Hi' }])),
    )
    expect(await send('/v1/messages', { model: 'claude-sonnet-4-6' })).toBe(200)
    upstream.answerWith((_, response) => streamChat(response, [{ content: 'Hi' }]))
    for (let i = 0; i < 2; i++) expect(await send(chat, { model: 'fast', stream: true })).toBe(200)
    upstream.answerWith((_, response) => sendJson(response, 500, openAiError('server_error', 'broken')))
    expect(await send(chat, { model: 'gpt-4o-mini' })).toBe(500)
    await hangUp(key)

    const governed = await createKeyWithPolicies(gateway, [
      { kind: 'keywords', config: { words: ['Hello'] }, phase: 'input', action: 'block' },
    ])
    for (let i = 0; i < 2; i++) expect(await send(chat, { model: 'mock/echo' }, governed.key)).toBe(403)
    const slow = await gateway.key({ rpmLimit: 1 })
    const statuses = [0, 1, 2].map(() => send(chat, { model: 'mock/echo' }, slow))
    expect((await Promise.all(statuses)).sort()).toEqual([200, 429, 429])
    for (let i = 0; i < 50; i++) expect(await send(chat, { model: `made-up-${i}` })).toBe(404)
    expect(await send(chat, { model: 'mock/echo' }, 'tallystick_sk_nobody')).toBe(401)

    const rows = await service.database.query<{ canonical: string }>(
      `select canonical from receipts where canonical::json ->> 'kind' = 'model'`,
    )
    receipts = rows.map(({ canonical }) => JSON.parse(canonical))
    metrics = await waitFor('all calls to be counted', async () => {
      const read = await readMetrics(service.address)
      return read.sum('tallystick_calls_total') >= receipts.length && read
    })
  })
  afterAll(() => gateway.stop())

  /** A caller that leaves in the middle of a stream. */
  async function hangUp(key: string): Promise<void> {
    const over = makeGate()
    gateway.upstream.answerWith(async (_, response) => {
      startEvents(response)(chatChunk({ role: 'assistant', content: 'One' }))
      await over.passed
      response.destroy()
    })
    const body = { model: 'fast', stream: true, messages, max_tokens: 300 }
    const response = await gateway.send(chat, body, { key })
    const pieces = readPieces(response)
    await pieces.until((text) => text.includes('One'))
    whileStreaming = await waitFor('the stream to be seen', async () => {
      const read = await readMetrics(gateway.service.address)
      return read.one('tallystick_streams_open') === 1 && read
    })
    await pieces.cancel()
    await gateway.noticeHangUp()
    over.open()
    await waitFor('its receipt', async () => {
      const rows = await gateway.service.database.query(
        `select from receipts where canonical::json ->> 'outcome' = 'aborted'`,
      )
      return rows.length === 1
    })
  }

  const total = (of: (receipt: Entry) => number | undefined, among = receipts) =>
    among.reduce((sum, receipt) => sum + (of(receipt) ?? 0), 0)
  const nanos = (usd: number) => Math.round(usd * 1e9)

  test('every call is counted by target and outcome, one spelling for a model', () => {
    const counts = new Map<string, number>()
    for (const { name, labels, value } of metrics.samples)
      if (name === 'tallystick_calls_total')
        counts.set([labels.provider, labels.model, labels.endpoint, labels.outcome].join(' '), value)
    expect(Object.fromEntries(counts)).toEqual({
      'openai gpt-4o-mini chat ok': 5,
      'openai gpt-4o-mini chat upstream_error': 1,
      'openai gpt-4o-mini chat aborted': 1,
      'anthropic claude-sonnet-4-6 messages ok': 1,
      'mock mock/echo chat blocked': 2,
      'mock mock/echo chat ok': 1,
    })
    expect(receipts).toHaveLength(11)
  })

  test('tokens and dollars are those of the receipts, exactly', () => {
    for (const provider of ['openai', 'anthropic', 'mock']) {
      const among = receipts.filter((receipt) => receipt.provider === provider)
      const tokens = (kind: string) => metrics.sum('tallystick_tokens_total', { provider, kind })
      expect(tokens('input')).toBe(total(({ counts }) => counts?.input, among))
      expect(tokens('cached')).toBe(total(({ counts }) => counts?.cached, among))
      expect(tokens('written')).toBe(total(({ counts }) => counts?.written, among))
      expect(tokens('output')).toBe(total(({ counts }) => counts?.output, among))
      expect(tokens('reasoning')).toBe(total(({ counts }) => counts?.reasoning, among))
      expect(nanos(metrics.sum('tallystick_spend_usd_total', { provider }))).toBe(
        total(({ costNanos }) => costNanos, among),
      )
    }
    expect(total(({ counts }) => counts?.reasoning)).toBeGreaterThan(0)
    expect(total(({ costNanos }) => costNanos)).toBeGreaterThan(0)
  })

  test('a team has its part, and calls of no team theirs', () => {
    const teams = new Set(metrics.of('tallystick_team_calls_total').map(({ labels }) => labels.team))
    expect(teams).toEqual(new Set([teamId, 'none']))
    for (const team of [teamId, 'none']) {
      const among = receipts.filter((receipt) => (receipt.team ?? 'none') === team)
      expect(metrics.sum('tallystick_team_calls_total', { team })).toBe(among.length)
      expect(nanos(metrics.sum('tallystick_team_spend_usd_total', { team }))).toBe(
        total(({ costNanos }) => costNanos, among),
      )
      expect(metrics.sum('tallystick_team_tokens_total', { team, kind: 'output' })).toBe(
        total(({ counts }) => counts?.output, among),
      )
    }
  })

  test('what was refused is counted by why, and no model that a caller made up is named', () => {
    expect(metrics.sum('tallystick_refused_total', { type: 'model_not_found' })).toBe(50)
    expect(metrics.sum('tallystick_refused_total', { type: 'unauthorized' })).toBe(1)
    expect(metrics.sum('tallystick_refused_total', { type: 'rate_limit_exceeded' })).toBe(2)
    expect(metrics.sum('tallystick_rate_limited_total')).toBe(2)
    expect(metrics.sum('tallystick_failed_checks_total', { check: 'keywords', action: 'block' })).toBe(2)
    expect(metrics.samples.some(({ labels }) => Object.values(labels).join().includes('made-up'))).toBe(false)
  })

  test('each call has a duration, its stages, and a time to the first token if it was a stream that ended well', () => {
    expect(metrics.sum('tallystick_call_duration_seconds_count')).toBe(receipts.length)
    const stage = (name: string) => metrics.sum('tallystick_stage_duration_seconds_count', { stage: name })
    expect(stage('record')).toBe(receipts.length)
    expect(stage('forward')).toBe(9)
    expect(metrics.sum('gen_ai_server_time_to_first_token_seconds_count')).toBe(2)
    expect(metrics.sum('gen_ai_client_operation_duration_seconds_count')).toBe(9)
    const server = (error_type: string) =>
      metrics.sum('gen_ai_server_request_duration_seconds_count', { error_type })
    expect([server(''), server('upstream_error'), server('blocked'), server('aborted')]).toEqual([7, 1, 2, 1])
    const output = { gen_ai_token_type: 'output', gen_ai_request_model: 'gpt-4o-mini' }
    const openAi = receipts.filter(({ provider }) => provider === 'openai')
    expect(metrics.sum('gen_ai_client_token_usage_sum', output)).toBe(
      total(({ counts }) => counts?.output, openAi),
    )
  })

  test('what the record did is seen, and nothing is under way any more', () => {
    expect(metrics.sum('tallystick_ledger_group_size_sum')).toBeGreaterThanOrEqual(receipts.length)
    expect(metrics.sum('tallystick_ledger_commit_duration_seconds_count')).toBeGreaterThan(0)
    expect(metrics.one('tallystick_ledger_last_commit_timestamp_seconds')).toBeGreaterThan(
      Date.now() / 1_000 - 600,
    )
    expect(metrics.one('tallystick_calls_in_flight')).toBe(0)
    expect(metrics.one('tallystick_record_writable')).toBe(1)
    expect(metrics.one('tallystick_spool_receipts')).toBe(0)
    expect(metrics.of('tallystick_queue_length').map(({ labels }) => labels.queue)).toEqual(
      expect.arrayContaining(['receipts', 'open_calls', 'turns']),
    )
    expect(metrics.one('tallystick_database_up')).toBe(1)
    expect(metrics.one('tallystick_redis_up')).toBeNull()
    expect(metrics.one('tallystick_nodejs_eventloop_lag_seconds')).not.toBeNull()
  })

  test('no label of ours is short of values', () => {
    const folded = metrics.samples.filter(({ labels }) => Object.values(labels).includes('other'))
    expect(folded).toEqual([])
  })

  test('a stream under way is seen, with the memory that its body takes', () => {
    expect(whileStreaming.one('tallystick_calls_in_flight')).toBe(1)
    expect(whileStreaming.one('tallystick_body_bytes_in_flight')).toBeGreaterThan(0)
    expect(whileStreaming.one('tallystick_body_bytes_limit')).toBeGreaterThan(96 * 1024 * 1024 - 1)
  })

  test('budgets near and at their end, and deliveries that wait, are counted over all tenants', async () => {
    const { api } = gateway.service
    const spent = total(({ costNanos }) => costNanos) / 1e9
    const budget = (name: string, amountUsd: number) =>
      api.post('/v1/budgets', {
        name,
        scope: { type: 'tenant' },
        amountUsd,
        action: 'alert',
        period: 'monthly',
      })
    const cents = (usd: number) => Math.ceil(usd * 1e6) / 1e6
    for (const [name, amount] of [
      ['used', spent / 2],
      ['near', spent * 1.1],
      ['far', spent * 100],
    ] as const)
      expect((await budget(name, cents(amount))).status).toBe(201)
    await createEndpoint(api, { url: 'http://127.0.0.1:9/nobody', events: ['budget.threshold_reached'] })
    await gateway.service.database.query(
      `insert into webhook_deliveries (endpoint_id, tenant_id, event, data, status, due_at, lease_until)
       select id, tenant_id, 'webhook.test', '{"message": "A test"}', 'retrying', now() - interval '1 hour', now() + interval '1 hour'
       from webhook_endpoints`,
    )
    const { db, close } = openDatabase(gateway.service.database.url, () => undefined)
    try {
      expect(await countLimitStates(db)).toEqual({ near: 1, exhausted: 1 })
      expect(await readBacklog(db)).toMatchObject({ retrying: 1, overdueSeconds: expect.closeTo(3_600, -2) })
    } finally {
      await close()
    }
  })
})

test('without its database the page is there at once, and says so', async () => {
  const database = await createTestDatabase()
  const proxy = await startDatabaseProxy(database.url)
  const service = await startTestService({ database, env: { DATABASE_URL: proxy.url } })
  try {
    const healthy = await waitFor('the first figures', async () => {
      const read = await readMetrics(service.address)
      return read.one('tallystick_figures_timestamp_seconds') !== null && read
    })
    expect(healthy.one('tallystick_database_up')).toBe(1)
    proxy.hang()
    const hanging = await readMetrics(service.address)
    expect(hanging.one('tallystick_budgets', { state: 'near' })).toBe(0)
    await proxy.cut()
    const down = await waitFor('the loss to be seen', async () => {
      const read = await readMetrics(service.address)
      return read.one('tallystick_database_up') === 0 && read.one('tallystick_record_writable') === 0 && read
    })
    expect(down.one('tallystick_figures_timestamp_seconds')).toBe(
      hanging.one('tallystick_figures_timestamp_seconds'),
    )
    await proxy.restore()
  } finally {
    await service.stop()
    await proxy.close()
    await database.drop()
  }
})

test('answers that cost no call, and sockets that are open, are counted', async () => {
  const gateway = await startTestGateway()
  const { service, upstream } = gateway
  upstream.answerWith((_, response) => sendJson(response, 200, chatAnswer({ content: 'Hi' })))
  const seen = (what: string, name: string, expected: number, labels: Record<string, string> = {}) =>
    waitFor(what, async () => (await readMetrics(service.address)).sum(name, labels) === expected)
  const ask = async (model: string, headers: Record<string, string> = {}) => {
    const response = await gateway.send(chat, { model, messages, max_tokens: 300 }, { headers })
    await response.text()
    return response.status
  }
  try {
    const cache = { ttlSeconds: 3_600, scope: 'tenant' }
    await service.api.post('/v1/routes', { name: 'kept', targets: [{ model: 'gpt-4o-mini' }], cache })
    expect(await ask('kept')).toBe(200)
    await waitFor(
      'the answer to be kept',
      async () => (await service.database.query('select from cached_answers')).length === 1,
    )
    for (let i = 0; i < 2; i++) expect(await ask('kept')).toBe(200)
    // Of a call without a cache, and of one that nobody has seen before, nothing is counted here.
    for (let i = 0; i < 4; i++) expect(await ask('gpt-4o-mini', { 'idempotency-key': 'once' })).toBe(200)
    await seen('the hits', 'tallystick_route_cache_total', 2, { result: 'hit' })
    await seen('the miss', 'tallystick_route_cache_total', 1, { result: 'miss' })
    await seen('what was sent again', 'tallystick_replayed_calls_total', 3)
    await seen('all calls', 'tallystick_calls_total', 4)
    expect(upstream.seen).toHaveLength(2)

    const sockets = [
      await openResponseSocket(service.address, service.managerKey),
      await openResponseSocket(service.address, service.managerKey),
    ]
    await seen('two sockets', 'tallystick_websockets_open', 2)
    await sockets[0]?.close()
    await seen('one socket', 'tallystick_websockets_open', 1)
    await sockets[1]?.close()
    await seen('no socket', 'tallystick_websockets_open', 0)
  } finally {
    await gateway.stop()
  }
})
