import { describe, expect, test } from 'vitest'
import { readProxies } from '../../config/settings/network/proxies.js'
import { createFindProxy } from './proxies.js'

const corporate = { HTTPS_PROXY: 'http://proxy.example.com:3128', HTTP_PROXY: 'http://plain.example.com' }

function settingsOf(env: Record<string, string>) {
  const faults: string[] = []
  const settings = readProxies((name) => env[name] ?? null, faults)
  return { settings, faults }
}

function leadsThrough(env: Record<string, string>, url: string): string | null {
  const { settings, faults } = settingsOf(env)
  expect(faults).toEqual([])
  if (settings === null) return null
  const { protocol, hostname, port } = new URL(url)
  const proxy = createFindProxy(settings)(
    protocol,
    hostname,
    Number(port || (protocol === 'https:' ? 443 : 80)),
  )
  return proxy?.name ?? null
}

test('each scheme has its own proxy, as with curl', () => {
  expect(leadsThrough(corporate, 'https://api.example.net/')).toBe('http://proxy.example.com:3128')
  expect(leadsThrough(corporate, 'http://api.example.net/')).toBe('http://plain.example.com')
  expect(leadsThrough({ HTTP_PROXY: corporate.HTTP_PROXY }, 'https://api.example.net/')).toBeNull()
  expect(leadsThrough({}, 'https://api.example.net/')).toBeNull()
})

test('variables in lower case count, and go first', () => {
  expect(leadsThrough({ https_proxy: 'proxy:1' }, 'https://a.example.net/')).toBe('http://proxy:1')
  expect(leadsThrough({ ...corporate, https_proxy: 'http://other:1' }, 'https://a.example.net/')).toBe(
    'http://other:1',
  )
  expect(leadsThrough({ ...corporate, no_proxy: '*' }, 'https://a.example.net/')).toBeNull()
})

describe('NO_PROXY', () => {
  test.each([
    ['*', 'https://api.example.net/'],
    ['example.net', 'https://example.net/'],
    ['example.net', 'https://API.Example.NET./'],
    ['.example.net', 'https://api.example.net/'],
    ['*.example.net', 'https://api.example.net/'],
    ['other.org, example.net', 'https://api.example.net/'],
    ['other.org example.net', 'https://api.example.net/'],
    ['example.net:8443', 'https://api.example.net:8443/'],
    ['10.0.0.0/8', 'https://10.20.30.40/'],
    ['192.168.1.7', 'https://192.168.1.7/'],
    ['192.168.1.7:443', 'https://192.168.1.7/'],
    ['fd00::/8', 'https://[fd00::5]/'],
    ['[fd00::5]:8443', 'https://[fd00::5]:8443/'],
  ])('%s covers %s', (noProxy, url) => {
    expect(leadsThrough({ ...corporate, NO_PROXY: noProxy }, url)).toBeNull()
  })

  test.each([
    ['example.net', 'https://notexample.net/'],
    ['example.net', 'https://example.net.evil.org/'],
    ['example.net:8443', 'https://example.net/'],
    ['api.example.net', 'https://example.net/'],
    ['10.0.0.0/8', 'https://11.0.0.1/'],
    // The name is not resolved: curl and Go compare what the URL says.
    ['10.0.0.0/8', 'https://internal.example.net/'],
  ])('%s does not cover %s', (noProxy, url) => {
    expect(leadsThrough({ ...corporate, NO_PROXY: noProxy }, url)).toBe('http://proxy.example.com:3128')
  })
})

test.each(['localhost', 'api.localhost', '127.0.0.1', '127.8.8.8', '[::1]'])(
  'this machine (%s) is never reached through a proxy',
  (host) => expect(leadsThrough(corporate, `https://${host}/`)).toBeNull(),
)

test('user and password are decoded, and are not part of the name in messages', () => {
  const { settings } = settingsOf({ HTTPS_PROXY: 'https://ada:p%40ss@proxy.example.com' })
  const proxy = settings && createFindProxy(settings)('https:', 'api.example.net', 443)
  expect(proxy).toMatchObject({
    name: 'https://proxy.example.com',
    authorization: `Basic ${Buffer.from('ada:p@ss').toString('base64')}`,
  })
})

test.each([
  [{ HTTPS_PROXY: 'socks5://proxy:1080' }, 'HTTPS_PROXY: must be the URL of an HTTP proxy'],
  [{ HTTP_PROXY: 'http://proxy/path' }, 'HTTP_PROXY: must be the URL of an HTTP proxy'],
  [{ HTTPS_PROXY: 'http://ada:%@proxy' }, 'HTTPS_PROXY: must be the URL of an HTTP proxy'],
  [{ NO_PROXY: 'https://example.net' }, 'NO_PROXY: must be hosts'],
  [{ TALLYSTICK_PROXY_RESOLVES_NAMES: 'yes' }, 'TALLYSTICK_PROXY_RESOLVES_NAMES: must be true or false'],
])('%j is refused, without the secrets in it', (env, fault) => {
  const { faults } = settingsOf(env as Record<string, string>)
  expect(faults).toEqual([expect.stringContaining(fault)])
  expect(faults[0]).not.toContain('ada:%')
})
