import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { type OfficialMcpServer, startOfficialMcpServer } from '../../harness/mcp/mcp-server.js'
import { type OAuthServer, startOAuthServer } from '../../harness/mcp/oauth-server.js'
import type { Api } from '../../harness/service/api.js'
import { startTestService, type TestService } from '../../harness/service/service.js'

const keys = { ada: '', bob: '' }
let service: TestService
let oauth: OAuthServer

beforeAll(async () => {
  service = await startTestService()
  keys.ada = (await service.api.post('/v1/keys', { name: 'Ada', userId: 'ada' })).body.key
  keys.bob = (await service.api.post('/v1/keys', { name: 'Bob', userId: 'bob' })).body.key
})
afterAll(() => service.stop())
beforeEach(async () => {
  oauth = await startOAuthServer()
  onTestFinished(() => oauth.close())
})

/** A server of this generation that wants something of each caller, and has one tool that everybody may call. */
async function addServer(
  era: 'modern' | 'legacy',
  name: string,
  auth: Record<string, unknown>,
  isRight: (request: OfficialMcpServer['seen'][number]) => boolean,
  connectManager: (id: string) => Promise<void>,
): Promise<{ id: string; official: OfficialMcpServer }> {
  const official = await startOfficialMcpServer({
    era,
    build: (server) =>
      void server.registerTool('hello', { description: 'Says hello.' }, () => ({
        content: [{ type: 'text', text: 'hello' }],
      })),
  })
  onTestFinished(() => official.close())
  const challenge = `Bearer resource_metadata="${oauth.origin}/.well-known/oauth-protected-resource/mcp"`
  official.intercept((request) =>
    isRight(request) ? null : new Response('', { status: 401, headers: { 'www-authenticate': challenge } }),
  )
  oauth.behaviour.resourceMetadata = { resource: official.url }
  const { api } = service
  const { id } = (await api.post('/v1/mcp-servers', { name, url: official.url, auth, open: true })).body
  await connectManager(id)
  const refreshed = await api.post(`/v1/mcp-servers/${id}/refresh`)
  expect(refreshed.body).toMatchObject({ status: 'ok', connected: true })
  expect((await api.post(`/v1/mcp-servers/${id}/tools/hello/approve`)).status).toBe(200)
  return { id, official }
}

async function connect(api: Api, id: string, account: string): Promise<void> {
  const { url } = (await api.post(`/v1/mcp-servers/${id}/connect`)).body
  const page = await fetch(url)
  const href = /href="([^"]+)"/.exec(await page.text())?.[1]?.replaceAll('&amp;', '&') ?? ''
  const cookie = page.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  expect((await fetch(await oauth.consent(href, account), { headers: { cookie } })).status).toBe(200)
}

async function call(key: string, server: string): Promise<unknown> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  const headers = { authorization: `Bearer ${key}` }
  const url = new URL(`/mcp/${server}`, service.address)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  try {
    return await client.callTool({ name: 'hello', arguments: {} })
  } finally {
    await client.close()
  }
}

const tokenOf = ({ headers }: { headers: { authorization?: string | undefined } }) =>
  headers.authorization?.replace('Bearer ', '') ?? ''

describe.each(['modern', 'legacy'] as const)('a %s server with accounts of its own', (era) => {
  test('is called with that of the user who calls, and not at all for one who has none', async () => {
    const name = `wiki-${era}`
    const isRight = (request: { headers: object }) => oauth.accountOf(tokenOf(request)) !== null
    const { id, official } = await addServer(era, name, { type: 'oauth' }, isRight, (made) =>
      connect(service.api, made, 'the manager'),
    )
    await connect(service.as(keys.ada), id, 'ada at the vendor')
    expect(await call(keys.ada, name)).toMatchObject({ content: [{ text: 'hello' }] })
    const accounts = () => official.seenOf('tools/call').map((seen) => oauth.accountOf(tokenOf(seen)))
    expect(accounts()).toEqual(['ada at the vendor'])
    // The gateway has the tokens of two others, and uses neither.
    await expect(call(keys.bob, name)).rejects.toThrow(/Connect your account to MCP server/)
    expect(accounts()).toEqual(['ada at the vendor'])
    await service.as(keys.ada).delete(`/v1/mcp-servers/${id}/credential`)
    await expect(call(keys.ada, name)).rejects.toThrow(/Connect your account/)
    expect(accounts()).toEqual(['ada at the vendor'])
  })

  test('is called with a value that a user stored, in the header that it wants', async () => {
    const name = `header-${era}`
    const auth = { type: 'header', header: 'x-account' }
    const isRight = ({ headers }: { headers: Record<string, unknown> }) =>
      /^of /.test(String(headers['x-account']))
    const { id, official } = await addServer(era, name, auth, isRight, async (made) => {
      await service.api.put(`/v1/mcp-servers/${made}/credential`, { value: 'of the manager' })
    })
    await service.as(keys.ada).put(`/v1/mcp-servers/${id}/credential`, { value: 'of ada' })
    expect(await call(keys.ada, name)).toMatchObject({ content: [{ text: 'hello' }] })
    expect(official.seenOf('tools/call').map(({ headers }) => headers['x-account'])).toEqual(['of ada'])
    await expect(call(keys.bob, name)).rejects.toThrow(/Store your credential/)
    await service.as(keys.ada).put(`/v1/mcp-servers/${id}/credential`, { value: 'wrong' })
    await expect(call(keys.ada, name)).rejects.toThrow(/refuses your credential: store another/)
  })
})

describe('a server that names the consent page of one host and the token endpoint of another', () => {
  /** The page that a person sees first, for a server whose metadata leads to the consent page of an honest one. */
  async function openPage(metadata: Record<string, unknown>) {
    const honest = await startOAuthServer()
    onTestFinished(() => honest.close())
    honest.behaviour.iss = null
    honest.behaviour.resourceMetadata = { resource: oauth.url }
    // Registered with the honest one, as anybody can be.
    honest.addClient('client-1', null)
    oauth.behaviour.metadata = { authorization_endpoint: `${honest.origin}/authorize`, ...metadata }
    const settings = { name: `mixed-${honest.origin.slice(-5)}`, url: oauth.url, auth: { type: 'oauth' } }
    const { id } = (await service.api.post('/v1/mcp-servers', settings)).body
    const page = await fetch((await service.api.post(`/v1/mcp-servers/${id}/connect`)).body.url)
    const text = await page.text()
    const href = /href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const cookie = page.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    return { honest, text, href, cookie }
  }
  const withoutIss = { authorization_response_iss_parameter_supported: undefined }
  const hostOf = (origin: string) => `<strong>${new URL(origin).host}</strong>`

  test('tells the person both names before anything is given', async () => {
    const { honest, text } = await openPage(withoutIss)
    expect(text).toContain(`You give your consent at ${hostOf(honest.origin)}`)
    expect(text).toContain(`is then given to ${hostOf(oauth.origin)}, which is another host`)
  })

  test('is refused where it says that answers name their issuer: the honest one does not, and gets no visit', async () => {
    const { honest, href, cookie } = await openPage({})
    const back = await fetch(await honest.consent(href, 'ada'), { headers: { cookie } })
    expect(back.status).toBe(400)
    expect(oauth.requests).not.toContain('POST /token')
  })

  test('one host for both needs no such words', async () => {
    oauth.behaviour.metadata = withoutIss
    const settings = { name: 'one-host', url: oauth.url, auth: { type: 'oauth' } }
    const { id } = (await service.api.post('/v1/mcp-servers', settings)).body
    const page = await fetch((await service.api.post(`/v1/mcp-servers/${id}/connect`)).body.url)
    expect(await page.text()).not.toContain('another host')
  })
})

test('behind a proxy, links and cookies are those of the address that people open', async () => {
  const env = { TALLYSTICK_PUBLIC_URL: 'https://ai.example.com/tallystick' }
  const behind = await startTestService({ env })
  onTestFinished(() => behind.stop())
  const settings = { name: 'wiki', url: oauth.url, auth: { type: 'oauth' }, open: true }
  const { id } = (await behind.api.post('/v1/mcp-servers', settings)).body
  const { url } = (await behind.api.post(`/v1/mcp-servers/${id}/connect`)).body
  expect(url).toMatch(/^https:\/\/ai\.example\.com\/tallystick\/mcp\/oauth\/start\?link=/)
  // As the proxy passes it on.
  const page = await fetch(url.replace('https://ai.example.com/tallystick', behind.address))
  expect(page.headers.getSetCookie()).toEqual([
    expect.stringMatching(/; Max-Age=600; Path=\/tallystick\/mcp\/oauth; HttpOnly; Secure; SameSite=Lax$/),
  ])
  const consentAt = new URL(/href="([^"]+)"/.exec(await page.text())?.[1]?.replaceAll('&amp;', '&') ?? '')
  const callback = 'https://ai.example.com/tallystick/mcp/oauth/callback'
  expect(consentAt.searchParams.get('redirect_uri')).toBe(callback)
})
