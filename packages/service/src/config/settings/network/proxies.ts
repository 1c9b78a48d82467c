import ipaddr from 'ipaddr.js'
import type { ReadVariable } from '../variables.js'

/** The proxies that requests to other hosts leave by. */
export interface ProxyConfig {
  /** For `http:` targets; null when they are reached directly. */
  http: string | null
  /** For `https:` targets; null when they are reached directly. */
  https: string | null
  /** Hosts that are reached directly. */
  bypass: BypassRule[]
  /** True when names of targets are resolved by the proxy alone, so that it decides which addresses are allowed. */
  resolvesNames: boolean
}

/** An entry of `NO_PROXY`: every host, a range of addresses, or a domain with all names below it. */
export interface BypassRule {
  host: '*' | { range: string } | { domain: string }
  /** Null for every port. */
  port: number | null
}

/** As curl and Go have it, each scheme has its own variable, in upper or lower case. Null without a proxy. */
export function readProxies(read: ReadVariable, faults: string[]): ProxyConfig | null {
  const proxyOf = (name: string) => readProxyUrl(name, read, faults)
  const [http, https] = [proxyOf('HTTP_PROXY'), proxyOf('HTTPS_PROXY')]
  const bypass = readBypassRules(readEitherCase('NO_PROXY', read), faults)
  const resolvesNames = readFlag('TALLYSTICK_PROXY_RESOLVES_NAMES', read, faults)
  return http === null && https === null ? null : { http, https, bypass, resolvesNames }
}

const readEitherCase = (name: string, read: ReadVariable) => read(name.toLowerCase()) ?? read(name)

function readProxyUrl(name: string, read: ReadVariable, faults: string[]): string | null {
  const text = readEitherCase(name, read)
  if (text === null) return null
  // curl takes `proxy.example.com:3128` too.
  const withScheme = /^[a-z0-9+.-]+:\/\//i.test(text) ? text : `http://${text}`
  const url = URL.canParse(withScheme) ? new URL(withScheme) : null
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === ''
  if (isPlain && canDecode(url.username) && canDecode(url.password)) return url.href
  faults.push(
    `${name}: must be the URL of an HTTP proxy, such as http://proxy.example.com:3128 or https://user:password@proxy.example.com`,
  )
  return null
}

function canDecode(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

function readBypassRules(text: string | null, faults: string[]): BypassRule[] {
  const entries = (text ?? '').split(/[\s,]+/).filter((entry) => entry !== '')
  return entries.flatMap((entry) => {
    const rule = readBypassRule(entry.toLowerCase())
    if (rule === null)
      faults.push(
        `NO_PROXY: must be hosts, domains, addresses, ranges or *, each with or without a port; not ${entry}`,
      )
    return rule ?? []
  })
}

function readBypassRule(entry: string): BypassRule | null {
  if (entry === '*') return { host: '*', port: null }
  if (ipaddr.isValidCIDR(entry)) return { host: { range: entry }, port: null }
  if (ipaddr.isValid(entry)) return { host: { range: rangeOf(entry) }, port: null }
  const [, host = '', portText] = /^(.*?)(?::(\d{1,5}))?$/.exec(entry) ?? []
  const port = portText === undefined ? null : Number(portText)
  const address = host.replace(/^\[(.*)\]$/, '$1')
  if (ipaddr.isValid(address)) return { host: { range: rangeOf(address) }, port }
  const domain = host.replace(/^\*?\./, '').replace(/\.$/, '')
  return /^[\w-]+(\.[\w-]+)*$/.test(domain) ? { host: { domain }, port } : null
}

const rangeOf = (address: string) => `${address}/${ipaddr.parse(address).kind() === 'ipv4' ? 32 : 128}`

function readFlag(name: string, read: ReadVariable, faults: string[]): boolean {
  const text = read(name)
  if (text !== null && text !== 'true' && text !== 'false') faults.push(`${name}: must be true or false`)
  return text === 'true'
}
