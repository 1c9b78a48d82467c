import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendJson, startUpstream, type Upstream } from '../../harness/providers/upstream.js'
import { verifyRecord } from '../../harness/record/record.js'
import { startTestService, type TestService } from '../../harness/service/service.js'

let upstream: Upstream
let service: TestService
let promptId = ''

beforeAll(async () => {
  upstream = await startUpstream((_, response) => sendJson(response, 200, { model: 'any', usage: {} }))
  service = await startTestService({
    env: { OPENAI_BASE_URL: `${upstream.url}/v1`, ANTHROPIC_BASE_URL: upstream.url },
  })
  const created = await service.api.post('/v1/prompts', { name: 'greeter', content: 'v1' })
  promptId = created.body.id
  const version = await service.api.post('/v1/prompts/versions', {
    promptId,
    content: 'You are {{name}}, "kind".',
  })
  await service.api.post('/v1/prompts/labels', { promptId, label: 'production', versionId: version.body.id })
  await service.api.post('/v1/prompts/versions', { promptId, content: 'v3' })
})
afterAll(async () => {
  await service.stop()
  await upstream.close()
})

const prompt = () => ({ id: promptId, label: 'production', variables: { name: 'Ada' } })
const text = 'You are Ada, "kind".'
const lastSeen = () => upstream.seen.at(-1)

describe('a stored prompt becomes the system text', () => {
  test('of a chat completion, before the messages, which keep their bytes', async () => {
    const messages = '[ {"role":"user","content":"hi","seed":1.0} ]'
    const body = `{"model":"gpt-4o","prompt":${JSON.stringify(prompt())},"messages":${messages}}`
    expect((await service.api.post('/v1/chat/completions', body)).status).toBe(200)
    const system = JSON.stringify({ role: 'system', content: text })
    expect(lastSeen()?.raw.toString()).toBe(
      `{"model":"gpt-4o","messages":[${system},{"role":"user","content":"hi","seed":1.0} ]}`,
    )
  })

  test('of a response, before its own instructions', async () => {
    await service.api.post('/v1/responses', {
      model: 'gpt-4o',
      input: 'hi',
      instructions: 'Be brief.',
      prompt: prompt(),
    })
    expect(lastSeen()?.body).toEqual({ model: 'gpt-4o', input: 'hi', instructions: `${text}\n\nBe brief.` })
  })

  test.each([
    [undefined, text],
    ['Be brief.', `${text}\n\nBe brief.`],
    [
      [{ type: 'text', text: 'Be brief.' }],
      [
        { type: 'text', text },
        { type: 'text', text: 'Be brief.' },
      ],
    ],
  ])('of a message whose own system is %j', async (system, expected) => {
    const messages = [{ role: 'user', content: 'hi' }]
    const call = { model: 'claude-sonnet-4-5', max_tokens: 10, messages, system, prompt: prompt() }
    expect((await service.api.post('/v1/messages', call)).status).toBe(200)
    expect(lastSeen()?.body).toMatchObject({ messages, system: expected })
    expect(lastSeen()?.body).not.toHaveProperty('prompt')
  })

  test('in the newest version when neither label nor version is named; the receipt says which', async () => {
    await service.api.post('/v1/chat/completions', {
      model: 'gpt-4o',
      messages: [],
      prompt: { id: promptId },
    })
    expect(lastSeen()?.body.messages).toEqual([{ role: 'system', content: 'v3' }])
    const { receipts } = await verifyRecord(service.database)
    expect(receipts.at(-1)).toMatchObject({ promptId, promptVersion: 3 })
  })
})

test.each([
  ['an unknown prompt', '/v1/chat/completions', { prompt: { id: 'prompt_none' } }, 'prompt.id'],
  [
    'an unknown label',
    '/v1/chat/completions',
    { prompt: () => ({ id: promptId, label: 'nope' }) },
    'prompt.label',
  ],
  [
    'an unknown version',
    '/v1/chat/completions',
    { prompt: () => ({ id: promptId, version: 99 }) },
    'prompt.version',
  ],
  [
    'a missing variable',
    '/v1/chat/completions',
    { prompt: () => ({ id: promptId, label: 'production' }) },
    'prompt.variables',
  ],
  ['a prompt that is a text', '/v1/chat/completions', { prompt: 'hello' }, 'prompt'],
  [
    'a prompt for embeddings',
    '/v1/embeddings',
    { model: 'text-embedding-3-small', input: 'x', prompt },
    'prompt',
  ],
])('%s is refused with 400 and nothing is forwarded', async (_, path, given, place) => {
  const before = upstream.seen.length
  const value = typeof given.prompt === 'function' ? given.prompt() : given.prompt
  const answer = await service.api.post(path, { model: 'gpt-4o', messages: [], ...given, prompt: value })
  expect(answer.status).toBe(400)
  expect(answer.body.error.details[0].path).toMatch(new RegExp(`^${place}`))
  expect(upstream.seen).toHaveLength(before)
})
