// A provider that answers chat, responses and messages in the vendors' own shapes, and keeps what arrived and what it answered.
// What it answers depends on the request alone: on a word in it, and on whether a tool has been used.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setInterval as every } from 'node:timers/promises'
import {
  chatAnswer,
  chatChunk,
  chatUsageChunk,
  messageAnswer,
  messageEvents,
  responseAnswer,
  responseEvents,
  responseMessage,
  textBlock,
} from '../../test/harness/providers/vendor-answers.ts'
import { words } from './words.mjs'

/** @typedef {{ number: number, path: string, headers: import('node:http').IncomingHttpHeaders, body: Buffer, answer: Buffer[], closed: boolean, over: boolean }} Arrived */

export async function startUpstream() {
  /** @type {Arrived[]} */
  const arrived = []
  const server = createServer(async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const { url: path = '', headers } = request
    const seen = {
      number: arrived.length,
      path,
      headers,
      body: Buffer.concat(chunks),
      answer: [],
      closed: false,
      over: false,
    }
    arrived.push(seen)
    const exchange = new Exchange(seen, response)
    response.once('close', () => {
      seen.closed = !response.writableFinished
      seen.over = true
    })
    await exchange.answer()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return {
    url: `http://127.0.0.1:${port}`,
    arrived,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

class Exchange {
  /** @param {Arrived} seen @param {import('node:http').ServerResponse} response */
  constructor(seen, response) {
    this.seen = seen
    this.response = response
    this.request = seen.body.length === 0 ? {} : JSON.parse(seen.body.toString())
  }

  async answer() {
    const [path = ''] = this.seen.path.split('?')
    const { request } = this
    const text = lastWords(request)
    const choose = text.includes(words.mcp) ? chooseMcpTool : text.includes(words.tools) ? chooseTool : null
    const tool = choose && !hasToolResult(request) ? choose(request.tools ?? []) : null
    const number = new RegExp(`${words.number}(\\d+)`).exec(text)?.[1]
    const said = number === undefined ? 'The answer of the provider.' : `The answer number ${number}.`
    if (path.endsWith('/count_tokens')) return this.#whole({ input_tokens: 100 })
    if (path.endsWith('/messages')) return await this.#stream(...messages(said, tool), text)
    if (path.endsWith('/responses')) return await this.#stream(...responses(said, tool), text)
    if (path.endsWith('/chat/completions')) return await this.#chat(said, tool, text)
    this.#whole({ error: { message: `There is no ${path} here`, type: 'invalid_request_error' } }, 404)
  }

  /** @param {string} said @param {Tool | null} tool @param {string} text */
  async #chat(said, tool, text) {
    const call = tool && {
      id: 'call_1',
      type: 'function',
      function: { name: tool.name, arguments: tool.arguments },
    }
    const whole = chatAnswer(call ? { tool_calls: [call] } : { content: said })
    const deltas = call
      ? [{ tool_calls: [{ index: 0, ...call }] }]
      : halves(said).map((content) => ({ content }))
    const events = [
      chatChunk({ role: 'assistant', content: '' }),
      ...deltas.map((delta) => chatChunk(delta)),
      chatChunk({}, call ? 'tool_calls' : 'stop'),
      ...(this.request.stream_options?.include_usage ? [chatUsageChunk] : []),
      '[DONE]',
    ]
    await this.#stream(whole, events, text)
  }

  /** @param {object} whole @param {(object | string)[]} events @param {string} text */
  async #stream(whole, events, text) {
    if (this.request.stream !== true) return this.#whole(whole)
    this.response.writeHead(200, { 'content-type': 'text/event-stream', ...this.#ids() })
    const isEndless = text.includes(words.abort)
    const first = isEndless ? Math.ceil(events.length / 2) : events.length
    for (const event of events.slice(0, first)) this.#write(frame(event))
    if (!isEndless) return void this.response.end()
    const ping = this.seen.path.includes('/messages') ? frame({ type: 'ping' }) : ': waiting\n\n'
    for await (const _ of every(100)) {
      if (this.response.destroyed) return
      this.#write(ping)
    }
  }

  /** @param {object} body */
  #whole(body, status = 200) {
    this.response.writeHead(status, { 'content-type': 'application/json', ...this.#ids() })
    this.#write(JSON.stringify(body))
    this.response.end()
  }

  // By these the recorder knows which of its requests this is the answer to.
  #ids() {
    return { 'x-request-id': `up_${this.seen.number}`, 'request-id': `up_${this.seen.number}` }
  }

  /** @param {string} text */
  #write(text) {
    this.seen.answer.push(Buffer.from(text))
    this.response.write(text)
  }
}

/** @param {object | string} event */
function frame(event) {
  const data = typeof event === 'string' ? event : JSON.stringify(event)
  const name = typeof event === 'object' && 'type' in event ? `event: ${event.type}\n` : ''
  return `${name}data: ${data}\n\n`
}

/** @param {string} said @param {Tool | null} tool @returns {[object, object[]]} */
function messages(said, tool) {
  if (tool === null)
    return [messageAnswer([{ type: 'text', text: said }]), messageEvents([textBlock(...halves(said))])]
  const use = { type: 'tool_use', id: 'toolu_01A09q90qw90lq917835lq9', name: tool.name }
  const deltas = halves(tool.arguments).map((partial_json) => ({ type: 'input_json_delta', partial_json }))
  return [
    messageAnswer([{ ...use, input: JSON.parse(tool.arguments) }], 'tool_use'),
    messageEvents([{ start: { ...use, input: {} }, deltas }], 'tool_use'),
  ]
}

/** @param {string} said @param {Tool | null} tool @returns {[object, object[]]} */
function responses(said, tool) {
  if (tool === null) return [responseAnswer(responseMessage(said)), responseEvents(...halves(said))]
  const item = { type: 'function_call', id: 'fc_1', call_id: 'call_1', status: 'completed', ...tool }
  const place = { item_id: item.id, output_index: 0 }
  const events = [
    { type: 'response.created', response: { ...responseAnswer(), status: 'in_progress', usage: null } },
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { ...item, arguments: '', status: 'in_progress' },
    },
    { type: 'response.function_call_arguments.delta', ...place, delta: item.arguments },
    { type: 'response.function_call_arguments.done', ...place, arguments: item.arguments },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: responseAnswer(item) },
  ]
  return [responseAnswer(item), events.map((event, sequence_number) => ({ ...event, sequence_number }))]
}

/** @typedef {{ name: string, arguments: string, namespace?: string }} Tool */

const toolArguments = {
  get_weather: { city: 'Paris' },
  // Claude Code, Codex, opencode.
  Bash: { command: 'echo used', description: 'Says that it was used' },
  exec_command: { cmd: 'echo used' },
  shell_command: { command: 'echo used' },
  shell: { command: ['echo', 'used'] },
  bash: { command: 'echo used', description: 'Says that it was used' },
}

/** @param {{ name?: string, function?: { name: string } }[]} offered @returns {Tool | null} */
function chooseTool(offered) {
  const names = offered.map((each) => each.name ?? each.function?.name)
  for (const [name, value] of Object.entries(toolArguments))
    if (names.includes(name)) return { name, arguments: JSON.stringify(value) }
  return null
}

/** The tool `everything__echo` of an MCP server, by whatever name the client offers it. Codex puts the tools of a server into one of its own. */
function chooseMcpTool(offered) {
  const value = { arguments: JSON.stringify({ message: 'through the gateway' }) }
  for (const { name, tools } of offered) {
    const inner = tools?.find((each) => each.name.endsWith('everything__echo'))
    if (inner) return { name: inner.name, namespace: name, ...value }
    if (name?.endsWith('everything__echo')) return { name, ...value }
  }
  return null
}

/** Of the last turn of the user, or all of a plain input. */
function lastWords({ messages: turns, input }) {
  const asked = turns ?? input ?? ''
  if (typeof asked === 'string') return asked
  const users = asked.filter(
    ({ role, content }) => role === 'user' && !JSON.stringify(content).includes('"tool_result"'),
  )
  return JSON.stringify(users.at(-1)?.content ?? '')
}

const hasToolResult = (request) =>
  /"(tool_result|function_call_output)"|"role":\s*"tool"/.test(
    JSON.stringify(request.messages ?? request.input),
  )

/** @param {string} text */
const halves = (text) => [text.slice(0, text.length / 2), text.slice(text.length / 2)]
