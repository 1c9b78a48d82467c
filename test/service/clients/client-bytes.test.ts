import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sendJson } from '../../harness/providers/upstream.js'
import {
  chatAnswer,
  messageAnswer,
  messageEvents,
  responseAnswer,
  responseEvents,
  responseMessage,
  streamChat,
  streamNamed,
  textBlock,
} from '../../harness/providers/vendor-answers.js'
import { shareTestGateway, type TestGateway } from '../../harness/service/gateway.js'

// What the vendors' clients put on the wire is what arrives. `npm run compat` tells the same of many more clients.

let gateway: TestGateway
/** The bodies that the client sent, as it wrote them. */
const sent: string[] = []

beforeAll(async () => {
  gateway = await shareTestGateway()
  gateway.upstream.answerWith(({ path, body }, response) => {
    const [endpoint] = path.split('?')
    switch (`${endpoint} ${body.stream === true}`) {
      case '/v1/messages true':
        return streamNamed(response, messageEvents([textBlock('Hel', 'lo')]))
      case '/v1/messages false':
        return sendJson(response, 200, messageAnswer([{ type: 'text', text: 'Hello' }]))
      case '/v1/responses true':
        return streamNamed(response, responseEvents('Hel', 'lo'))
      case '/v1/responses false':
        return sendJson(response, 200, responseAnswer(responseMessage('Hello')))
      case '/v1/chat/completions true':
        return streamChat(response, [{ content: 'Hel' }, { content: 'lo' }])
      default:
        return sendJson(response, 200, chatAnswer({ content: 'Hello' }))
    }
  })
})
afterAll(() => gateway.stop())
beforeEach(() => {
  sent.length = 0
  gateway.upstream.seen.length = 0
})

const recordingFetch: typeof fetch = async (url, init) => {
  if (typeof init?.body === 'string') sent.push(init.body)
  return await fetch(url, init)
}
const settings = () => ({ apiKey: gateway.service.managerKey, fetch: recordingFetch, maxRetries: 0 })
const openai = () => new OpenAI({ ...settings(), baseURL: `${gateway.service.address}/v1` })
const anthropic = () => new Anthropic({ ...settings(), baseURL: gateway.service.address })

/** What is easily changed on the way: quotes, escapes, line ends of all kinds, letters of one to four bytes. */
const text = 'A "line" with \\ and \t, café, \u2028, \u{1f355} and </script>.\n'
const long = text.repeat(4_000)
const mark = { cache_control: { type: 'ephemeral' as const } }
const parameters = { type: 'object' as const, properties: { city: { type: 'string' } } }
const model = 'gpt-4o-mini'
const claude = (content: string) => ({
  model: 'claude-sonnet-4-6',
  max_tokens: 100,
  system: [{ type: 'text' as const, text, ...mark }],
  tools: [{ name: 'get_weather', input_schema: parameters, ...mark }],
  messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: content, ...mark }] }],
})
const chat = (content: string) => ({
  model,
  messages: [
    { role: 'system' as const, content: text },
    { role: 'user' as const, content },
  ],
  tools: [{ type: 'function' as const, function: { name: 'get_weather', parameters } }],
})

/** In whatever order they came. */
function expectSame(count: number): void {
  const arrived = gateway.upstream.seen.map(({ raw }) => raw.toString())
  expect(arrived).toHaveLength(count)
  expect(arrived.toSorted()).toEqual(sent.toSorted())
}

describe.each([
  ['a short prompt', text],
  ['a long prompt', long],
])('%s', (_, content) => {
  test('of Anthropic’s client arrives as it was written', async () => {
    const client = anthropic()
    expect((await client.messages.create(claude(content))).content[0]).toMatchObject({ text: 'Hello' })
    expect(await client.messages.stream(claude(content)).finalText()).toBe('Hello')
    await client.messages.create(claude(content), {
      query: { beta: 'true' },
      headers: { 'anthropic-beta': 'effort-2025-11-24' },
    })
    expect(gateway.upstream.seen.map(({ path }) => path)).toEqual([
      '/v1/messages',
      '/v1/messages',
      '/v1/messages?beta=true',
    ])
    expect(gateway.upstream.seen.at(-1)?.headers['anthropic-beta']).toBe('effort-2025-11-24')
    expectSame(3)
  })

  test('of OpenAI’s client arrives as it was written', async () => {
    const client = openai()
    await client.chat.completions.create(chat(content))
    const withUsage = { stream_options: { include_usage: true } }
    expect(await client.chat.completions.stream({ ...chat(content), ...withUsage }).finalContent()).toBe(
      'Hello',
    )
    expect((await client.responses.create({ model, instructions: text, input: content })).output_text).toBe(
      'Hello',
    )
    const streamed = client.responses.stream({ model, instructions: text, input: content })
    expect((await streamed.finalResponse()).output_text).toBe('Hello')
    expectSame(4)
  })
})

test('a stream of chat completions that did not ask for its usage differs in that alone', async () => {
  for await (const chunk of await openai().chat.completions.create({ ...chat(text), stream: true }))
    expect(chunk.usage ?? null).toBeNull()
  const added = ',"stream_options":{"include_usage":true}}'
  expect(gateway.upstream.seen.at(-1)?.raw.toString()).toBe(sent[0]?.replace(/\}$/, added))
})

test('calls in parallel do not touch each other', async () => {
  const [first, second] = [openai(), anthropic()]
  await Promise.all(
    Array.from({ length: 10 }, async (_, index) => {
      await first.chat.completions.create(chat(`${index} ${text}`))
      await second.messages.create(claude(`${index} ${text}`))
    }),
  )
  expectSame(20)
})
