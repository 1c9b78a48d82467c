import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { generateKeyValue } from '../../../packages/service/src/resources/keys/value.js'
import { type OAuthServer, startOAuthServer } from '../../harness/mcp/oauth-server.js'
import type { Api } from '../../harness/service/api.js'
import { startTestService, type TestService } from '../../harness/service/service.js'
import { addTenant } from '../../harness/service/tenant.js'

const keys = { ada: '', bob: '', loner: '', auditor: '' }
let service: TestService
let oauth: OAuthServer
let made = 0

beforeAll(async () => {
  service = await startTestService()
  oauth = await startOAuthServer()
  const { api } = service
  keys.ada = (await api.post('/v1/keys', { name: 'Ada', userId: 'ada' })).body.key
  keys.bob = (await api.post('/v1/keys', { name: 'Bob', userId: 'bob' })).body.key
  keys.loner = (await api.post('/v1/keys', { name: 'Loner' })).body.key
  keys.auditor = (await api.post('/v1/keys', { name: 'Auditor', role: 'auditor' })).body.key
})
afterAll(async () => {
  await service.stop()
  await oauth.close()
})
const usual = () => ({ ...oauth.behaviour })
let behaviour: ReturnType<typeof usual> | null = null
beforeEach(() => {
  behaviour ??= usual()
  Object.assign(oauth.behaviour, behaviour)
  oauth.requests.length = 0
  oauth.tokenRequests.length = 0
})

async function addServer(
  auth: Record<string, unknown>,
  url = oauth.url,
  settings: object = {},
): Promise<string> {
  const { status, body } = await service.api.post('/v1/mcp-servers', {
    ...{ name: `server-${++made}`, url, auth, open: true },
    ...settings,
  })
  expect({ status, error: body.error }).toEqual({ status: 201, error: undefined })
  return body.id
}

/** A browser: what it was given it gives back. */
class Browser {
  readonly cookies = new Map<string, string>()

  async open(url: string): Promise<{ status: number; text: string; headers: Headers }> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, { headers: { cookie }, redirect: 'manual' })
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=')
      if (line.includes('Max-Age=0')) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return { status: answer.status, text: await answer.text(), headers: answer.headers }
  }

  /** Opens the page that a link leads to: where it would send the user on to. */
  async begin(link: string): Promise<string> {
    const page = await this.open(link)
    expect(page).toMatchObject({ status: 200 })
    return hrefOf(page.text)
  }
}

const hrefOf = (html: string) => (/href="([^"]+)"/.exec(html)?.[1] ?? '').replaceAll('&amp;', '&')

const linkFor = async (api: Api, id: string): Promise<string> =>
  (await api.post(`/v1/mcp-servers/${id}/connect`)).body.url

async function connect(api: Api, id: string, account: string): Promise<{ status: number; text: string }> {
  const browser = new Browser()
  const consentAt = await browser.begin(await linkFor(api, id))
  return await browser.open(await oauth.consent(consentAt, account))
}

const stateOf = async (api: Api, id: string) => (await api.get(`/v1/mcp-servers/${id}/credential`)).body

/** All that is kept of credentials, and told of them. */
const storedText = async () =>
  JSON.stringify(
    await service.database.query(
      `select encode(sealed, 'escape') as text from mcp_credentials union all select encode(sealed, 'escape') from mcp_consents
       union all select encode(sealed, 'escape') from mcp_oauth_clients union all select after::text from audit_log`,
    ),
  )

describe('a value for a header', () => {
  test('is stored for whoever stores it, shown to nobody, and deleted again', async () => {
    const id = await addServer({ type: 'header', header: 'x-token' })
    const [ada, bob] = [service.as(keys.ada), service.as(keys.bob)]
    const set = await ada.put(`/v1/mcp-servers/${id}/credential`, { value: 'the value of ada' })
    expect(set.body).toEqual({
      type: 'header',
      connected: true,
      expiresAt: null,
      updatedAt: expect.stringMatching(/Z$/),
    })
    expect(await stateOf(bob, id)).toMatchObject({ connected: false, updatedAt: null })
    // A manager has its own, and no way to ask for another's.
    expect(await stateOf(service.api, id)).toMatchObject({ connected: false })
    expect(await storedText()).not.toContain('the value of ada')
    expect((await ada.delete(`/v1/mcp-servers/${id}/credential`)).status).toBe(204)
    expect((await ada.delete(`/v1/mcp-servers/${id}/credential`)).status).toBe(204)
    expect(await stateOf(ada, id)).toMatchObject({ connected: false })
    const { data } = (await service.api.get('/v1/audit-log?limit=200')).body
    const entries = data.filter(({ subject }: { subject: { id: string } }) => subject.id === id)
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      'mcp_credential.delete',
      'mcp_credential.set',
      'mcp_server.create',
    ])
  })

  test('is one for each key that has no owner, and one for all keys of a user', async () => {
    const id = await addServer({ type: 'header', header: 'x-token' })
    const other = (await service.api.post('/v1/keys', { name: 'Ada 2', userId: 'ada' })).body.key
    await service.as(keys.ada).put(`/v1/mcp-servers/${id}/credential`, { value: 'x' })
    expect(await stateOf(service.as(other), id)).toMatchObject({ connected: true })
    await service.as(keys.loner).put(`/v1/mcp-servers/${id}/credential`, { value: 'x' })
    const loner = (await service.api.post('/v1/keys', { name: 'Loner 2' })).body.key
    expect(await stateOf(service.as(loner), id)).toMatchObject({ connected: false })
  })

  test.each([
    ['a line end', 'a\r\nx-admin: 1'],
    ['nothing', ''],
    ['a space at its end', 'a '],
    ['what is no ASCII', 'é'],
  ])('with %s is refused', async (_, value) => {
    const id = await addServer({ type: 'header', header: 'x-token' })
    expect((await service.api.put(`/v1/mcp-servers/${id}/credential`, { value })).status).toBe(400)
  })

  test('is not taken by a server that wants none, nor is a consent', async () => {
    const none = await addServer({ type: 'none' })
    expect((await service.api.put(`/v1/mcp-servers/${none}/credential`, { value: 'x' })).status).toBe(409)
    expect((await service.api.post(`/v1/mcp-servers/${none}/connect`)).status).toBe(409)
    expect(await stateOf(service.api, none)).toMatchObject({ type: 'none', connected: false })
  })

  test('is changed by nobody who only reads, and of no other tenant', async () => {
    const id = await addServer({ type: 'header', header: 'x-token' })
    const auditor = service.as(keys.auditor)
    expect((await auditor.put(`/v1/mcp-servers/${id}/credential`, { value: 'x' })).status).toBe(403)
    expect((await auditor.get(`/v1/mcp-servers/${id}/credential`)).status).toBe(200)
    const stranger = await addTenant(service, 'stranger')
    expect((await stranger.api.get(`/v1/mcp-servers/${id}/credential`)).status).toBe(404)
    expect((await stranger.api.put(`/v1/mcp-servers/${id}/credential`, { value: 'x' })).status).toBe(404)
    expect((await stranger.api.post(`/v1/mcp-servers/${id}/connect`)).status).toBe(404)
    expect((await stranger.api.delete(`/v1/mcp-servers/${id}/credential`)).status).toBe(404)
  })

  test('is taken of members for servers that they may use; they can always delete it', async () => {
    const id = await addServer({ type: 'header', header: 'x-token' })
    const path = `/v1/mcp-servers/${id}/credential`
    const ada = service.as(keys.ada)
    await ada.put(path, { value: 'x' })
    for (const closed of [{ open: false }, { open: true, enabled: false }]) {
      await service.api.patch(`/v1/mcp-servers/${id}`, closed)
      expect((await ada.get(path)).status).toBe(404)
      expect((await ada.put(path, { value: 'x' })).status).toBe(404)
      expect((await ada.post(`/v1/mcp-servers/${id}/connect`)).status).toBe(404)
      expect((await service.api.get(path)).status).toBe(200)
    }
    expect((await ada.delete(path)).status).toBe(204)
    expect(await service.database.query('select 1 from mcp_credentials where server_id = $1', [id])).toEqual(
      [],
    )
  })

  test('goes with its key, its user, its server, and its server’s address', async () => {
    const id = await addServer({ type: 'header', header: 'x-token' }, 'http://127.0.0.1:9/mcp')
    const count = async () =>
      (await service.database.query('select 1 from mcp_credentials where server_id = $1', [id])).length
    const key = (await service.api.post('/v1/keys', { name: 'Short' })).body
    await service.as(key.key).put(`/v1/mcp-servers/${id}/credential`, { value: 'x' })
    await service.api.delete(`/v1/keys/${key.id}`)
    expect(await count()).toBe(0)
    await service.as(keys.ada).put(`/v1/mcp-servers/${id}/credential`, { value: 'x' })
    expect((await service.api.patch(`/v1/mcp-servers/${id}`, { url: 'http://127.0.0.2:9/mcp' })).status).toBe(
      409,
    )
    expect(
      (await service.api.patch(`/v1/mcp-servers/${id}`, { url: 'http://127.0.0.1:9/other' })).status,
    ).toBe(200)
    expect(await stateOf(service.as(keys.ada), id)).toMatchObject({ connected: false })
    const gone = (await service.api.post('/v1/keys', { name: 'Gone', userId: 'gone' })).body.key
    await service.as(gone).put(`/v1/mcp-servers/${id}/credential`, { value: 'x' })
    await service.api.post('/v1/compliance/erasures', { userId: 'gone' })
    expect(await count()).toBe(0)
    await service.as(gone).put(`/v1/mcp-servers/${id}/credential`, { value: 'x' })
    await service.api.delete('/v1/team/members/gone?cascade=true')
    expect(await count()).toBe(0)
    await service.as(keys.ada).put(`/v1/mcp-servers/${id}/credential`, { value: 'x' })
    await service.api.delete(`/v1/mcp-servers/${id}`)
    expect(await count()).toBe(0)
  })
})

describe('a consent', () => {
  test('is asked for by a page that says for whom, and connects that user alone', async () => {
    const id = await addServer({ type: 'oauth' })
    const ada = service.as(keys.ada)
    const browser = new Browser()
    const link = await linkFor(ada, id)
    expect(link).toMatch(`${service.address}/mcp/oauth/start?link=`)
    const page = await browser.open(link)
    expect(page.text).toContain('the user ada of default')
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.headers.get('x-frame-options')).toBe('DENY')
    const back = await oauth.consent(hrefOf(page.text), 'ada at the vendor')
    const end = await browser.open(back)
    expect(end).toMatchObject({ status: 200, text: expect.stringContaining('Connected') })
    expect(end.headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
    expect(await stateOf(ada, id)).toMatchObject({ type: 'oauth', connected: true, expiresAt: null })
    for (const other of [service.as(keys.bob), service.api])
      expect(await stateOf(other, id)).toMatchObject({ connected: false })
    expect(oauth.registrations.at(-1)).toMatchObject({
      client_name: 'Tallystick',
      redirect_uris: [`${service.address}/mcp/oauth/callback`],
      token_endpoint_auth_method: 'client_secret_basic',
    })
    expect(oauth.tokenRequests[0]?.get('resource')).toBe(oauth.url)
    expect(await storedText()).not.toMatch(/(at-|rt-)?secret-\d/)
    expect(browser.cookies.size).toBe(0)
  })

  test('of a second user is asked for as the same client', async () => {
    const id = await addServer({ type: 'oauth' })
    const before = oauth.registrations.length
    expect((await connect(service.as(keys.ada), id, 'a')).status).toBe(200)
    expect((await connect(service.as(keys.bob), id, 'b')).status).toBe(200)
    expect(oauth.registrations.length).toBe(before + 1)
  })

  test('is asked for as the client that a manager set', async () => {
    oauth.addClient('given', 'its secret')
    const id = await addServer({
      type: 'oauth',
      clientId: 'given',
      clientSecret: 'its secret',
      scopes: ['wiki'],
    })
    const before = oauth.registrations.length
    const browser = new Browser()
    const consentAt = await browser.begin(await linkFor(service.api, id))
    expect(new URL(consentAt).searchParams.get('scope')).toBe('wiki')
    expect((await browser.open(await oauth.consent(consentAt))).status).toBe(200)
    expect(oauth.registrations.length).toBe(before)
  })

  test('never shows the secret of that client to another authorization server that the server names later', async () => {
    oauth.addClient('given', 'its secret')
    const id = await addServer({ type: 'oauth', clientId: 'given', clientSecret: 'its secret' })
    expect((await connect(service.api, id, 'a')).status).toBe(200)
    const evil = await startOAuthServer()
    evil.addClient('given', 'its secret')
    oauth.behaviour.resourceMetadata = { authorization_servers: [evil.origin] }
    const page = await new Browser().open(await linkFor(service.as(keys.ada), id))
    expect(page).toMatchObject({ status: 400, text: expect.stringContaining('another authorization server') })
    expect(evil.tokenRequests).toEqual([])
    await evil.close()
  })

  test('cannot be ended twice, nor with a code that was used', async () => {
    const id = await addServer({ type: 'oauth' })
    const browser = new Browser()
    const consentAt = await browser.begin(await linkFor(service.as(keys.ada), id))
    const back = await oauth.consent(consentAt)
    const cookies = new Map(browser.cookies)
    const ends = await Promise.all([browser.open(back), browser.open(back)])
    expect(ends.map(({ status }) => status).sort()).toEqual([200, 400])
    const again = new Browser()
    for (const [name, value] of cookies) again.cookies.set(name, value)
    expect(await again.open(back)).toMatchObject({
      status: 400,
      text: expect.stringContaining('already used'),
    })
    expect(oauth.tokenRequests).toHaveLength(1)
    // The code of the first consent in a second one.
    const second = new Browser()
    const fresh = new URL(await oauth.consent(await second.begin(await linkFor(service.as(keys.ada), id))))
    fresh.searchParams.set('code', new URL(back).searchParams.get('code') ?? '')
    expect(await second.open(fresh.href)).toMatchObject({
      status: 400,
      text: expect.stringContaining('refused: invalid_grant'),
    })
  })

  test('of somebody who was sent another’s link to the authorization server connects nobody', async () => {
    const id = await addServer({ type: 'oauth' })
    const mallory = new Browser()
    const consentAt = await mallory.begin(await linkFor(service.as(keys.bob), id))
    const back = await oauth.consent(consentAt, 'the victim')
    const victim = new Browser()
    expect(await victim.open(back)).toMatchObject({
      status: 400,
      text: expect.stringContaining('not the browser'),
    })
    expect(oauth.tokenRequests).toEqual([])
    expect(await stateOf(service.as(keys.bob), id)).toMatchObject({ connected: false })
    // It is still there for who began it.
    expect((await mallory.open(back)).status).toBe(200)
  })

  test('does not connect with the cookie of another consent', async () => {
    const id = await addServer({ type: 'oauth' })
    const mallory = new Browser()
    const back = await oauth.consent(await mallory.begin(await linkFor(service.as(keys.bob), id)))
    const victim = new Browser()
    await victim.begin(await linkFor(service.as(keys.ada), id))
    const [value = ''] = victim.cookies.values()
    for (const name of mallory.cookies.keys()) victim.cookies.set(name, value)
    expect((await victim.open(back)).status).toBe(400)
  })

  test.each([
    ['another issuer', 'https://evil.example', 'issuer differs'],
    ['no issuer, though it says that it sends one', null, 'issuer differs'],
  ])('that comes back from %s is refused', async (_, iss, words) => {
    const id = await addServer({ type: 'oauth' })
    oauth.behaviour.iss = iss
    expect(await connect(service.as(keys.ada), id, 'a')).toMatchObject({
      status: 400,
      text: expect.stringContaining(words),
    })
    expect(oauth.tokenRequests).toEqual([])
  })

  test('that is refused is told as such, and nothing else that came with it', async () => {
    const id = await addServer({ type: 'oauth' })
    oauth.behaviour.error = 'access_denied'
    const { text } = await connect(service.as(keys.ada), id, 'a')
    expect(text).toContain('The authorization server refused: access_denied')
    oauth.behaviour.error = '<img src=x onerror=alert(1)>'
    expect((await connect(service.as(keys.ada), id, 'a')).text).toContain('refused: for a reason of its own')
  })

  test.each([
    ['a token of another kind', { tokenType: 'DPoP' }, 'cannot be used'],
    ['no way to register', { metadata: { registration_endpoint: undefined } }, 'set a `clientId`'],
  ])('with %s is refused', async (_, change, words) => {
    const id = await addServer({ type: 'oauth' })
    Object.assign(oauth.behaviour, change)
    const browser = new Browser()
    const page = await browser.open(await linkFor(service.as(keys.ada), id))
    const end = page.status === 200 ? await browser.open(await oauth.consent(hrefOf(page.text))) : page
    expect(end).toMatchObject({ status: 400, text: expect.stringContaining(words) })
    expect(await stateOf(service.as(keys.ada), id)).toMatchObject({ connected: false })
  })

  test('is not asked for where the page is not one of the web', async () => {
    const id = await addServer({ type: 'oauth' })
    oauth.behaviour.metadata = { authorization_endpoint: 'data:text/html,x' }
    expect((await new Browser().open(await linkFor(service.as(keys.ada), id))).status).toBeGreaterThanOrEqual(
      400,
    )
  })

  test('under way ends with its server, its key and its user', async () => {
    const id = await addServer({ type: 'oauth' })
    const key = (await service.api.post('/v1/keys', { name: 'Short' })).body
    const browser = new Browser()
    const back = await oauth.consent(await browser.begin(await linkFor(service.as(key.key), id)))
    await service.api.delete(`/v1/keys/${key.id}`)
    expect((await browser.open(back)).status).toBe(400)
    const other = new Browser()
    const backOfAda = await oauth.consent(await other.begin(await linkFor(service.as(keys.ada), id)))
    await service.api.delete(`/v1/mcp-servers/${id}`)
    expect((await other.open(backOfAda)).status).toBe(400)
    const rows = await service.database.query('select 1 from mcp_credentials where server_id = $1', [id])
    expect(rows).toEqual([])
  })

  test('that was withdrawn while its code was exchanged connects nobody', async () => {
    const id = await addServer({ type: 'oauth' })
    const key = (await service.api.post('/v1/keys', { name: 'Short' })).body
    const browser = new Browser()
    const back = await oauth.consent(await browser.begin(await linkFor(service.as(key.key), id)))
    oauth.behaviour.beforeToken = async () => void (await service.api.delete(`/v1/keys/${key.id}`))
    expect((await browser.open(back)).status).toBe(404)
    const rows = await service.database.query('select 1 from mcp_credentials where server_id = $1', [id])
    expect(rows).toEqual([])
  })

  test.each([
    ['nothing', ''],
    ['another text', '?link=abc'],
    ['what is no link', `?link=${generateKeyValue()}`],
  ])('is not begun with %s', async (_, query) => {
    const page = await new Browser().open(`${service.address}/mcp/oauth/start${query}`)
    expect(page).toMatchObject({ status: 400, text: expect.stringContaining('has expired') })
  })

  test('is not ended with a state that nobody was sent with', async () => {
    for (const query of ['', '?code=x', '?state=&code=x', '?state=made-up&code=x&state=other'])
      expect((await new Browser().open(`${service.address}/mcp/oauth/callback${query}`)).status).toBe(400)
  })

  test('is bounded: of many that were begun, the last ten can be ended', async () => {
    const id = await addServer({ type: 'oauth' })
    const link = await linkFor(service.as(keys.ada), id)
    const browser = new Browser()
    const first = await oauth.consent(await browser.begin(link))
    for (let begun = 0; begun < 10; begun++) await browser.begin(link)
    expect((await browser.open(first)).status).toBe(400)
  })
})

test('the document about this client says where its users are sent back to', async () => {
  const document = await (await fetch(`${service.address}/mcp/oauth/client.json`)).json()
  expect(document).toMatchObject({
    client_id: `${service.address}/mcp/oauth/client.json`,
    redirect_uris: [`${service.address}/mcp/oauth/callback`],
    token_endpoint_auth_method: 'none',
  })
})
