import { isDistinctive, type OtherServers } from './flags.js'

interface NamedServer {
  id: string
  name: string
}

/** Returns the names of the other servers, and of their tools that this one does not have. */
export function othersOf(
  serverId: string,
  servers: readonly NamedServer[],
  tools: readonly { server_id: string; name: string }[],
): OtherServers {
  const others = new Map(servers.filter(({ id }) => id !== serverId).map(({ id, name }) => [id, name]))
  const own = new Set(tools.filter(({ server_id }) => server_id === serverId).map(({ name }) => name))
  const serverOf = new Map<string, string>()
  for (const { server_id, name } of tools) {
    const server = others.get(server_id)
    if (server !== undefined && isDistinctive(name) && !own.has(name)) serverOf.set(name, server)
  }
  return { serverOf: (name) => serverOf.get(name), names: new Set(others.values()) }
}
