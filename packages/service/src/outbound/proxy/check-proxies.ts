import { buildConnector } from 'undici'
import { createConnectToProxy } from './proxied-connector.js'
import { type ProxySettings, readProxyServers } from './proxies.js'

const timeoutMs = 5_000

/** Connects to each proxy, without a request. `fault` is null for one that accepts connections. */
export async function checkProxies(
  settings: ProxySettings,
): Promise<{ scheme: string; name: string; fault: string | null }[]> {
  const connectToProxy = createConnectToProxy(buildConnector({ timeout: timeoutMs }))
  const servers = Object.entries(readProxyServers(settings))
  return await Promise.all(
    servers.flatMap(([scheme, proxy]) => {
      if (proxy === null) return []
      const { name } = proxy
      return new Promise<{ scheme: string; name: string; fault: string | null }>((resolve) => {
        connectToProxy(proxy, (error, socket) => {
          socket?.destroy()
          resolve({ scheme, name, fault: error?.message ?? null })
        })
      })
    }),
  )
}
