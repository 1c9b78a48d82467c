import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendJson } from '../../harness/providers/upstream.js'
import { startTestGateway, type TestGateway } from '../../harness/service/gateway.js'

// What a provider keeps is read again by the call that names it.

let gateway: TestGateway
const window = 128_000

beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.stop())

let answers = 0

/** A response that the provider keeps, with these members in its answer. Its id. */
async function keepAnswer(more: object, request: object = {}): Promise<string> {
  const id = `resp_${++answers}`
  gateway.upstream.answerWith((_, response) =>
    sendJson(response, 200, {
      id,
      object: 'response',
      status: 'completed',
      model: 'gpt-4o-2024-08-06',
      output: [{ type: 'message', content: [{ type: 'output_text', text: 'Yes.' }] }],
      usage: { input_tokens: 800, output_tokens: 100, total_tokens: 900 },
      ...more,
    }),
  )
  const response = await gateway.send('/v1/responses', { model: 'gpt-4o', input: 'hi', ...request })
  expect(response.status).toBe(200)
  await response.text()
  return id
}

/** What is reserved for the input of a call that goes on from an answer. */
async function reservedInput(model: string, previous: string): Promise<number> {
  let input = 0
  gateway.upstream.answerWith(async (_, response) => {
    const [row] = await gateway.service.database.query<{ draft: string }>('select draft from open_calls')
    input = JSON.parse(row?.draft ?? '{}').inputTokens
    sendJson(response, 400, { error: { message: 'no' } })
  })
  const body = { model, input: 'more', previous_response_id: previous, max_output_tokens: 50 }
  await (await gateway.send('/v1/responses', body)).text()
  return input
}

describe('an answer that the provider keeps', () => {
  test('counts what it was, for the same model by any of its names', async () => {
    const id = await keepAnswer({})
    expect(await reservedInput('gpt-4o', id)).toBeLessThan(1_200)
    expect(await reservedInput('openai/gpt-4o', id)).toBeLessThan(1_200)
  })

  test('counts the context window for another model, which counts its images otherwise', async () => {
    const id = await keepAnswer({})
    expect(await reservedInput('gpt-4o-mini', id)).toBe(window)
  })

  test('counts the context window where its own count is only an estimate of ours', async () => {
    expect(await reservedInput('gpt-4o', await keepAnswer({ usage: null }))).toBe(window)
  })

  test('counts the context window where an image was drawn, which will be read', async () => {
    const output = [{ type: 'image_generation_call', id: 'ig_1', status: 'completed', result: 'aGk=' }]
    const tools = [{ type: 'image_generation', quality: 'low', size: '1024x1024' }]
    expect(await reservedInput('gpt-4o', await keepAnswer({ output }, { tools }))).toBe(window)
  })
})
