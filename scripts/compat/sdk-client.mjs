// One client library in one scenario: `node sdk-client.mjs '{"library":…,"scenario":…,"folder":…,"url":…,"key":…}'`, with a Node that suits
// the library, which is taken from a folder of its own.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { scenarios } from './scenarios.mjs'

const { library, scenario, folder, url, key } = JSON.parse(process.argv[2] ?? '{}')
const load = createRequire(join(folder, 'package.json'))
const gpt = 'gpt-4o-mini'
const claude = 'claude-sonnet-4-6'
const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const weather = { name: 'get_weather', description: 'The weather of a city', schema, answer: '15 °C' }

/** @type {Record<string, () => import('./scenarios.mjs').Adapter>} */
const adapters = {
  'openai chat'() {
    const client = new (load('openai').OpenAI)({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 })
    const { name, description, answer } = weather
    const create = (prompt, more = {}, options = {}) =>
      client.chat.completions.create(
        { model: gpt, messages: [{ role: 'user', content: prompt }], ...more },
        options,
      )
    return {
      ask: async (prompt) => (await create(prompt)).choices[0].message.content,
      async *stream(prompt, signal) {
        for await (const chunk of await create(prompt, { stream: true }, { signal }))
          yield chunk.choices[0]?.delta.content ?? ''
      },
      useTool: (prompt) =>
        client.chat.completions
          .runTools({
            model: gpt,
            messages: [{ role: 'user', content: prompt }],
            tools: [
              {
                type: 'function',
                function: {
                  name,
                  description,
                  parameters: schema,
                  parse: JSON.parse,
                  function: () => answer,
                },
              },
            ],
          })
          .finalContent(),
    }
  },
  'openai responses'() {
    const client = new (load('openai').OpenAI)({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 })
    const { name, description, answer } = weather
    const tools = [{ type: 'function', name, description, parameters: schema, strict: false }]
    return {
      ask: async (input) => (await client.responses.create({ model: gpt, input })).output_text,
      async *stream(input, signal) {
        for await (const event of await client.responses.create(
          { model: gpt, input, stream: true },
          { signal },
        ))
          if (event.type === 'response.output_text.delta') yield event.delta
      },
      async useTool(prompt) {
        const input = [{ role: 'user', content: prompt }]
        const first = await client.responses.create({ model: gpt, input, tools })
        const { call_id } = first.output.find(({ type }) => type === 'function_call')
        const result = { type: 'function_call_output', call_id, output: answer }
        return (
          await client.responses.create({ model: gpt, input: [...input, ...first.output, result], tools })
        ).output_text
      },
    }
  },
  'anthropic messages'() {
    const { Anthropic } = load('@anthropic-ai/sdk')
    const client = new Anthropic({ baseURL: url, apiKey: key, maxRetries: 0 })
    const { name, description, answer } = weather
    const mark = { cache_control: { type: 'ephemeral' } }
    const basic = (messages) => ({
      model: claude,
      max_tokens: 1_000,
      system: [{ type: 'text', text: 'You are brief.', ...mark }],
      messages,
    })
    const turn = (text) => ({ role: 'user', content: [{ type: 'text', text, ...mark }] })
    return {
      ask: async (prompt) => (await client.messages.create(basic([turn(prompt)]))).content[0].text,
      async *stream(prompt, signal) {
        const options = { signal, headers: { 'anthropic-beta': 'effort-2025-11-24' } }
        for await (const event of client.messages.stream(basic([turn(prompt)]), options))
          if (event.type === 'content_block_delta') yield event.delta.text
      },
      async useTool(prompt) {
        const tools = [{ name, description, input_schema: schema, ...mark }]
        const first = await client.beta.messages.create({ ...basic([turn(prompt)]), tools })
        const { id } = first.content.find(({ type }) => type === 'tool_use')
        const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: answer }] }
        const messages = [turn(prompt), { role: 'assistant', content: first.content }, result]
        return (await client.beta.messages.create({ ...basic(messages), tools })).content[0].text
      },
    }
  },
  'vercel openai': () =>
    vercel(load('@ai-sdk/openai').createOpenAI({ baseURL: `${url}/v1`, apiKey: key })(gpt)),
  'vercel openai chat': () =>
    vercel(
      load('@ai-sdk/openai')
        .createOpenAI({ baseURL: `${url}/v1`, apiKey: key })
        .chat(gpt),
    ),
  'vercel anthropic': () =>
    vercel(load('@ai-sdk/anthropic').createAnthropic({ baseURL: `${url}/v1`, apiKey: key })(claude)),
  'langchain openai': () =>
    langchain(
      new (load('@langchain/openai').ChatOpenAI)({
        model: gpt,
        apiKey: key,
        configuration: { baseURL: `${url}/v1` },
      }),
    ),
  'langchain anthropic': () =>
    langchain(
      new (load('@langchain/anthropic').ChatAnthropic)({ model: claude, apiKey: key, anthropicApiUrl: url }),
    ),
}

function vercel(model) {
  const { generateText, streamText, tool, jsonSchema, stepCountIs } = load('ai')
  const { name, description, answer } = weather
  const tools = {
    [name]: tool({ description, inputSchema: jsonSchema(schema), execute: async () => answer }),
  }
  return {
    ask: async (prompt) => (await generateText({ model, prompt, maxRetries: 0 })).text,
    stream: (prompt, abortSignal) => streamText({ model, prompt, abortSignal, maxRetries: 0 }).textStream,
    useTool: async (prompt) =>
      (await generateText({ model, prompt, tools, stopWhen: stepCountIs(3), maxRetries: 0 })).text,
  }
}

function langchain(model) {
  const { tool } = load('@langchain/core/tools')
  const { HumanMessage } = load('@langchain/core/messages')
  const { name, description, answer } = weather
  const own = tool(() => answer, { name, description, schema })
  return {
    ask: async (prompt) => (await model.invoke(prompt)).text,
    async *stream(prompt, signal) {
      for await (const chunk of await model.stream(prompt, { signal })) yield chunk.text
    },
    async useTool(prompt) {
      const bound = model.bindTools([own])
      const messages = [new HumanMessage(prompt)]
      const first = await bound.invoke(messages)
      const results = await Promise.all(first.tool_calls.map((call) => own.invoke(call)))
      return (await bound.invoke([...messages, first, ...results])).text
    },
  }
}

const [adapter, run] = [adapters[library], scenarios[scenario]]
if (!adapter || !run) throw new Error(`There is no ${library} or no ${scenario}`)
await run(adapter())
process.exit(0)
