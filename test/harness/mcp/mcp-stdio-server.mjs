// A server by stdio, made with the official package; the first argument says how it behaves.
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'

const [mode = 'both'] = process.argv.slice(2)
const text = (said) => ({ content: [{ type: 'text', text: said }] })
const schema = fromJsonSchema({ type: 'object', properties: {} })

function build() {
  const server = new McpServer(
    { name: 'by-stdio', version: '2.0.0' },
    { capabilities: { tools: { listChanged: true } }, instructions: 'Read the manual' },
  )
  server.registerTool('echo', { inputSchema: schema }, async (args) => text(JSON.stringify(args)))
  server.registerTool('environment', { inputSchema: schema }, async () => text(JSON.stringify(process.env)))
  server.registerTool('pid', { inputSchema: schema }, async () => text(String(process.pid)))
  server.registerTool('huge', { inputSchema: schema }, async ({ bytes }) => text('x'.repeat(bytes)))
  server.registerTool('die', { inputSchema: schema }, async () => process.exit(3))
  server.registerTool('complain', { inputSchema: schema }, async ({ said }) => {
    process.stderr.write(`${said}\n`)
    return text('complained')
  })
  server.registerTool('changed', { inputSchema: schema }, async () => {
    server.sendToolListChanged()
    return text('changed')
  })
  server.registerTool('wait', { inputSchema: schema }, async (_, ctx) => {
    process.stderr.write('waiting\n')
    await new Promise((resolve) => ctx.mcpReq.signal.addEventListener('abort', resolve))
    process.stderr.write('told to stop\n')
    return text('never')
  })
  server.registerTool('count', { inputSchema: schema }, async (_, ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken
    for (const progress of [1, 2, 3])
      await ctx.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress } })
    return text('counted')
  })
  return server
}

const modes = {
  both: () => serveStdio(build),
  older: () => build().connect(new StdioServerTransport()),
  /** Writes its log where only messages belong. */
  chatty() {
    for (let i = 0; i < 100; i++) process.stdout.write(`starting ${i}\n{"half":\n`)
    modes.older()
  },
  /** Ends when it is asked something before the handshake. */
  strict() {
    process.stdin.once('data', (chunk) => {
      if (!String(chunk).includes('"initialize"')) process.exit(1)
      process.stdin.unshift(chunk)
      modes.older()
    })
  },
  'ends-at-once': () => process.exit(7),
  deaf: () => setInterval(() => undefined, 1_000),
  /** Ends neither with its input nor when it is asked to. */
  stubborn() {
    process.on('SIGTERM', () => undefined)
    setInterval(() => undefined, 1_000)
    modes.older()
  },
  /** Writes without an end, and never a message. */
  flood() {
    const pour = () => {
      while (process.stdout.write('x'.repeat(65_536)));
      process.stdout.once('drain', pour)
    }
    pour()
  },
  'flood-of-lines': () => {
    const pour = () => {
      while (process.stdout.write('nonsense\n'.repeat(8_192)));
      process.stdout.once('drain', pour)
    }
    pour()
  },
}
modes[mode]()
