import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type SeenRequest, startUpstream, type Upstream } from '../../harness/providers/upstream.js'
import { waitFor } from '../../harness/run/wait.js'
import type { Api, ApiAnswer } from '../../harness/service/api.js'
import { startTestService, type TestService } from '../../harness/service/service.js'
import { answerChat } from '../../harness/service/traffic.js'

let service: TestService
let upstream: Upstream

beforeAll(async () => {
  upstream = await startUpstream(answerChat)
  service = await startTestService({
    env: { OPENAI_API_KEY: 'sk-upstream', OPENAI_BASE_URL: `${upstream.url}/v1` },
  })
})
afterAll(async () => {
  await service.stop()
  await upstream.close()
})
beforeEach(() => {
  upstream.seen.length = 0
  upstream.answerWith(answerChat)
})

async function createKey(limits: object): Promise<Api> {
  const { body } = await service.api.post('/v1/keys', { name: 'limited', ...limits })
  return service.as(body.key)
}

const call = (api: Api, fields: object = {}) =>
  api.post('/v1/chat/completions', {
    model: 'gpt-4o-mini',
    messages: [{ role: 'user', content: 'Hi' }],
    ...fields,
  })

/** All calls, never more than 50 of them at a time. */
async function burst(api: Api, calls: number): Promise<ApiAnswer[]> {
  const answers: ApiAnswer[] = []
  let left = calls
  const callers = Array.from({ length: 50 }, async () => {
    while (left-- > 0) answers.push(await call(api))
  })
  await Promise.all(callers)
  return answers
}

test('200 calls, 50 at a time, against 60 a minute: exactly 60 are forwarded, the rest are told when to come back', async () => {
  const api = await createKey({ rpmLimit: 60 })
  const startedMs = performance.now()
  const answers = await burst(api, 200)
  const tookSeconds = (performance.now() - startedMs) / 1_000

  const admitted = answers.filter(({ status }) => status === 200)
  const refused = answers.filter(({ status }) => status === 429)
  expect([admitted.length, refused.length, upstream.seen.length]).toEqual([60, 140, 60])
  const remaining = admitted.map(({ headers }) => Number(headers.get('x-ratelimit-remaining-requests')))
  expect(remaining.sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, i) => i))
  for (const { body, headers } of refused) {
    expect(body.error).toMatchObject({ type: 'rate_limit_exceeded', code: 429 })
    expect(body.error.retry_after).toBeLessThanOrEqual(60)
    expect(body.error.retry_after).toBeGreaterThanOrEqual(Math.floor(60 - tookSeconds))
    expect(headers.get('retry-after')).toBe(String(body.error.retry_after))
    expect(headers.get('x-ratelimit-remaining-requests')).toBe('0')
  }

  const [record] = await service.database.query(
    "select count(*)::int as receipts from receipts where canonical::json ->> 'kind' = 'model'",
  )
  expect(record).toEqual({ receipts: 60 })
  await expect
    .poll(
      async () =>
        (await service.database.query('select sum(rate_limited)::int as refused from usage_hours'))[0],
    )
    .toEqual({ refused: 140 })
})

test('tokens are reserved for the worst case while a call runs, and corrected to what it took when it ends', async () => {
  const held: { request: SeenRequest; response: ServerResponse }[] = []
  upstream.answerWith((request, response) => void held.push({ request, response }))
  const api = await createKey({ tpmLimit: 1_000 })
  const running = call(api, { max_tokens: 600 })
  await waitFor('the call to reach the provider', () => held.length === 1)

  const refused = await call(api, { max_tokens: 600 })
  expect(refused.status).toBe(429)
  expect(refused.body.error.message).toContain('1000 tokens per minute')
  expect(refused.headers.get('retry-after')).toBe(String(refused.body.error.retry_after))
  expect(Number(refused.headers.get('x-ratelimit-remaining-tokens'))).toBeLessThanOrEqual(400)

  upstream.answerWith(answerChat)
  for (const { request, response } of held) answerChat(request, response)
  expect((await running).status).toBe(200)
  // The provider counted 10 tokens: of the 1000, 990 are free again before this call takes its own.
  const next = await call(api, { max_tokens: 600 })
  expect(next.status).toBe(200)
  const input = 390 - Number(next.headers.get('x-ratelimit-remaining-tokens'))
  expect(input).toBeGreaterThan(0)
  expect(input).toBeLessThan(20)
})

test('a call that can never fit a minute is an invalid request, which clients do not retry', async () => {
  const api = await createKey({ tpmLimit: 100 })
  const refused = await call(api, { max_tokens: 600 })
  expect(refused.status).toBe(400)
  expect(refused.body.error.message).toContain(
    'the limit is 100 tokens per minute, so it can never be admitted',
  )
  expect(refused.headers.get('retry-after')).toBeNull()
  expect(upstream.seen).toHaveLength(0)
})

test('50 calls at once cannot take more tokens than a minute holds', async () => {
  const held: { request: SeenRequest; response: ServerResponse }[] = []
  upstream.answerWith((request, response) => void held.push({ request, response }))
  const api = await createKey({ tpmLimit: 1_000 })
  const answered: number[] = []
  const calls = Array.from({ length: 50 }, async () => {
    const { status } = await call(api, { max_tokens: 190 })
    answered.push(status)
  })
  await waitFor('all decisions', () => answered.length === 45 && held.length === 5)
  expect(new Set(answered)).toEqual(new Set([429]))
  for (const { request, response } of held) answerChat(request, response)
  await Promise.all(calls)
  expect(answered.slice(45)).toEqual([200, 200, 200, 200, 200])
})

/** What a key without limits has used counts for its first limit. All of it must happen within the window of a minute. */
test.each([
  { limits: { rpmLimit: 3 }, unit: 'requests' },
  { limits: { tpmLimit: 40 }, unit: 'tokens' },
])(
  'a first limit on $unit counts the calls of the minute before it, each time it is set',
  async ({ limits, unit }) => {
    const { body: key } = await service.api.post('/v1/keys', { name: 'first limit' })
    const api = service.as(key.key)
    const noLimits = { rpmLimit: null, tpmLimit: null }
    for (let round = 0; round < 2; round++) {
      const startedMs = performance.now()
      for (let i = 0; i < 6; i++) expect((await call(api, { max_tokens: 20 })).status).toBe(200)
      await service.api.patch(`/v1/keys/${key.id}/limits`, limits)
      const { body: standing } = await service.api.get(`/v1/keys/${key.id}/standing`)
      const answers = [await call(api, { max_tokens: 20 }), await call(api, { max_tokens: 20 })]
      // On a machine that was paused for that long, the window may have moved on.
      if (performance.now() - startedMs < 50_000) {
        expect(standing[unit]).toMatchObject({ remaining: 0, used: Object.values(limits)[0] })
        expect(answers.map(({ status }) => status)).toEqual([429, 429])
      }
      await service.api.patch(`/v1/keys/${key.id}/limits`, noLimits)
    }
  },
)
