import { buildConnector } from 'undici'
import { errorCode } from '../../shared/error-code.js'
import { ProxyError } from '../../shared/proxy-error.js'
import { openTunnel } from './open-tunnel.js'
import { type FindProxy, type ProxyServer, portOf } from './proxies.js'

interface ProxiedConnectorOptions {
  findProxy: FindProxy
  /** Connects to targets that no proxy leads to. */
  direct: buildConnector.connector
  /** Rejects if the rules forbid the target, which the proxy would reach nevertheless. */
  vet(protocol: string, hostname: string): Promise<void>
  timeoutMs: number
}

/**
 * Connects to a target through a proxy: to an HTTPS target by a tunnel, within which TLS is spoken to the target itself; for a plain
 * HTTP target to the proxy, which is sent the whole URL of each request.
 */
export function createProxiedConnector(options: ProxiedConnectorOptions): buildConnector.connector {
  const { findProxy, direct, vet, timeoutMs } = options
  const connect = buildConnector({ timeout: timeoutMs })
  const connectToProxy = createConnectToProxy(connect)

  return (target, done) => {
    const { protocol, hostname } = target
    const port = portOf(target)
    const proxy = findProxy(protocol, hostname, port)
    if (proxy === null) return direct(target, done)
    vet(protocol, hostname)
      .then(async () => {
        if (protocol !== 'https:') return connectToProxy(proxy, done)
        const httpSocket = await openTunnel(proxy, { hostname, port }, timeoutMs)
        connect({ ...target, httpSocket }, done)
      })
      .catch((error) => done(error, null))
  }
}

/** Connects to the proxy itself. Fails with a `ProxyError`. */
export const createConnectToProxy =
  (connect: buildConnector.connector) =>
  ({ url, name }: ProxyServer, done: buildConnector.Callback): void => {
    const { protocol, host } = url
    const hostname = url.hostname.replace(/^\[|\]$/g, '')
    connect({ protocol, host, hostname, port: String(portOf(url)) }, (error, socket) => {
      if (error === null) return done(null, socket)
      const what = `the proxy ${name} cannot be reached (${errorCode(error) ?? error.name})`
      done(new ProxyError(what, { cause: error }), null)
    })
  }
