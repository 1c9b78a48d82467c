// The official MCP client of either generation, in a process of its own: what it does with a server it does through the gateway.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const { folder, library, url, key } = JSON.parse(process.argv[2] ?? '')
const isOlder = library === 'sdk 1.x'
/** Servers of the older generation can ask whoever has a session. */
const canBeAsked = library !== 'client 2.x, auto'
const load = (name) =>
  import(
    pathToFileURL(createRequire(join(folder, 'package.json')).resolve(name)).href.replace('/cjs/', '/esm/')
  )

/** @type {string[]} */
const faults = []
const capabilities = { elicitation: { form: {} }, sampling: {}, roots: {} }
const client = await connect()
const call = (name, args = {}, options = {}) => {
  const params = { name: `everything__${name}`, arguments: args }
  return isOlder ? client.callTool(params, undefined, options) : client.callTool(params, options)
}

const { tools } = await client.listTools()
assert.ok(tools.some(({ name }) => name === 'everything__echo'))
assert.equal((await call('echo', { message: 'Hello' })).content[0].text, 'Echo: Hello')
assert.equal(
  typeof (await call('get-structured-content', { location: 'New York' })).structuredContent.humidity,
  'number',
)
assert.equal((await call('get-sum', { a: 'one' })).isError, true)
const long = 'x'.repeat(900_000)
assert.equal((await call('echo', { message: long })).content[0].text, `Echo: ${long}`)
await assert.rejects(call('nothing'), /Unknown tool/)

const steps = []
const slow = { duration: 1, steps: 4 }
await call('trigger-long-running-operation', slow, { onprogress: ({ progress }) => steps.push(progress) })
assert.deepEqual(steps, [1, 2, 3, 4])
const cancellation = new AbortController()
const options = { signal: cancellation.signal, onprogress: () => cancellation.abort('enough') }
await assert.rejects(call('trigger-long-running-operation', { duration: 60, steps: 60 }, options), /enough/)

if (canBeAsked) {
  assert.match(JSON.stringify(await call('trigger-elicitation-request')), /Ada/)
  assert.match(JSON.stringify(await call('trigger-sampling-request', { prompt: 'Hello' })), /sampled words/)
}

const { resources } = await client.listResources()
assert.ok((await client.readResource({ uri: resources[0].uri })).contents[0].text.length > 0)
const { resourceTemplates } = await client.listResourceTemplates()
const uri = resourceTemplates[0].uriTemplate.replace('{resourceId}', '1')
assert.equal((await client.readResource({ uri })).contents.length, 1)
const prompt = { name: 'everything__args-prompt', arguments: { city: 'Bonn' } }
assert.match(JSON.stringify(await client.getPrompt(prompt)), /Bonn/)
const ref = { type: 'ref/prompt', name: 'everything__completable-prompt' }
const { completion } = await client.complete({ ref, argument: { name: 'department', value: 'E' } })
assert.deepEqual(completion.values, ['Engineering'])
assert.deepEqual(faults, [])
await client.close()
process.exit(0)

async function connect() {
  const base = isOlder ? '@modelcontextprotocol/sdk/client/' : '@modelcontextprotocol/client'
  const { Client } = await load(isOlder ? `${base}index.js` : base)
  const { StreamableHTTPClientTransport } = await load(isOlder ? `${base}streamableHttp.js` : base)
  const mode = library.endsWith('auto') ? 'auto' : 'legacy'
  const made = new Client({ name: 'compat', version: '1' }, { capabilities, versionNegotiation: { mode } })
  const { ElicitRequestSchema, CreateMessageRequestSchema, ListRootsRequestSchema } = isOlder
    ? await load('@modelcontextprotocol/sdk/types.js')
    : {}
  const content = { name: 'Ada', check: true, email: 'ada@example.org' }
  made.setRequestHandler(ElicitRequestSchema ?? 'elicitation/create', () => ({ action: 'accept', content }))
  const sampled = { model: 'm', role: 'assistant', content: { type: 'text', text: 'sampled words' } }
  made.setRequestHandler(CreateMessageRequestSchema ?? 'sampling/createMessage', () => sampled)
  made.setRequestHandler(ListRootsRequestSchema ?? 'roots/list', () => ({ roots: [] }))
  made.onerror = (error) => faults.push(error.message)
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  await made.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }))
  return made
}
