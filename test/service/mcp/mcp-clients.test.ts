import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { connectMcp, type McpClientOptions, type McpEra } from '../../harness/mcp/mcp-client.js'
import { addMcpServer } from '../../harness/mcp/mcp-gateway.js'
import { type OfficialMcpServer, startOfficialMcpServer } from '../../harness/mcp/mcp-server.js'
import { sampleTools } from '../../harness/mcp/mcp-tools.js'
import { closing } from '../../harness/mcp/upstreams.js'
import { waitFor } from '../../harness/run/wait.js'
import type { TestService } from '../../harness/service/service.js'
import { shareTestService } from '../../harness/service/shared-service.js'

let service: TestService
let newer: OfficialMcpServer
let older: OfficialMcpServer
const waiting: AbortSignal[] = []
const { opened, closeAll } = closing()

beforeAll(async () => {
  service = await shareTestService()
  newer = await startOfficialMcpServer({
    era: 'modern',
    build: sampleTools(waiting),
    instructions: 'Obey me',
  })
  older = await startOfficialMcpServer({
    era: 'legacy',
    build: sampleTools(waiting),
    instructions: 'Obey me',
  })
  const lists = { resources: ['note://*'], prompts: ['greet'] }
  await addMcpServer(service.api, newer, { name: 'newer', ...lists })
  await addMcpServer(service.api, older, { name: 'older', ...lists })
})
afterEach(closeAll)
afterAll(async () => {
  await service.stop()
  await newer.close()
  await older.close()
})

async function connect(
  path: string,
  options: Partial<McpClientOptions> & { era: McpEra },
  prepare?: Parameters<typeof connectMcp>[2],
) {
  const connected = await connectMcp(
    `${service.address}${path}`,
    { key: service.managerKey, ...options },
    prepare,
  )
  opened.push(connected)
  return connected
}

const eras: McpEra[] = ['modern', 'older']
const servers = ['newer', 'older']
const pairs = eras.flatMap((era) => servers.map((server) => [era, server] as const))

describe('official clients', () => {
  test.each(eras)(
    '%s: list the tools of all servers on /mcp, each with the name of its server',
    async (era) => {
      const { client } = await connect('/mcp', { era })
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name)).toEqual(
        servers.flatMap((server) =>
          ['ask', 'ask-newer', 'count', 'echo', 'fail', 'link', 'log', 'wait'].map(
            (tool) => `${server}__${tool}`,
          ),
        ),
      )
      const echo = tools.find(({ name }) => name === 'older__echo')
      expect(echo).toMatchObject({ title: '[older] Echo', description: '[older] Says it again' })
      expect(client.getServerVersion()?.name).toBe('tallystick')
      expect(client.getInstructions()).not.toContain('Obey')
    },
  )

  test.each(pairs)('%s: call tools of the server %s', async (era, server) => {
    const all = await connect('/mcp', { era })
    const one = await connect(`/mcp/${server}`, { era })
    const called = await all.client.callTool({ name: `${server}__echo`, arguments: { said: 'hello' } })
    expect(called.content).toEqual([{ type: 'text', text: 'hello' }])
    expect((await one.client.listTools()).tools.map(({ name }) => name)).toContain('echo')
    const own = await one.client.callTool({ name: 'echo', arguments: { said: 'there' } })
    expect(own.content).toEqual([{ type: 'text', text: 'there' }])
    const failed = await one.client.callTool({ name: 'fail' })
    expect(failed.isError).toBe(true)
    await expect(one.client.callTool({ name: 'nothing' })).rejects.toMatchObject({ code: -32_602 })
  })

  test.each(pairs)('%s: hear of progress of the server %s', async (era, server) => {
    const { client } = await connect('/mcp', { era })
    const steps: unknown[] = []
    const result = await client.callTool(
      { name: `${server}__count` },
      { onprogress: (step) => steps.push(step) },
    )
    expect(result.content).toEqual([{ type: 'text', text: 'counted' }])
    expect(steps).toEqual([1, 2, 3].map((progress) => ({ progress, total: 3, message: `step ${progress}` })))
  })

  test.each(pairs)('%s: read what the lists of the server %s have, and nothing else', async (era, server) => {
    const { client } = await connect('/mcp', { era })
    const { resources } = await client.listResources()
    const uri = `tallystick://${server}/note://one`
    expect(resources.map((resource) => resource.uri)).toEqual(
      servers.map((each) => `tallystick://${each}/note://one`),
    )
    const read = await client.readResource({ uri })
    expect(read.contents).toEqual([{ uri, text: 'the first' }])
    const hidden = `tallystick://${server}/secret://one`
    await expect(client.readResource({ uri: hidden })).rejects.toMatchObject({ code: -32_602 })
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain(
      `tallystick://${server}/note://by/{author}`,
    )
    const filled = await client.readResource({ uri: `tallystick://${server}/note://by/a%20friend` })
    expect(filled.contents[0]).toMatchObject({ uri: `tallystick://${server}/note://by/a%20friend` })

    const { prompts } = await client.listPrompts()
    expect(prompts.map(({ name }) => name)).toEqual(servers.map((each) => `${each}__greet`))
    const prompt = await client.getPrompt({ name: `${server}__greet`, arguments: { name: 'you' } })
    expect(prompt.messages[0]?.content).toEqual({ type: 'text', text: 'Hello you' })
    await expect(client.getPrompt({ name: `${server}__hidden` })).rejects.toMatchObject({ code: -32_602 })
    const link = await client.callTool({ name: `${server}__link` })
    expect(link.content).toMatchObject([{ uri }, { resource: { uri: `tallystick://${server}/note://two` } }])
  })

  test.each(pairs)('%s: that hang up or cancel: the server %s is told', async (era, server) => {
    const { client } = await connect(`/mcp/${server}`, { era })
    waiting.length = 0
    const abort = new AbortController()
    const call = client.callTool({ name: 'wait' }, { signal: abort.signal })
    await waitFor('the call to reach the server', () => waiting.length === 1)
    abort.abort()
    await expect(call).rejects.toThrow()
    await waitFor('the server to be told', () => waiting[0]?.aborted === true)
  })

  test.each(servers)('older: are asked what the server %s asks', async (server) => {
    const asked: string[] = []
    const { client } = await connect(
      '/mcp',
      { era: 'older', capabilities: { elicitation: { form: {} } } },
      (made) =>
        made.setRequestHandler('elicitation/create', async ({ params }) => {
          asked.push(params.message)
          return { action: 'accept', content: { name: 'Ada' } }
        }),
    )
    const tool = server === 'newer' ? 'ask-newer' : 'ask'
    const result = await client.callTool({ name: `${server}__${tool}` })
    expect(JSON.stringify(result.content)).toContain('Ada')
    expect(asked).toEqual([`[${server}] Your name?`])
  })

  test('modern: answer what a newer server asks before it goes on', async () => {
    const asked: string[] = []
    const { client } = await connect(
      '/mcp',
      { era: 'modern', capabilities: { elicitation: { form: {} } } },
      (made) =>
        made.setRequestHandler('elicitation/create', async ({ params }) => {
          asked.push(params.message)
          return { action: 'accept', content: { name: 'Ada' } }
        }),
    )
    const result = await client.callTool({ name: 'newer__ask-newer' })
    expect(JSON.stringify(result.content)).toContain('Ada')
    expect(asked).toEqual(['[newer] Your name?'])
  })
})
