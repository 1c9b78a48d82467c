import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { type OAuthServer, startOAuthServer } from '../../../../../test/harness/mcp/oauth-server.js'
import { createOutbound, parseRange } from '../../outbound/index.js'
import { translateFaults } from './describe-fault.js'
import { discover } from './discover.js'
import { loadSdk } from './sdk.js'
import { createVettedFetch } from './vetted-fetch.js'

const opened: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()))
})

async function start(): Promise<OAuthServer> {
  const server = await startOAuthServer()
  opened.push(server)
  return server
}

/** In production, where only what the operator allows is reached beside the public. Names lead to `found`. */
function vettedBy(found: string[], timeoutMs?: number) {
  const rules = { strict: true, allowedRanges: [parseRange('127.0.0.1/32')] }
  const outbound = createOutbound({ ...rules, resolve: async () => found })
  const vetted = createVettedFetch(outbound, rules, 'test', timeoutMs)
  opened.push(vetted, outbound)
  return vetted
}

async function ask(server: OAuthServer, scopes: string[] = [], found: string[] = []) {
  const sdk = await loadSdk()
  return await translateFaults(sdk, () => discover(sdk, vettedBy(found), server.url, scopes))
}

test('a server says who gives tokens for it, and what for', async () => {
  const server = await start()
  expect(await ask(server)).toMatchObject({
    authorizationServerUrl: server.origin,
    metadata: { issuer: server.origin },
    resource: server.url,
    // What it said with its refusal; its description names more.
    scope: 'read',
  })
})

test('what a manager set is asked for, and nothing else', async () => {
  const server = await start()
  server.behaviour.metadata = { scopes_supported: ['offline_access'] }
  expect(await ask(server, ['issues', 'wiki'])).toMatchObject({ scope: 'issues wiki' })
})

test('a refresh token is asked for where there are such', async () => {
  const server = await start()
  server.behaviour.metadata = { scopes_supported: ['read', 'offline_access'] }
  expect(await ask(server)).toMatchObject({ scope: 'read offline_access' })
})

describe('nothing is asked of a place that the rules forbid, whoever names it', () => {
  test.each([
    ['an authorization server at a private address', { authorization_servers: ['https://10.0.0.5'] }, {}],
    ['one by a name that leads there', { authorization_servers: ['https://inside.example'] }, {}],
    [
      'one that gives a cloud machine its credentials',
      { authorization_servers: ['http://169.254.169.254'] },
      {},
    ],
    ['one by plain HTTP', { authorization_servers: ['http://auth.example'] }, {}],
  ])('%s', async (_, resourceMetadata, metadata) => {
    const server = await start()
    Object.assign(server.behaviour, { resourceMetadata, metadata })
    await expect(ask(server, [], ['10.0.0.5'])).rejects.toThrow(/cannot be asked: The address/)
  })

  test('a description of the server at another place', async () => {
    const server = await start()
    server.behaviour.answer = (path, response) =>
      path === '/mcp' && refuseWith(response, 'https://inside.example/description')
    await expect(ask(server, [], ['192.168.1.1'])).rejects.toThrow(
      /The address is refused: it must not lead to/,
    )
  })
})

test.each([
  ['another issuer than the one that was asked', { issuer: 'https://other.example' }, /the issuer differs/],
  ['no PKCE', { code_challenge_methods_supported: undefined }, /PKCE/],
  ['only plain PKCE', { code_challenge_methods_supported: ['plain'] }, /PKCE/],
  ['an address that runs in a browser', { authorization_endpoint: 'javascript:alert(1)' }, /not understood/],
  ['metadata that is none', { token_endpoint: 7 }, /not understood/],
])('an authorization server with %s is refused', async (_, metadata, words) => {
  const server = await start()
  server.behaviour.metadata = metadata
  await expect(ask(server)).rejects.toThrow(words)
})

test('a server that says it is another one is refused: a token for that would not be its', async () => {
  const server = await start()
  server.behaviour.resourceMetadata = { resource: 'https://bank.example/mcp' }
  await expect(ask(server)).rejects.toThrow(/is not its address/)
})

test.each(['/.well-known/oauth-authorization-server', '/.well-known/oauth-protected-resource/mcp', '/mcp'])(
  'a redirect at %s is not followed',
  async (at) => {
    const server = await start()
    const elsewhere = await start()
    server.behaviour.answer = (path, response) => {
      if (path !== at) return false
      response.writeHead(307, { location: `${elsewhere.origin}${at}` }).end()
      return true
    }
    await ask(server).catch(() => undefined)
    expect(elsewhere.requests).toEqual([])
  },
)

test('a redirect within the same place is not followed either', async () => {
  const server = await start()
  server.behaviour.answer = (path, response) => {
    if (path !== '/.well-known/oauth-authorization-server') return false
    response.writeHead(302, { location: '/elsewhere' }).end()
    return true
  }
  await expect(ask(server)).rejects.toThrow(/no OAuth metadata/)
  expect(server.requests).not.toContain('GET /elsewhere')
})

test.each<[string, (response: ServerResponse) => void, RegExp]>([
  ['without end', pour, /more than 256 KiB/],
  ['that is not JSON', (response) => response.end('<html>'), /not understood/],
  [
    'that breaks off',
    (response) => response.writeHead(200, { 'content-length': '9' }).destroy(),
    /cannot be asked/,
  ],
])('metadata %s is refused', async (_, answer, words) => {
  const server = await start()
  server.behaviour.answer = (path, response) => {
    if (path !== '/.well-known/oauth-authorization-server') return false
    answer(response)
    return true
  }
  await expect(ask(server)).rejects.toThrow(words)
})

test.each<[string, (response: ServerResponse) => void]>([
  ['says nothing', () => undefined],
  ['drips its answer', drip],
])('an authorization server that %s is given up at the deadline', async (_, answer) => {
  const server = await start()
  server.behaviour.answer = (path, response) => {
    if (path !== '/.well-known/oauth-authorization-server') return false
    answer(response)
    return true
  }
  const sdk = await loadSdk()
  const asked = translateFaults(sdk, () => discover(sdk, vettedBy([], 300), server.url, []))
  await expect(asked).rejects.toThrow(/No complete answer within 0.3 s/)
})

test('a server that answers with a stream is asked once, and not read', async () => {
  const server = await start()
  server.behaviour.answer = (path, response) => {
    if (path !== '/mcp') return false
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n')
    return true
  }
  expect(await ask(server)).toMatchObject({ scope: 'read write' })
})

function refuseWith(response: ServerResponse, description: string): boolean {
  response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${description}"` }).end()
  return true
}

function drip(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  const dripping = setInterval(() => response.write(' '), 20)
  response.on('close', () => clearInterval(dripping))
}

function pour(response: ServerResponse): void {
  const piece = Buffer.alloc(65_536, ' ')
  const write = () => {
    while (response.write(piece));
  }
  response.writeHead(200, { 'content-type': 'application/json' }).on('drain', write)
  write()
}
