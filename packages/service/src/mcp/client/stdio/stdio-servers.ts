import type { ToolServer } from '../../../resources/mcp-servers/index.js'
import { StdioServer, type StdioServerOptions } from './stdio-server.js'

// A line holds an answer and the members of JSON-RPC around it.
const envelopeBytes = 65_536

/** Creates the servers of the operator's file that run as processes. All tenants share the process of a server. */
export function createStdioServers(
  options: Omit<StdioServerOptions, 'transport' | 'maxLineBytes' | 'onOutput' | 'onListChanged'> & {
    onOutput(server: string, text: string): void
    onListChanged(server: ToolServer): void
  },
) {
  // Bounded: servers of the operator's file.
  const byId = new Map<string, StdioServer>()
  return {
    serverOf(server: ToolServer): StdioServer {
      const { id, name, transport, maxResultBytes } = server
      if (transport.type !== 'stdio') throw new Error('this server does not use stdio')
      const known = byId.get(id)
      if (known !== undefined) return known
      const created = new StdioServer({
        ...options,
        transport,
        maxLineBytes: maxResultBytes + envelopeBytes,
        onOutput: (text) => options.onOutput(name, text),
        onListChanged: () => options.onListChanged(server),
      })
      byId.set(id, created)
      return created
    },
    async close(): Promise<void> {
      await Promise.all([...byId.values()].map((each) => each.close()))
    },
  }
}
