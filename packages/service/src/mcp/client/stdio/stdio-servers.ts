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
  const byId = new Map<string, { settings: string; running: StdioServer }>()
  // Bounded: replaced servers, until their requests have ended.
  const retired = new Set<StdioServer>()
  const retire = (server: StdioServer) => {
    retired.add(server)
    void server.retire().finally(() => retired.delete(server))
  }
  return {
    serverOf(server: ToolServer): StdioServer {
      const { id, name, transport, maxResultBytes } = server
      if (transport.type !== 'stdio') throw new Error('this server does not use stdio')
      const settings = JSON.stringify([transport, maxResultBytes])
      const known = byId.get(id)
      if (known?.settings === settings) return known.running
      if (known) retire(known.running)
      const created = new StdioServer({
        ...options,
        transport,
        maxLineBytes: maxResultBytes + envelopeBytes,
        onOutput: (text) => options.onOutput(name, text),
        onListChanged: () => options.onListChanged(server),
      })
      byId.set(id, { settings, running: created })
      return created
    },
    /** Ends the processes of servers that are no longer in the file, after their requests. */
    keepOnly(ids: ReadonlySet<string>): void {
      for (const [id, { running }] of byId) {
        if (ids.has(id)) continue
        byId.delete(id)
        retire(running)
      }
    },
    async close(): Promise<void> {
      const current = [...byId.values()].map(({ running }) => running)
      await Promise.all([...current, ...retired].map((each) => each.close()))
    },
  }
}
