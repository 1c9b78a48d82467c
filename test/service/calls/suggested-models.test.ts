import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendJson } from '../../harness/providers/upstream.js'
import { chatAnswer } from '../../harness/providers/vendor-answers.js'
import { startTestGateway, type TestGateway } from '../../harness/service/gateway.js'

// What the error for a model that is not there suggests in its place.

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({
    providers: (url) => ({
      openai: undefined,
      'openai-eu': { type: 'openai', baseUrl: `${url}/v1`, apiKey: 'sk-upstream', pricesOf: 'openai' },
    }),
  })
  gateway.upstream.answerWith((_, response) => sendJson(response, 200, chatAnswer({ content: 'Hi' })))
})
afterAll(() => gateway.stop())

const ask = async (path: string, body: object, key?: string) => {
  const response = await gateway.send(path, body, key === undefined ? {} : { key })
  const { error } = JSON.parse(await response.text())
  expect(error).toMatchObject({ type: 'model_not_found', code: 404 })
  return error.message as string
}
const messages = [{ role: 'user', content: 'Hello!' }]
const chat = (model: string, key?: string) => ask('/v1/chat/completions', { model, messages }, key)

test('a known model is suggested at the provider that is configured, and can be called by that name', async () => {
  for (const model of ['gpt-4o-mini', 'openai/gpt-4o-mini'])
    expect(await chat(model)).toMatch(/Did you mean openai-eu\/gpt-4o-mini\?$/)
  const named = await gateway.send('/v1/chat/completions', { model: 'openai-eu/gpt-4o-mini', messages })
  expect(named.status).toBe(200)
})

test('a misspelt model is suggested by its names', async () => {
  expect(await chat('claude-sonet-4-5')).toContain('Did you mean claude-sonnet-4-5')
  expect(await chat('no-such-model')).not.toContain('Did you mean')
})

test('nothing is suggested that the key may not use, or that does not serve the endpoint', async () => {
  const key = await gateway.key({ allowedModels: ['claude-sonnet-4-5'] })
  expect(await chat('gpt-4o-mini', key)).not.toContain('openai-eu')
  const response = await fetch(`${gateway.service.address}/v1/models/gpt-4o-mini`, {
    headers: { authorization: `Bearer ${key}` },
  })
  expect(await response.text()).not.toContain('openai-eu')
  const image = { model: 'gpt-4o-mini', prompt: 'x' }
  expect(await ask('/v1/images/generations', image)).not.toContain('Did you mean')
  expect(await ask('/v1/embeddings', { model: 'text-embedding-3-small', input: 'x' })).toMatch(
    /Did you mean openai-eu\/text-embedding-3-small/,
  )
})

test('a model of the list is suggested where one model is asked for', async () => {
  const { status, body } = await gateway.service.api.get('/v1/models/gpt-4o-mini')
  expect(status).toBe(404)
  expect(body.error.message).toMatch(/Did you mean openai-eu\/gpt-4o-mini\?$/)
})

test('a route is suggested only to those who may use one of its targets', async () => {
  const route = { name: 'assistant', targets: [{ model: 'openai-eu/gpt-4o-mini' }] }
  expect((await gateway.service.api.post('/v1/routes', route)).status).toBe(201)
  expect(await chat('asistant')).toMatch(/Did you mean assistant\?$/)
  const key = await gateway.key({ allowedModels: ['claude-sonnet-4-5'] })
  expect(await chat('asistant', key)).not.toContain('Did you mean')
})
