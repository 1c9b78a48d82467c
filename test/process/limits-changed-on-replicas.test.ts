import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, test as anyTest, beforeAll, expect, onTestFinished } from 'vitest'
import { hasRedis } from '../harness/processes/redis.js'
import { startReplicas } from '../harness/processes/replicas.js'
import { sendJson, startUpstream, type Upstream } from '../harness/providers/upstream.js'
import { random } from '../harness/run/seed.js'
import { waitFor } from '../harness/run/wait.js'

// A limit is made on one replica while calls run on another: both count what runs, from the answer to the manager on.

const test = anyTest.skipIf(!hasRedis)

let upstream: Upstream
let folder: string
let replicas: Awaited<ReturnType<typeof startReplicas>>

beforeAll(async () => {
  if (!hasRedis) return
  upstream = await startUpstream((_, response) => void response.writeHead(500).end())
  folder = await mkdtemp(join(tmpdir(), 'tallystick-changed-'))
  const config = join(folder, 'tallystick.yaml')
  await writeFile(
    config,
    `providers:
  vendor: { type: openai, baseUrl: "${upstream.url}/v1", apiKey: sk }
models:
  cent: { provider: vendor, tokenizer: o200k, contextWindow: 8192, maxOutputTokens: 1000, price: { inputUsdPerMTok: 0.000001, outputUsdPerMTok: 10 } }
`,
  )
  replicas = await startReplicas({ TALLYSTICK_CONFIG: config }, { TALLYSTICK_CONFIG: config })
})
afterAll(async () => {
  if (!hasRedis) return
  await replicas.stop()
  await upstream.close()
  await rm(folder, { recursive: true, force: true })
})

/** One cent each. */
const body = { model: 'cent', max_tokens: 1_000, messages: [{ role: 'user', content: 'hi' }] }
/** Uses all that it is allowed. */
const answerTo = ({ max_tokens }: { max_tokens: number }) => ({
  id: 'c',
  object: 'chat.completion',
  model: 'cent',
  usage: { prompt_tokens: 8, completion_tokens: max_tokens, total_tokens: 8 + max_tokens },
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'x' } }],
})

/** Holds every answer back until it is told. */
function holdAnswers(): () => void {
  const waiting: (() => void)[] = []
  upstream.seen.length = 0
  upstream.answerWith((request, response) => {
    waiting.push(() => sendJson(response, 200, answerTo(request.body)))
  })
  return () => {
    for (const send of waiting.splice(0)) send()
  }
}

test('a budget that is made on one replica counts the calls that run on the other, at once', async () => {
  const { one, other } = replicas
  for (let round = 0; round < 5; round++) {
    const { body: key } = await one.api.post('/v1/keys', { name: `runner ${round}` })
    const release = holdAnswers()
    const call = (service: typeof one) => service.as(key.key).post('/v1/chat/completions', body)
    const running = [call(one), call(other)]
    await waitFor('both at the provider', () => upstream.seen.length === 2)
    const budget = { name: `Round ${round}`, scope: { type: 'key', id: key.id }, amountUsd: 0.0301 }
    const { status, body: made } = await one.api.post('/v1/budgets', budget)
    expect(status).toBe(201)
    // The other replica may not have heard of it yet: there is room for one more call, wherever it comes in.
    const more = Array.from({ length: 12 }, (_, i) => call(i % 3 === 0 ? one : other))
    await waitFor('the third at the provider', () => upstream.seen.length === 3)
    const decided = more.map((each) => each.then((answered) => answered.status))
    await waitFor('the others to be refused', async () => {
      const settled = await Promise.all(decided.map((each) => Promise.race([each, Promise.resolve(0)])))
      return settled.filter((each) => each === 402).length === 11
    })
    release()
    for (const each of running) expect((await each).status).toBe(200)
    expect((await Promise.all(decided)).filter((each) => each === 200)).toHaveLength(1)
    for (const service of [one, other]) {
      const figures = await waitFor('no reservation', async () => {
        const { body: now } = await service.api.get(`/v1/budgets/${made.id}`)
        return now.reservedUsd === 0 && now
      })
      expect(figures.spentUsd).toBeLessThanOrEqual(0.0301)
    }
  }
})

test('a first rate limit that is set on one replica counts the calls of the other, those that run too', async () => {
  const { one, other } = replicas
  const { body: key } = await one.api.post('/v1/keys', { name: 'first limit' })
  const call = (service: typeof one) => service.as(key.key).post('/v1/chat/completions', body)
  for (let round = 0; round < 3; round++) {
    const startedMs = performance.now()
    const release = holdAnswers()
    const running = [call(one), call(other), call(one)]
    await waitFor('all at the provider', () => upstream.seen.length === 3)
    const setter = round % 2 === 0 ? one : other
    await setter.api.patch(`/v1/keys/${key.id}/limits`, { rpmLimit: 5 + 5 * round })
    // Neither replica may have heard of it: two more fit, wherever they come in.
    const more = Array.from({ length: 12 }, (_, i) => call(i % 3 === 0 ? one : other))
    await waitFor('two more at the provider', () => upstream.seen.length >= 5)
    const refused = more.map((each) => each.then(({ status }) => status === 429))
    await waitFor('the others to be refused', async () => {
      const ended = await Promise.all(refused.map((each) => Promise.race([each, false])))
      return ended.filter(Boolean).length === 10 || performance.now() - startedMs > 50_000
    })
    upstream.answerWith((request, response) => sendJson(response, 200, answerTo(request.body)))
    release()
    for (const each of running) expect((await each).status).toBe(200)
    const admitted = (await Promise.all(more)).filter(({ status }) => status === 200)
    // On machines that were paused for that long, the window may have moved on.
    if (performance.now() - startedMs < 50_000) expect(admitted).toHaveLength(2)
    await setter.api.patch(`/v1/keys/${key.id}/limits`, { rpmLimit: null })
  }
})

test('budgets that are made, changed and deleted under fire never let a stricter one be passed', async () => {
  const { one, other } = replicas
  upstream.answerWith((request, response) => sendJson(response, 200, answerTo(request.body)))
  const { body: key } = await one.api.post('/v1/keys', { name: 'under fire' })
  let isOver = false
  let paid = 0
  const fire = async (service: typeof one) => {
    while (!isOver) if ((await service.as(key.key).post('/v1/chat/completions', body)).status === 200) paid++
  }
  const callers = Array.from({ length: 8 }, (_, i) => fire(i % 2 === 0 ? one : other))
  const scope = { type: 'key', id: key.id }
  onTestFinished(async () => {
    isOver = true
    await Promise.all(callers)
  })
  for (let round = 0; round < 6; ) {
    const paidBefore = paid
    const { body: before } = await one.api.get('/v1/usage?groupBy=key&range=24h')
    const spent = before.groups.find((group: { key: string }) => group.key === key.id)?.spendUsd ?? 0
    // Eight callers have a cent under way each, and what is not in the usage yet.
    const amountUsd = Math.round((spent + 0.3) * 1e6) / 1e6
    const maker = random() < 0.5 ? one : other
    const { body: budget } = await maker.api.post('/v1/budgets', { name: `Fire ${round}`, scope, amountUsd })
    // Where so much was spent before it was made, it may have been passed before it was there.
    if (paid - paidBefore > 20) {
      await maker.api.delete(`/v1/budgets/${budget.id}`)
      continue
    }
    await maker.api.patch(`/v1/budgets/${budget.id}`, { period: round % 2 === 0 ? 'daily' : 'total' })
    await waitFor('it to be used up', async () => {
      const { body: figures } = await other.api.get(`/v1/budgets/${budget.id}`)
      return figures.remainingUsd < 0.01 && figures.reservedUsd === 0
    })
    const { body: figures } = await one.api.get(`/v1/budgets/${budget.id}`)
    expect(figures.spentUsd).toBeLessThanOrEqual(amountUsd)
    await maker.api.delete(`/v1/budgets/${budget.id}`)
    round++
  }
})
