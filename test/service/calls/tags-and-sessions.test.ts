import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sendJson, type startUpstream } from '../../harness/providers/upstream.js'
import { waitFor } from '../../harness/run/wait.js'
import { shareTestGateway, type TestGateway } from '../../harness/service/gateway.js'

let gateway: TestGateway
const useItAll: Parameters<typeof startUpstream>[0] = ({ body }, response) =>
  sendJson(response, 200, {
    model: 'm',
    choices: [{ message: { content: 'x' } }],
    usage: { prompt_tokens: 6, completion_tokens: body.max_completion_tokens ?? body.max_tokens ?? 1_000 },
  })

beforeAll(async () => {
  gateway = await shareTestGateway()
})
beforeEach(() => gateway.upstream.answerWith(useItAll))
afterAll(() => gateway.stop())

const body = (max_tokens = 10) => ({
  model: 'gpt-4o',
  messages: [{ role: 'user', content: 'hi' }],
  max_tokens,
})
const send = (headers: Record<string, string>, key?: string, max?: number) =>
  gateway.send('/v1/chat/completions', body(max), { headers, ...(key !== undefined && { key }) })
const errorOf = async (response: Response): Promise<Record<string, unknown>> => {
  const { error }: { error: Record<string, unknown> } = JSON.parse(await response.text())
  return error
}
let names = 0
const newBudget = async (fields: object) => {
  const made = await gateway.service.api.post('/v1/budgets', { name: `tagged ${++names}`, ...fields })
  expect(made.status).toBe(201)
  return made.body
}
const readBudget = async (id: string) => (await gateway.service.api.get(`/v1/budgets/${id}`)).body

describe('what a call is filed under', () => {
  test('is in its receipt: tags of the header on top of the metadata of the key, and the session', async () => {
    const key = await gateway.key({ metadata: { project: 'alpha', note: 'one, two', env: 'prod' } })
    const plain = await gateway.receiptOf(await send({}, key))
    expect(plain).toMatchObject({ tags: { env: 'prod', project: 'alpha' } })
    expect(plain.session).toBeUndefined()
    const filed = await send({ 'x-tallystick-tags': 'env=dev, run=7', 'x-tallystick-session': 'sess 1' }, key)
    expect(await gateway.receiptOf(filed)).toMatchObject({
      tags: { env: 'dev', project: 'alpha', run: '7' },
      session: 'sess 1',
    })
    expect(gateway.upstream.seen.at(-1)?.headers).not.toHaveProperty('x-tallystick-tags')
    expect(gateway.upstream.seen.at(-1)?.headers).not.toHaveProperty('x-tallystick-session')
    const bare = await gateway.receiptOf(await send({}))
    expect(bare).not.toHaveProperty('tags')
  })

  test.each(['x-claude-code-session-id', 'session_id', 'session-id', 'conversation_id'])(
    '%s of a coding agent is the session',
    async (header) => {
      const session = `run-of-${header}`
      expect(await gateway.receiptOf(await send({ [header]: session }))).toMatchObject({ session })
      const own = await send({ [header]: session, 'x-tallystick-session': 'mine' })
      expect(await gateway.receiptOf(own)).toMatchObject({ session: 'mine' })
      // What another program sends for itself is no reason to refuse its call.
      expect(await gateway.receiptOf(await send({ [header]: 'x'.repeat(200) }))).not.toHaveProperty('session')
    },
  )

  test('opencode’s session has its own form: by that name others send what must not be recorded', async () => {
    const session = 'ses_e18c1e264ffe1NOAamTypxIt0p'
    expect(await gateway.receiptOf(await send({ 'x-session-id': session }))).toMatchObject({ session })
    for (const other of ['d2Vic2Vzc2lvbg', 'ses_', 'ses_e18c1e264ffe1N; admin=1'])
      expect(await gateway.receiptOf(await send({ 'x-session-id': other }))).not.toHaveProperty('session')
  })

  test.each([
    ['claude-cli/2.1.325 (external, sdk-cli)', 'claude-code'],
    // To MCP servers.
    ['claude-code/2.1.325 (sdk-cli)', 'claude-code'],
    ['codex_exec/0.166.0 (Debian 12.0.0; aarch64) unknown (codex_exec; 0.166.0)', 'codex'],
    ['opencode/1.18.18 ai-sdk/provider-utils/4.0.23 runtime/bun/1.3.14', 'opencode'],
    ['my-claude-cli/1.0', undefined],
    ['OpenAI/JS 6.49.0', undefined],
  ])('the agent %s is called %s in the receipt', async (userAgent, agent) => {
    expect((await gateway.receiptOf(await send({ 'user-agent': userAgent }))).agent).toBe(agent)
  })

  test('is text, whatever alphabet it is in', async () => {
    const utf8 = Buffer.from('projekt=überblick').toString('latin1')
    expect(await gateway.receiptOf(await send({ 'x-tallystick-tags': utf8 }))).toMatchObject({
      tags: { projekt: 'überblick' },
    })
  })

  test.each([
    ['x-tallystick-tags', 'project'],
    ['x-tallystick-tags', 'a=1,a=2'],
    ['x-tallystick-tags', 'a=\xff'],
    ['x-tallystick-tags', 'a=1,b=1,c=1,d=1,e=1,f=1,g=1,h=1,i=1'],
    ['x-tallystick-session', '*'],
    ['x-tallystick-session', 'x'.repeat(129)],
  ])('%s: %s is refused before anything is forwarded', async (header, value) => {
    const seen = gateway.upstream.seen.length
    const refused = await send({ [header]: value })
    expect(refused.status).toBe(400)
    expect(await errorOf(refused)).toMatchObject({ type: 'invalid_request', details: [{ path: header }] })
    expect(gateway.upstream.seen).toHaveLength(seen)
  })

  test('decides in expressions', async () => {
    const key = await gateway.key()
    await gateway.service.api.post('/v1/policies', {
      name: 'no experiments in production',
      kind: 'expression',
      action: 'block',
      phase: 'input',
      config: { cel: '"env" in request.tags && request.tags.env == "prod" && request.session == ""' },
    })
    expect((await send({ 'x-tallystick-tags': 'env=prod' }, key)).status).toBe(403)
    expect((await send({ 'x-tallystick-tags': 'env=prod', 'x-tallystick-session': 's' }, key)).status).toBe(
      200,
    )
    expect((await send({ 'x-tallystick-tags': 'env=dev' }, key)).status).toBe(200)
    expect((await send({}, key)).status).toBe(200)
    const trial = { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] }
    const outcomes = []
    for (const filing of [{ tags: { env: 'prod' } }, { tags: { env: 'prod' }, session: 's' }, {}])
      outcomes.push(
        (await gateway.service.api.post('/v1/policies/evaluate', { ...trial, ...filing })).body.outcome,
      )
    expect(outcomes).toEqual(['blocked', 'ok', 'ok'])
  })
})

// gpt-4o: 2.5 µ$ a token in, 10 µ$ out. A call of 100 tokens costs 1.015 m$.
describe('a budget', () => {
  const storm = async (headers: (i: number) => Record<string, string>, calls = 40) => {
    const answers = await Promise.all(
      Array.from({ length: calls }, (_, i) => send(headers(i), undefined, 100)),
    )
    expect(answers.every(({ status }) => status === 200 || status === 402)).toBe(true)
    return answers
  }
  const spentBy = async (scope: string, id: string): Promise<number> => {
    const rows = await gateway.service.database.query<{ sum: string | null }>(
      'select sum(cost_nanos) from spend_days where scope_type = $1 and scope_id = $2',
      [scope, id],
    )
    return Number(rows[0]?.sum ?? 0)
  }

  test('of a tag is not passed by 40 calls at once, and others go on', async () => {
    const budget = await newBudget({ scope: { type: 'tag', id: 'project=beta' }, amountUsd: 0.01 })
    const answers = await storm(() => ({ 'x-tallystick-tags': 'project=beta,env=test' }))
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(4)
    const refused = answers.find(({ status }) => status === 402)
    expect(refused && (await errorOf(refused))).toMatchObject({
      message: expect.stringContaining('of the tag project=beta has'),
      budget: { id: budget.id, scope: { type: 'tag', id: 'project=beta' } },
    })
    const spent = await spentBy('tag', 'project=beta')
    expect(spent).toBeGreaterThan(4_000_000)
    expect(spent).toBeLessThanOrEqual(10_000_000)
    expect(await readBudget(budget.id)).toMatchObject({
      spentUsd: spent / 1e9,
      reservedUsd: 0,
    })
    expect((await send({ 'x-tallystick-tags': 'project=gamma,env=test' })).status).toBe(200)
    expect((await send({})).status).toBe(200)
  })

  test('of each session stops a runaway agent, and no other', async () => {
    const budget = await newBudget({ scope: { type: 'session', id: '*' }, amountUsd: 0.005, period: 'total' })
    const answers = await storm((i) => ({ 'x-tallystick-session': i % 4 === 3 ? 'calm' : 'runaway' }), 32)
    const ofCalm = answers.filter((_, i) => i % 4 === 3)
    expect(answers.filter(({ status }) => status === 402).length).toBeGreaterThan(10)
    for (const session of ['runaway', 'calm'])
      expect(await spentBy('session', session)).toBeLessThanOrEqual(5_000_000)
    expect(ofCalm.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(3)
    const leading = await readBudget(budget.id)
    const most = Math.max(await spentBy('session', 'runaway'), await spentBy('session', 'calm'))
    expect(leading).toMatchObject({ spentUsd: most / 1e9, reservedUsd: 0 })
    expect(['runaway', 'calm']).toContain(leading.leading)
    expect((await send({ 'x-tallystick-session': 'a new run' })).status).toBe(200)
    await gateway.service.api.delete(`/v1/budgets/${budget.id}`)
  })

  test('of each value of a tag counts what was spent before it was made', async () => {
    for (const run of ['one', 'two'])
      expect((await send({ 'x-tallystick-tags': `run=${run}` }, undefined, 100)).status).toBe(200)
    await newBudget({ scope: { type: 'tag', id: 'run=*' }, amountUsd: 0.0015 })
    const answers = await storm((i) => ({ 'x-tallystick-tags': `run=${['one', 'two', 'three'][i % 3]}` }), 12)
    expect(answers.some(({ status }) => status === 402)).toBe(true)
    for (const run of ['one', 'two', 'three'])
      expect(await spentBy('tag', `run=${run}`)).toBeLessThanOrEqual(1_500_000)
  })

  test('that is reached alerts once for each session', async () => {
    const hook = await gateway.service.api.post('/v1/webhook-endpoints', {
      name: 'alerts',
      type: 'generic',
      url: 'http://127.0.0.1:9/',
      events: ['budget.threshold_reached'],
    })
    expect(hook.status).toBe(201)
    await newBudget({
      scope: { type: 'session', id: '*' },
      amountUsd: 0.005,
      thresholdPct: 20,
      action: 'alert',
    })
    for (const session of ['loud', 'louder', 'loud', 'loud'])
      await send({ 'x-tallystick-session': session }, undefined, 100)
    const read = () =>
      gateway.service.database.query<{ data: string }>(
        `select data from webhook_deliveries where event = 'budget.threshold_reached'
         and data::jsonb -> 'budget' -> 'scope' ->> 'type' = 'session'`,
      )
    await waitFor('both alerts', async () => (await read()).length >= 2)
    const told = (await read()).map(({ data }) => JSON.parse(data))
    expect(told.map(({ budget }) => budget.scope.id).sort()).toEqual(['loud', 'louder'])
    expect(told[0].message).toMatch(/^Budget "tagged \d+", session loud(er)? has reached 20 %/)
  })

  test.each([
    [{ type: 'tag' }, 'scope.id'],
    [{ type: 'tag', id: 'project' }, 'scope.id'],
    [{ type: 'tag', id: 'a=b,c' }, 'scope.id'],
    [{ type: 'session', id: ' ' }, 'scope.id'],
    [{ type: 'session' }, 'scope.id'],
  ])('of %j is refused', async (scope, path) => {
    const refused = await gateway.service.api.post('/v1/budgets', { name: 'x', scope, amountUsd: 1 })
    expect(refused.status).toBe(400)
    expect(refused.body.error.details[0].path).toBe(path)
  })
})
