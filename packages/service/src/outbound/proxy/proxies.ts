import { isIP } from 'node:net'
import { isInRanges, parseRange } from '../public-address.js'

/** As the configuration has them. */
export interface ProxySettings {
  http: string | null
  https: string | null
  bypass: readonly { host: '*' | { range: string } | { domain: string }; port: number | null }[]
  resolvesNames: boolean
}

export interface ProxyServer {
  url: URL
  /** The address without user and password, for messages. */
  name: string
  /** The value of `Proxy-Authorization`, if it has a user. */
  authorization: string | null
}

/** Returns the proxy that leads to a target; null when it is reached directly. */
export type FindProxy = (protocol: string, host: string, port: number) => ProxyServer | null

/**
 * Decides by the rules of curl and Go: a domain covers the names below it, a range covers addresses in the URL, and this machine is
 * never reached through a proxy.
 */
export function createFindProxy({ http, https, bypass }: ProxySettings): FindProxy {
  const proxies = readProxyServers({ http, https })
  const rules = bypass.map(({ host, port }) => ({ port, covers: coverageOf(host) }))
  return (protocol, hostname, port) => {
    const proxy = protocol === 'https:' ? proxies.https : proxies.http
    if (proxy === null) return null
    const host = hostname
      .toLowerCase()
      .replace(/^\[|\]$/g, '')
      .replace(/\.$/, '')
    if (isThisMachine(host)) return null
    const isBypassed = rules.some((rule) => (rule.port === null || rule.port === port) && rule.covers(host))
    return isBypassed ? null : proxy
  }
}

export const portOf = ({ protocol, port }: Pick<URL, 'protocol' | 'port'>): number =>
  Number(port || (protocol === 'https:' ? 443 : 80))

export const readProxyServers = ({ http, https }: Pick<ProxySettings, 'http' | 'https'>) => ({
  http: toProxy(http),
  https: toProxy(https),
})

function toProxy(text: string | null): ProxyServer | null {
  if (text === null) return null
  const url = new URL(text)
  const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)]
  const hasUser = user !== '' || password !== ''
  return {
    url,
    name: url.origin,
    authorization: hasUser ? `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` : null,
  }
}

function coverageOf(host: ProxySettings['bypass'][number]['host']): (host: string) => boolean {
  if (host === '*') return () => true
  if ('domain' in host) {
    const { domain } = host
    return (name) => name === domain || name.endsWith(`.${domain}`)
  }
  const ranges = [parseRange(host.range)]
  return (name) => isIP(name) !== 0 && isInRanges(name, ranges)
}

const loopback = ['127.0.0.0/8', '::1/128'].map(parseRange)

const isThisMachine = (host: string) =>
  host === 'localhost' || host.endsWith('.localhost') || (isIP(host) !== 0 && isInRanges(host, loopback))
