import { fromJsonSchema, inputRequired, type McpServer, ResourceTemplate } from '@modelcontextprotocol/server'

const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] })
const schema = (properties: Record<string, object>) =>
  fromJsonSchema<Record<string, unknown>>({ type: 'object', properties })
const question = {
  message: 'Your name?',
  requestedSchema: { type: 'object' as const, properties: { name: { type: 'string' as const } } },
}

/** Tools, resources and prompts that do all that a server can. `waiting` has the signals of calls of `wait` that are under way. */
export function sampleTools(waiting: AbortSignal[] = []) {
  return (server: McpServer): void => {
    server.registerTool(
      'echo',
      { title: 'Echo', description: 'Says it again', inputSchema: schema({ said: { type: 'string' } }) },
      async ({ said }) => text(String(said)),
    )
    server.registerTool('fail', { inputSchema: schema({}) }, async () => ({ ...text('no'), isError: true }))
    server.registerTool('count', { inputSchema: schema({}) }, async (_, ctx) => {
      const token = ctx.mcpReq._meta?.progressToken
      for (const progress of [1, 2, 3])
        if (token !== undefined)
          await ctx.mcpReq.notify({
            method: 'notifications/progress',
            params: { progressToken: token, progress, total: 3, message: `step ${progress}` },
          })
      return text('counted')
    })
    server.registerTool('log', { inputSchema: schema({}) }, async (_, ctx) => {
      await ctx.mcpReq.log('debug', 'a detail')
      await ctx.mcpReq.log('warning', 'a warning')
      return text('logged')
    })
    server.registerTool('ask', { inputSchema: schema({}) }, async (_, ctx) => {
      const reply = await ctx.mcpReq.send({ method: 'elicitation/create', params: question })
      return text(JSON.stringify(reply))
    })
    server.registerTool('ask-newer', { inputSchema: schema({}) }, async (_, ctx) => {
      const { inputResponses } = ctx.mcpReq
      return inputResponses === undefined
        ? inputRequired({ inputRequests: { name: inputRequired.elicit(question) } })
        : text(JSON.stringify(inputResponses))
    })
    server.registerTool('wait', { inputSchema: schema({}) }, async (_, ctx) => {
      waiting.push(ctx.mcpReq.signal)
      await new Promise((resolve) => ctx.mcpReq.signal.addEventListener('abort', resolve))
      return text('never')
    })
    server.registerTool('link', { inputSchema: schema({}) }, async () => ({
      content: [
        { type: 'resource_link', uri: 'note://one', name: 'one' },
        { type: 'resource', resource: { uri: 'note://two', text: 'embedded' } },
      ],
    }))
    server.registerResource('one', 'note://one', { description: 'The first note' }, async (uri) => ({
      contents: [{ uri: uri.href, text: 'the first' }],
    }))
    server.registerResource('secret', 'secret://one', {}, async (uri) => ({
      contents: [{ uri: uri.href, text: 'not for everybody' }],
    }))
    server.registerResource(
      'notes',
      new ResourceTemplate('note://by/{author}', { list: undefined }),
      {},
      async (uri, { author }) => ({ contents: [{ uri: uri.href, text: `by ${author}` }] }),
    )
    server.registerPrompt(
      'greet',
      { description: 'Greets somebody', argsSchema: schema({ name: { type: 'string' } }) },
      async ({ name }) => ({
        messages: [{ role: 'user', content: { type: 'text', text: `Hello ${String(name)}` } }],
      }),
    )
    server.registerPrompt('hidden', { description: 'Not in the list' }, async () => ({
      messages: [{ role: 'user', content: { type: 'text', text: 'hidden' } }],
    }))
  }
}
