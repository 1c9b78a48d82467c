import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type OidcIssuer, startOidcIssuer } from '../../harness/access/oidc-issuer.js'
import { type Browser, openBrowser, type Visit } from '../../harness/browser/browser.js'
import { asPage } from '../../harness/browser/browser-session.js'
import { findInDatabase } from '../../harness/policies/find-text.js'
import { readEvents } from '../../harness/providers/event-stream.js'
import { createApi } from '../../harness/service/api.js'
import { startTestService, type TestService } from '../../harness/service/service.js'

let issuer: OidcIssuer
let service: TestService
let made = 0

async function startWith(rules: object): Promise<TestService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tallystick-oidc-'))
  const { issuer: address, clientId } = issuer
  const oidc = { issuer: address, clientId, name: 'Test SSO', ...rules }
  await writeFile(join(dataDir, 'tallystick.yaml'), JSON.stringify({ oidc }))
  return await startTestService({
    dataDir,
    env: { TALLYSTICK_OIDC_CLIENT_SECRET: issuer.clientSecret, TALLYSTICK_TRUSTED_PROXIES: '127.0.0.1' },
  })
}

beforeAll(async () => {
  issuer = await startOidcIssuer()
  service = await startWith({
    managers: ['platform', 'Boss@Example.com'],
    auditors: ['audit'],
    allowedDomains: ['example.com'],
  })
})
afterAll(async () => {
  await service.stop()
  await issuer.stop()
})

/** Somebody new to the issuer, who signs in next. */
function newPerson(more: object = {}) {
  const sub = `subject-${++made}`
  issuer.person = { sub, email: `${sub}@example.com`, email_verified: true, name: `Person ${made}`, ...more }
  return issuer.person
}
beforeEach(() => void newPerson())

const isPage = (url: URL) => url.origin === service.address && !url.pathname.startsWith('/v1/')
const start = (browser: Browser, next = '/') =>
  browser.open(`${service.address}/v1/session/oidc?next=${encodeURIComponent(next)}`, isPage)

/** Goes to the issuer and is sent back, but stops before the service hears of it. */
const stopAtCallback = (url: URL) => url.pathname.endsWith('/callback')

const problemOf = ({ url }: Visit) => url.searchParams.get('problem')
const sessionOf = (browser: Browser) => {
  const cookie = browser.cookies.find(({ name }) => name === 'tallystick_session')
  return cookie === undefined ? null : asPage(service.address, `${cookie.name}=${cookie.value}`)
}
async function signIn() {
  const browser = openBrowser()
  const visit = await start(browser)
  const session = sessionOf(browser)
  if (session === null) throw new Error(`not signed in: ${visit.url}`)
  const cookie = browser.cookies.find(({ name }) => name === 'tallystick_session')
  return { browser, session, cookie: `tallystick_session=${cookie?.value}` }
}
const limitsOf = (userId: string) => `/v1/user-limits/${encodeURIComponent(userId)}`

test('the sign-in page can ask whether there is an issuer, without signing in', async () => {
  const { status, body } = await createApi(service.address, null).get('/v1/session/methods')
  expect({ status, body }).toEqual({ status: 200, body: { key: true, oidc: { name: 'Test SSO' } } })
})

describe('signing in', () => {
  test('the first time makes the member, opens a session without a key, and leads to where one wanted to go', async () => {
    const { email, name } = newPerson()
    const browser = openBrowser()
    const visit = await start(browser, '/usage?range=7d&groupBy=team')
    expect(visit.url.href).toBe(`${service.address}/usage?range=7d&groupBy=team`)
    const caller = await sessionOf(browser)?.get('/v1/session')
    expect(caller?.body).toMatchObject({
      via: 'oidc',
      role: 'member',
      userId: email,
      keyId: null,
      name,
      email,
    })
    const ours = browser.cookies.filter(({ host }) => service.address.endsWith(host))
    expect(ours).toMatchObject([{ name: 'tallystick_session', path: '/v1' }])
    const { body } = await service.api.get('/v1/audit-log?limit=2')
    const actor = { type: 'session', id: caller?.body.sessionId, keyId: null, userId: email }
    expect(body.data).toMatchObject([
      { action: 'session.create', actor, after: { via: 'oidc', keyId: null } },
      { action: 'member.create', actor, subject: { id: email } },
    ])
  })

  test('the role is what the configuration says, by group or by email, each time anew', async () => {
    const roleNow = async () => (await (await signIn()).session.get('/v1/session')).body.role
    const person = newPerson({ groups: ['staff', 'platform'] })
    expect(await roleNow()).toBe('manager')
    person.groups = ['audit']
    expect(await roleNow()).toBe('auditor')
    person.groups = []
    expect(await roleNow()).toBe('member')
    newPerson({ email: 'boss@example.com' })
    expect(await roleNow()).toBe('manager')
  })

  test('a lower role ends the sessions that were opened with a higher one', async () => {
    const person = newPerson({ groups: ['platform'] })
    const before = await signIn()
    person.groups = []
    const after = await signIn()
    expect((await before.session.get('/v1/session')).status).toBe(401)
    expect((await after.session.get('/v1/session')).body.role).toBe('member')
  })

  test('a member with this verified email is that person, and the account is known from then on', async () => {
    const person = newPerson()
    await service.api.post('/v1/team/members', { userId: `known ${made}`, email: person.email })
    const userId = `known ${made}`
    expect((await (await signIn()).session.get('/v1/session')).body.userId).toBe(userId)
    person.email = `renamed-${made}@example.com`
    expect((await (await signIn()).session.get('/v1/session')).body.userId).toBe(userId)
  })

  test('another account with the email of a member who signed in before is refused', async () => {
    const { email } = newPerson()
    await signIn()
    newPerson({ email })
    expect(problemOf(await start(openBrowser()))).toBe('identity_taken')
  })

  test('a manager who signed in manages, without a key', async () => {
    newPerson({ groups: ['platform'] })
    const { session } = await signIn()
    const made = await session.post('/v1/keys', { name: 'By a person' })
    expect(made).toMatchObject({ status: 201, body: { createdBy: expect.stringMatching(/^ses_/) } })
    const { body: budget } = await session.post('/v1/budgets', { name: 'By a person', amountUsd: 5 })
    const request = { budgetId: budget.id, amountUsd: 1, reason: 'More' }
    const filed = await session.post('/v1/budgets/requests', request)
    expect(filed.body.requestedBy).toMatchObject({ keyId: null, userId: issuer.person?.email })
    expect((await session.post(`/v1/budgets/requests/${filed.body.id}/approve`, {})).status).toBe(200)
    expect((await session.get('/v1/usage')).status).toBe(200)
    expect((await session.put('/v1/settings/content-capture', { mode: 'off' })).status).toBe(200)
  })
})

describe('a session without a key', () => {
  test('has the stream of events, with calls of the person’s own keys', async () => {
    const { email } = newPerson()
    const { cookie } = await signIn()
    const reader = await readEvents(service.address, null, { headers: { cookie } })
    await reader.until('hello')
    const { key } = (await service.api.post('/v1/keys', { name: 'Own', userId: email })).body
    const call = { model: 'mock/echo', messages: [{ role: 'user', content: 'Hi' }] }
    await service.api.post('/v1/chat/completions', call)
    await service.as(key).post('/v1/chat/completions', call)
    const [seen] = await reader.until('call')
    expect(seen).toMatchObject({ userId: email })
    reader.close()
  })

  test('ends in the middle when its user is suspended, and the next sign-in is refused in words', async () => {
    const { email = '' } = newPerson()
    const { session, cookie } = await signIn()
    const reader = await readEvents(service.address, null, { headers: { cookie } })
    await reader.until('hello')
    await service.api.patch(limitsOf(email), { status: 'suspended' })
    expect((await session.get('/v1/session')).status).toBe(401)
    await reader.until('error')
    const browser = openBrowser()
    expect(problemOf(await start(browser))).toBe('user_suspended')
    expect(sessionOf(browser)).toBeNull()
    const { body } = await service.api.get('/v1/audit-log?limit=1')
    expect(body.data[0]).toMatchObject({
      action: 'session.refuse',
      after: { reason: 'user_suspended', email, ip: expect.stringMatching(/^198\.51/) },
    })
    await service.api.patch(limitsOf(email), { status: 'active' })
    expect((await session.get('/v1/session')).status).toBe(401)
    expect((await (await signIn()).session.get('/v1/session')).status).toBe(200)
  })

  test('suspended between the issuer and the callback: refused', async () => {
    const { email = '' } = newPerson()
    await signIn()
    const browser = openBrowser()
    const { url } = await browser.open(`${service.address}/v1/session/oidc`, stopAtCallback)
    await service.api.patch(limitsOf(email), { status: 'suspended' })
    expect(problemOf(await browser.open(url.href, isPage))).toBe('user_suspended')
    expect(sessionOf(browser)).toBeNull()
  })

  test('a member who was removed comes back only when a manager adds them again', async () => {
    const { email = '' } = newPerson()
    const { session } = await signIn()
    expect((await service.api.delete(`/v1/team/members/${encodeURIComponent(email)}`)).status).toBe(204)
    expect((await session.get('/v1/session')).status).toBe(401)
    expect(problemOf(await start(openBrowser()))).toBe('user_removed')
    await service.api.post('/v1/team/members', { userId: email })
    expect((await (await signIn()).session.get('/v1/session')).body.userId).toBe(email)
  })

  test('an erased person leaves neither subject nor email, and the account stays bound to the member', async () => {
    const userId = `erased-${made}`
    const { sub, email } = newPerson({ sub: `canary-subject-${made}` })
    await service.api.post('/v1/team/members', { userId, email })
    await signIn()
    const suspend = (status: string) => service.api.patch(limitsOf(userId), { status })
    await suspend('suspended')
    expect(problemOf(await start(openBrowser()))).toBe('user_suspended')
    const texts = [String(sub), String(email)]
    expect((await findInDatabase(service.database, texts)).map(([, place]) => place)).toContain(
      'audit_log.after',
    )

    expect((await service.api.post('/v1/compliance/erasures', { userId })).status).toBe(201)
    expect(await findInDatabase(service.database, texts)).toEqual([])
    expect(problemOf(await start(openBrowser()))).toBe('user_suspended')
    await suspend('active')
    const { session } = await signIn()
    expect((await session.get('/v1/session')).body.userId).toBe(userId)
  })
})

describe('who is refused, in words', () => {
  test.each([
    ['another domain', { email: 'x@elsewhere.com' }, 'domain_not_allowed'],
    ['a domain that ends as ours does', { email: 'x@notexample.com' }, 'domain_not_allowed'],
    ['an email that is not verified', { email_verified: false }, 'email_not_verified'],
    ['an email of which that is not said', { email_verified: undefined }, 'email_not_verified'],
    ['no email', { email: undefined }, 'email_missing'],
  ])('%s', async (_, claims, problem) => {
    newPerson(claims)
    const browser = openBrowser()
    expect(problemOf(await start(browser))).toBe(problem)
    expect(sessionOf(browser)).toBeNull()
  })

  test('who turns away at the issuer', async () => {
    issuer.person = null
    expect(problemOf(await start(openBrowser()))).toBe('issuer_refused')
  })

  test('a program is told in JSON', async () => {
    const api = createApi(service.address, null)
    const answer = await api.get('/v1/session/oidc/callback?code=x&state=y')
    expect(answer).toMatchObject({ status: 400, body: { error: { type: 'invalid_request' } } })
  })
})

describe('what is not the answer to our question is refused', () => {
  /** Changes what the browser takes to the issuer. */
  async function startWithChanged(change: (url: URL) => void) {
    const browser = openBrowser()
    const { url } = await browser.open(
      `${service.address}/v1/session/oidc`,
      ({ origin }) => origin === issuer.issuer,
    )
    change(url)
    const back = await browser.open(url.href, stopAtCallback)
    return { browser, back: back.url }
  }
  const finish = (browser: Browser, url: URL) => browser.open(url.href, isPage)

  test('another nonce', async () => {
    const { browser, back } = await startWithChanged((url) => url.searchParams.set('nonce', 'another'))
    expect(problemOf(await finish(browser, back))).toBe('not_valid')
    expect(sessionOf(browser)).toBeNull()
  })

  test('another state', async () => {
    const { browser, back } = await startWithChanged(() => undefined)
    back.searchParams.set('state', 'another')
    expect(problemOf(await finish(browser, back))).toBe('not_valid')
  })

  test('a code that somebody else’s browser was given', async () => {
    const { back } = await startWithChanged(() => undefined)
    const victim = openBrowser()
    expect(problemOf(await finish(victim, back))).toBe('not_valid')
    const own = await startWithChanged(() => undefined)
    expect(problemOf(await finish(own.browser, back))).toBe('not_valid')
    expect(sessionOf(own.browser)).toBeNull()
  })

  test('another verifier than the challenge was made of', async () => {
    const { browser, back } = await startWithChanged((url) =>
      url.searchParams.set('code_challenge', 'x'.repeat(43)),
    )
    expect(problemOf(await finish(browser, back))).toBe('not_valid')
  })

  test('a code that was used', async () => {
    const { browser, back } = await startWithChanged(() => undefined)
    const underWay = browser.cookies.filter(({ name }) => name === 'tallystick_oidc')
    expect(problemOf(await finish(browser, back))).toBeNull()
    const thief = openBrowser()
    thief.cookies.push(...underWay)
    expect(problemOf(await finish(thief, back))).toBe('not_valid')
    expect(sessionOf(thief)).toBeNull()
  })

  test('a cookie that was not sealed here', async () => {
    const { browser, back } = await startWithChanged(() => undefined)
    for (const cookie of browser.cookies)
      if (cookie.name === 'tallystick_oidc') cookie.value = `${cookie.value.slice(0, -4)}AAAA`
    expect(problemOf(await finish(browser, back))).toBe('not_valid')
  })
})

test.each([
  '//evil.example',
  'https://evil.example',
  '/\\evil.example',
  'javascript:alert(1)',
  '/%0d%0aset-cookie:x',
  '/.//evil.example',
])('afterwards nobody is sent to another site: %s', async (next) => {
  const { url } = await start(openBrowser(), next)
  expect(url.origin).toBe(service.address)
})

test('an issuer that cannot be reached is said so, and is tried again; the service starts without it', async () => {
  issuer.leave()
  const other = await startWith({})
  const api = createApi(other.address, null)
  expect(await api.get('/v1/session/oidc')).toMatchObject({
    status: 502,
    body: { error: { type: 'upstream_error', message: expect.stringContaining('issuer') } },
  })
  const browser = openBrowser()
  const visit = await browser.open(`${other.address}/v1/session/oidc`, (url) => url.pathname === '/sign-in')
  expect(problemOf(visit)).toBe('issuer_unreachable')
  issuer.comeBack()
  const isOwnPage = (url: URL) => url.origin === other.address && !url.pathname.startsWith('/v1/')
  const second = await browser.open(`${other.address}/v1/session/oidc`, isOwnPage)
  expect(second.url.href).toBe(`${other.address}/`)
  await other.stop()
})
