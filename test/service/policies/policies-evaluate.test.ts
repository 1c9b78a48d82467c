import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { say, spoken } from '../../harness/policies/dialect-texts.js'
import { shareTestGateway, type TestGateway } from '../../harness/service/gateway.js'
import { createKeyWithPolicies } from '../../harness/service/key-with-policies.js'

let gateway: TestGateway

beforeAll(async () => {
  gateway = await shareTestGateway()
})
afterAll(() => gateway.stop())

const text = 'Project nightfall: ask jane@example.com, badge EMP-123456.'
const sets: [string, Record<string, unknown>[]][] = [
  ['nothing', []],
  ['a block', [{ kind: 'keywords', config: { words: ['nightfall'] } }]],
  ['a redaction', [{ kind: 'pii', config: { entities: ['email'] }, action: 'redact', phase: 'both' }]],
  [
    'several',
    [
      { kind: 'pattern', config: { patterns: [{ name: 'badge', regex: 'EMP-\\d+' }] }, action: 'redact' },
      { kind: 'keywords', config: { words: ['nightfall'] }, action: 'flag', phase: 'both' },
      { kind: 'tools', config: { deny: ['shell'] } },
    ],
  ],
  ['a model list', [{ kind: 'model_allowlist', config: { models: ['gpt-4o'] } }]],
  ['limits', [{ kind: 'limits', config: { maxOutputTokens: 10 } }]],
  ['an expression that fails', [{ kind: 'expression', config: { cel: 'key.metadata["x"] == "y"' } }]],
  ['a block of answers', [{ kind: 'keywords', config: { words: ['nightfall'] }, phase: 'output' }]],
]

describe.each(sets)('under %s', (_, policies) => {
  test('a dry run of a request says what the gateway then does, and leaves no trace', async () => {
    const { key, keyId } = await createKeyWithPolicies(gateway, policies)
    const messages = [{ role: 'user', content: text }]
    const receipts = () => gateway.service.database.query('select count(*)::int as count from receipts')
    const before = await receipts()
    const seen = gateway.upstream.seen.length
    const tried = await gateway.service.api.post('/v1/policies/evaluate', {
      model: 'gpt-4o-mini',
      keyId,
      messages,
    })
    expect(tried.status).toBe(200)
    expect(await receipts()).toEqual(before)
    expect(gateway.upstream.seen).toHaveLength(seen)

    gateway.upstream.answerWith(say('chat', 'Fine.'))
    const response = await gateway.send('/v1/chat/completions', { model: 'gpt-4o-mini', messages }, { key })
    const body: unknown = await response.json()
    const receipt = await gateway.receiptOf(response)
    const governed = gateway.upstream.seen.length > seen
    expect(tried.body.outcome).toBe(receipt.outcome)
    expect(tried.body.error).toEqual(response.status === 200 ? null : (body as { error: object }).error)
    if (governed) expect(tried.body.messages).toEqual(gateway.upstream.seen.at(-1)?.body.messages)
    const said = (checks: { name: string; result: string; policy?: string }[] = []) =>
      checks
        .filter(({ policy }) => policy !== undefined)
        .map(({ name, result, policy }) => [name, result, policy])
    // Policies that look at answers alone have not seen one yet.
    const onlyOutput = policies.every(({ phase }) => phase === 'output')
    if (!onlyOutput) expect(said(tried.body.checks)).toEqual(said(receipt.checks))
  })

  test('a dry run of an answer says what the gateway then does', async () => {
    const { key, keyId } = await createKeyWithPolicies(
      gateway,
      policies.filter(({ phase }) => phase !== undefined),
    )
    const tried = await gateway.service.api.post('/v1/policies/evaluate', {
      model: 'gpt-4o-mini',
      keyId,
      phase: 'output',
      messages: [{ role: 'assistant', content: text }],
    })
    gateway.upstream.answerWith(say('chat', text))
    const response = await gateway.send('/v1/chat/completions', spoken.chat.body(), { key })
    const body = (await response.json()) as { error?: object; choices?: { message: { content: string } }[] }
    expect(tried.body.outcome).toBe((await gateway.receiptOf(response)).outcome)
    expect(tried.body.error).toEqual(body.error ?? null)
    if (body.choices) expect(tried.body.messages[0].content).toBe(body.choices[0]?.message.content)
  })
})

test('a dry run is for the own key unless another is named, and knows only those of the tenant', async () => {
  const { key, keyId } = await createKeyWithPolicies(gateway, [
    { kind: 'keywords', config: { words: ['hello'] } },
  ])
  const trial = { model: 'mock/echo', messages: [{ role: 'user', content: 'Hello' }] }
  const path = '/v1/policies/evaluate'
  expect((await gateway.service.as(key).post(path, trial)).body).toMatchObject({
    outcome: 'blocked',
    error: { type: 'policy_violation', check: 'keywords' },
  })
  expect((await gateway.service.api.post(path, trial)).body.outcome).toBe('ok')
  expect((await gateway.service.api.post(path, { ...trial, keyId })).body.outcome).toBe('blocked')
  expect((await gateway.service.api.post(path, { ...trial, keyId: 'key_none' })).status).toBe(404)
  expect((await gateway.service.api.post(path, { ...trial, model: 'no-such' })).status).toBe(404)
})

test('a dry run tells what the key’s own limits on models say', async () => {
  const key = await gateway.key({ allowedModels: ['gpt-4o'] })
  const tried = await gateway.service
    .as(key)
    .post('/v1/policies/evaluate', { model: 'mock/echo', messages: [{ role: 'user', content: 'Hello' }] })
  expect(tried.body).toMatchObject({ outcome: 'blocked', error: { type: 'model_not_allowed' } })
})
