import { fromJsonSchema, inputRequired, type McpServer } from '@modelcontextprotocol/server'
import { afterEach, describe, expect, test } from 'vitest'
import {
  type OfficialMcpOptions,
  startOfficialMcpServer,
} from '../../../../../test/harness/mcp/mcp-server.js'
import { closing, mcpServer, requestTo, startUpstreams } from '../../../../../test/harness/mcp/upstreams.js'
import { waitFor } from '../../../../../test/harness/run/wait.js'

const { opened, closeAll } = closing()
afterEach(closeAll)

const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] })
const schema = (properties: Record<string, object>) =>
  fromJsonSchema<Record<string, unknown>>({ type: 'object', properties })

function build(server: McpServer): void {
  const echo = async ({ said }: Record<string, unknown>) => text(String(said))
  server.registerTool(
    'echo',
    { description: 'Says it again', inputSchema: schema({ said: { type: 'string' } }) },
    echo,
  )
  server.registerTool(
    'tagged',
    { inputSchema: schema({ said: { type: 'string', 'x-mcp-header': 'Said' } }) },
    echo,
  )
  server.registerTool('fail', { inputSchema: schema({}) }, async () => ({ ...text('no'), isError: true }))
  server.registerTool('count', { inputSchema: schema({}) }, async (_, ctx) => {
    const token = ctx.mcpReq._meta?.progressToken
    for (const progress of [1, 2, 3])
      if (token !== undefined)
        await ctx.mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken: token, progress, message: `step ${progress}` },
        })
    return text('counted')
  })
  server.registerTool('ask', { inputSchema: schema({}) }, async (_, ctx) => {
    const reply = await ctx.mcpReq.send({
      method: 'elicitation/create',
      params: {
        message: 'Your name?',
        requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
      },
    })
    return text(JSON.stringify(reply))
  })
  server.registerTool('ask-beside', { inputSchema: schema({}) }, async (_, ctx) => {
    const reply = await ctx.mcpReq.elicitInput({
      message: 'Your name?',
      requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
    })
    return text(JSON.stringify(reply))
  })
  server.registerTool('ask-newer', { inputSchema: schema({}) }, async () =>
    inputRequired({
      inputRequests: {
        name: inputRequired.elicit({
          message: 'Your name?',
          requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
        }),
      },
    }),
  )
  server.registerTool('wait', { inputSchema: schema({}) }, async (_, ctx) => {
    waiting.push(ctx.mcpReq.signal)
    await new Promise((resolve) => ctx.mcpReq.signal.addEventListener('abort', resolve))
    return text('never')
  })
}
const waiting: AbortSignal[] = []

async function start(options: Partial<OfficialMcpOptions> & Pick<OfficialMcpOptions, 'era'>) {
  const official = await startOfficialMcpServer({ build, ...options })
  const upstreams = startUpstreams()
  opened.push(official, upstreams)
  return { official, upstreams, server: mcpServer(official.url) }
}

const eras = [
  ['2026-07-28', { era: 'modern' }],
  ['2025-11-25', { era: 'legacy' }],
  ['2025-11-25', { era: 'legacy', enableJsonResponse: true }],
  ['2025-06-18', { era: 'legacy', supportedProtocolVersions: ['2025-06-18'] }],
  ['2025-03-26', { era: 'legacy', supportedProtocolVersions: ['2025-03-26'] }],
  ['2025-11-25', { era: 'stateless' }],
] as const

describe.each(eras)('an official server of %s (%o)', (version, options) => {
  test('is listed with all that it says of itself', async () => {
    const { upstreams, server } = await start({ ...options, instructions: 'Be kind' } as OfficialMcpOptions)
    const listing = await upstreams.list(server, requestTo(server).owner)
    expect(listing).toMatchObject({
      protocolVersion: version,
      serverInfo: { name: 'official', version: '1.2.3' },
      instructions: 'Be kind',
    })
    expect(listing.tools.map(({ name }) => name)).toEqual([
      'echo',
      'tagged',
      'fail',
      'count',
      'ask',
      'ask-beside',
      'ask-newer',
      'wait',
    ])
  })

  test('is called once for each request, after one handshake', async () => {
    const { official, upstreams, server } = await start(options as OfficialMcpOptions)
    for (const said of ['one', 'two']) {
      const end = await upstreams.request(
        requestTo(server, { paramsJson: JSON.stringify({ name: 'echo', arguments: { said } }) }),
      )
      expect(end).toMatchObject({ type: 'result' })
      if (end.type === 'result') expect(JSON.parse(end.json)).toMatchObject(text(said))
    }
    expect(official.seenOf('tools/call')).toHaveLength(2)
    expect(official.seenOf(version === '2026-07-28' ? 'server/discover' : 'initialize')).toHaveLength(1)
  })

  test('gets the params as they were written', async () => {
    const { official, upstreams, server } = await start(options as OfficialMcpOptions)
    const written = '"arguments": {"said":"\\u00e9", "n": 1.50, "big": 12345678901234567890}'
    await upstreams.request(requestTo(server, { paramsJson: `{"name":"echo",  ${written} }` }))
    expect(official.seenOf('tools/call')[0]?.raw).toContain(written)
  })

  test('may answer with more than a socket reads at once', async () => {
    const { upstreams, server } = await start(options as OfficialMcpOptions)
    const said = 'x'.repeat(1_500_000)
    const paramsJson = JSON.stringify({ name: 'echo', arguments: { said } })
    const end = await upstreams.request(requestTo(server, { paramsJson }))
    expect(end).toMatchObject({ type: 'result', json: expect.stringContaining(said) })
  })

  test('tells errors of tools from errors of the protocol', async () => {
    const { upstreams, server } = await start(options as OfficialMcpOptions)
    const failed = await upstreams.request(
      requestTo(server, { paramsJson: '{"name":"fail","arguments":{}}' }),
    )
    expect(failed).toMatchObject({ type: 'result', json: expect.stringContaining('"isError":true') })
    const unknown = await upstreams.request(
      requestTo(server, { method: 'nothing/like-it', paramsJson: '{}' }),
    )
    expect(unknown).toMatchObject({ type: 'error', code: -32_601 })
  })

  test('reports progress under the token of the caller', async () => {
    const { upstreams, server } = await start(options as OfficialMcpOptions)
    const heard: [string, unknown][] = []
    const end = await upstreams.request(
      requestTo(
        server,
        { paramsJson: '{"name":"count","arguments":{},"_meta":{"progressToken":"mine"}}' },
        { onNotification: (method, params) => heard.push([method, JSON.parse(params)]) },
      ),
    )
    expect(end).toMatchObject({ type: 'result' })
    if ('enableJsonResponse' in options) return
    expect(heard).toEqual(
      [1, 2, 3].map((progress) => [
        'notifications/progress',
        { progressToken: 'mine', progress, message: `step ${progress}` },
      ]),
    )
  })

  test('hears that its caller is gone', async () => {
    const { upstreams, server } = await start(options as OfficialMcpOptions)
    waiting.length = 0
    const gone = new AbortController()
    const ending = upstreams.request(
      requestTo(server, { paramsJson: '{"name":"wait","arguments":{}}', signal: gone.signal }),
    )
    await waitFor('the tool to run', () => waiting.length === 1)
    gone.abort()
    expect(await ending).toMatchObject({ type: 'failure', failure: 'cancelled' })
    // A stateless one cannot know which request is meant.
    if (options.era !== 'stateless') await waitFor('the tool to be told', () => waiting[0]?.aborted)
  })
})

test('an older server asks the caller, and goes on with the reply', async () => {
  const { upstreams, server } = await start({ era: 'legacy' })
  const asked: unknown[] = []
  const end = await upstreams.request(
    requestTo(
      server,
      { paramsJson: '{"name":"ask","arguments":{}}' },
      {
        capabilities: { elicitation: {} },
        ask: async (method, params) => {
          asked.push([method, JSON.parse(params).message])
          return '{"result":{"action":"accept","content":{"name":"Ada"}}}'
        },
      },
    ),
  )
  expect(asked).toEqual([['elicitation/create', 'Your name?']])
  expect(end).toMatchObject({ type: 'result', json: expect.stringContaining('Ada') })
})

test('a question that an older server asks beside the answer reaches the caller too', async () => {
  const { official, upstreams, server } = await start({ era: 'legacy' })
  const askedAtMs: number[] = []
  const ask = () =>
    upstreams.request(
      requestTo(
        server,
        { paramsJson: '{"name":"ask-beside","arguments":{}}' },
        {
          capabilities: { elicitation: {} },
          ask: async () => {
            askedAtMs.push(performance.now())
            return '{"result":{"action":"accept","content":{"name":"Ada"}}}'
          },
        },
      ),
    )
  for (let i = 0; i < 2; i++)
    expect(await ask()).toMatchObject({ type: 'result', json: expect.stringContaining('Ada') })
  // It stays open for a second between two calls; a machine that stood still for longer has it opened again.
  const [first = 0, second = 0] = askedAtMs
  if (second - first < 1_000) expect(official.seen.filter(({ method }) => method === 'GET')).toHaveLength(1)
})

test('a newer server that needs more says so in its result', async () => {
  const { upstreams, server } = await start({ era: 'modern' })
  const end = await upstreams.request(
    requestTo(
      server,
      { paramsJson: '{"name":"ask-newer","arguments":{}}' },
      { capabilities: { elicitation: {} } },
    ),
  )
  expect(end).toMatchObject({ type: 'result', json: expect.stringContaining('input_required') })
})

test('a newer server gets method, name and arguments in headers too', async () => {
  const { official, upstreams, server } = await start({ era: 'modern' })
  const { tools } = await upstreams.list(server, requestTo(server).owner)
  const pinned = tools.map((definition) => ({
    name: String(definition.name),
    state: 'approved' as const,
    hash: '',
    definition,
    isUnapproved: false,
  }))
  const end = await upstreams.request(
    requestTo({ ...server, tools: pinned }, { paramsJson: '{"name":"tagged","arguments":{"said":"grüße"}}' }),
  )
  expect(end).toMatchObject({ type: 'result' })
  expect(official.seenOf('tools/call')[0]?.headers).toMatchObject({
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'tagged',
    'mcp-param-said': `=?base64?${Buffer.from('grüße').toString('base64')}?=`,
  })
})
