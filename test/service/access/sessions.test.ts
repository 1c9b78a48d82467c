import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asPage, type BrowserSession, signInWith } from '../../harness/browser/browser-session.js'
import { readEvents } from '../../harness/providers/event-stream.js'
import { waitFor } from '../../harness/run/wait.js'
import { createApi } from '../../harness/service/api.js'
import { startTestService, type TestService } from '../../harness/service/service.js'
import { addTenant } from '../../harness/service/tenant.js'

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const signIn = (key: string) => signInWith(service.address, key)
let made = 0

async function makePerson(role: 'member' | 'auditor' | 'manager' = 'member') {
  const userId = `person ${++made}`
  await service.api.post('/v1/team/members', { userId, role, name: 'Ada', email: `${made}@example.com` })
  const { id: keyId, key } = (await service.api.post('/v1/keys', { name: userId, userId, role })).body
  return { userId, keyId, key, path: `/v1/team/members/${encodeURIComponent(userId)}` }
}

const isOpen = async (session: BrowserSession) => (await session.get('/v1/session')).status === 200
const newestActions = async (limit: number) =>
  (await service.api.get(`/v1/audit-log?limit=${limit}`)).body.data

describe('signing in', () => {
  test('with a key opens a session that is the key, and says who calls', async () => {
    const { userId, keyId, key } = await makePerson('manager')
    const session = await signIn(key)
    const who = {
      tenant: { id: expect.stringMatching(/^tenant_/), name: 'default' },
      role: 'manager',
      userId,
      name: 'Ada',
      email: `${made}@example.com`,
      keyId,
      keyName: userId,
      via: 'session',
      sessionId: expect.stringMatching(/^ses_/),
    }
    expect(session.signIn.body).toMatchObject(who)
    expect((await session.get('/v1/session')).body).toMatchObject(who)
    const ends = Date.parse(session.signIn.body.expiresAt) - Date.now()
    expect(Math.round(ends / 3_600_000)).toBe(12)
    expect((await session.get('/v1/team/members')).status).toBe(200)
    expect((await session.post('/v1/prompts', { name: `By ${userId}` })).status).toBe(201)
  })

  test('a bearer key is told who it is too', async () => {
    expect((await service.api.get('/v1/session')).body).toMatchObject({
      role: 'manager',
      userId: null,
      keyName: 'First manager key',
      via: 'key',
      sessionId: null,
      expiresAt: null,
    })
  })

  test('the cookie is kept from scripts, other sites and other programs on the host', async () => {
    const { setCookie } = await signIn(service.managerKey)
    const attributes = setCookie.split('; ').slice(1).toSorted()
    // Without a path, browsers take that of the address up to its last slash: /v1, behind whatever prefix.
    expect(attributes).toEqual(['HttpOnly', 'Max-Age=604800', 'SameSite=Strict'])
    const api = createApi(service.address, null)
    const behindTls = await api.post(
      '/v1/session',
      { key: service.managerKey },
      { 'x-forwarded-proto': 'https' },
    )
    expect(behindTls.headers.get('set-cookie')).toContain('; Secure')
  })

  test('what is stored opens nothing: the row has a hash of the cookie alone', async () => {
    const { cookie } = await signIn(service.managerKey)
    const value = cookie.split('=')[1] ?? ''
    const hash = createHash('sha256').update(value).digest()
    const rows = await service.database.query<{ row: string; hash: Buffer }>(
      'select sessions::text as row, hash from sessions',
    )
    expect(rows.some((row) => row.hash.equals(hash))).toBe(true)
    for (const { row } of rows) expect(row).not.toContain(value)
    for (const stored of [hash.toString('hex'), hash.toString('base64url')])
      expect((await asPage(service.address, `tallystick_session=${stored}`).get('/v1/session')).status).toBe(
        401,
      )
  })

  test.each([
    ['an unknown key', `tallystick_sk_${'x'.repeat(40)}`],
    ['what is no key', 'let me in'],
    ['nothing but blanks', '   '],
  ])('%s is refused as any invalid key is, and sets no cookie', async (_, key) => {
    const answer = await createApi(service.address, null).post('/v1/session', { key })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('set-cookie')).toBeNull()
  })

  test('a revoked key and the key of a suspended user open nothing', async () => {
    const revoked = await makePerson()
    await service.api.delete(`/v1/keys/${revoked.keyId}`)
    const suspended = await makePerson()
    await service.api.patch(`/v1/user-limits/${encodeURIComponent(suspended.userId)}`, {
      status: 'suspended',
    })
    const api = createApi(service.address, null)
    expect((await api.post('/v1/session', { key: revoked.key })).status).toBe(401)
    const refused = await api.post('/v1/session', { key: suspended.key })
    expect(refused).toMatchObject({ status: 403, body: { error: { type: 'user_suspended' } } })
  })

  test('a page of another site cannot sign a visitor in', async () => {
    const api = createApi(service.address, null, { origin: 'https://evil.example' })
    expect((await api.post('/v1/session', { key: service.managerKey })).status).toBe(403)
  })
})

describe('the cookie', () => {
  test('is no key: the gateway refuses it', async () => {
    const session = await signIn(service.managerKey)
    const call = { model: 'mock/echo', messages: [{ role: 'user', content: 'Hi' }] }
    expect((await session.post('/v1/chat/completions', call)).status).toBe(401)
    expect((await session.post('/v1/messages', { ...call, max_tokens: 5 })).status).toBe(401)
    expect((await session.get('/v1/models')).status).toBe(401)
  })

  test('counts for nothing beside a key, valid or not', async () => {
    const session = await signIn(service.managerKey)
    const { key, userId } = await makePerson()
    const both = await session.get('/v1/session')
    expect(both.body.via).toBe('session')
    const as = (bearer: string) => createApi(service.address, bearer, { cookie: session.cookie })
    expect((await as(key).get('/v1/session')).body).toMatchObject({ via: 'key', userId, role: 'member' })
    expect((await as(`tallystick_sk_${'x'.repeat(40)}`).get('/v1/session')).status).toBe(401)
  })

  test('shows a member and an auditor what their keys show them', async () => {
    const member = await signIn((await makePerson('member')).key)
    const auditor = await signIn((await makePerson('auditor')).key)
    expect((await member.get('/v1/audit-log')).status).toBe(403)
    expect((await auditor.get('/v1/audit-log')).status).toBe(200)
    expect((await auditor.post('/v1/prompts', { name: 'No' })).status).toBe(403)
  })

  test('opens the stream of events', async () => {
    const { key } = await makePerson('manager')
    const { cookie } = await signIn(key)
    const reader = await readEvents(service.address, null, { headers: { cookie } })
    await reader.until('hello')
    await service.as(key).post('/v1/chat/completions', {
      model: 'mock/echo',
      messages: [{ role: 'user', content: 'Hi' }],
    })
    await reader.until('call')
    reader.close()
  })

  test('an Idempotency-Key works with it as with a key', async () => {
    const session = await signIn(service.managerKey)
    const name = `Once ${++made}`
    const send = () => session.post('/v1/keys', { name }, { 'idempotency-key': name })
    const [first, second] = [await send(), await send()]
    expect(first.status).toBe(201)
    expect(second.body).toEqual(first.body)
  })
})

describe('a write by cookie must come from a page of ours', () => {
  const elsewhere = 'https://evil.example'
  const write = async (headers: Record<string, string>) => {
    const { cookie } = await signIn(service.managerKey)
    const api = createApi(service.address, null, { cookie, ...headers })
    const answer = await api.post('/v1/prompts', { name: `Forged ${++made}` })
    return answer
  }

  test.each([
    ['no Origin', () => ({})],
    ['a null Origin', () => ({ origin: 'null' })],
    ['another site', () => ({ origin: elsewhere })],
    ['another port of this host', () => ({ origin: 'http://127.0.0.1:1' })],
    ['a host that begins as ours does', () => ({ origin: `${service.address}.evil.example` })],
    ['a path after our origin', () => ({ origin: `${service.address}/v1` })],
    ['two origins', () => ({ origin: `${service.address}, ${elsewhere}` })],
    ['another host and its own Host', () => ({ origin: elsewhere, 'x-forwarded-host': 'evil.example' })],
    ['a page of the same site', () => ({ origin: service.address, 'sec-fetch-site': 'same-site' })],
    ['a page of another site', () => ({ origin: service.address, 'sec-fetch-site': 'cross-site' })],
    [
      'our host by http, though we are reached by https',
      () => ({
        origin: service.address,
        'x-forwarded-proto': 'https',
      }),
    ],
  ])('%s: 403', async (_, headers) => {
    const answer = await write(headers())
    expect(answer).toMatchObject({ status: 403, body: { error: { type: 'forbidden' } } })
    expect(JSON.stringify((await service.api.get('/v1/prompts')).body)).not.toContain(`Forged ${made}`)
  })

  test('our own Origin passes, with what browsers say beside it', async () => {
    expect((await write({ origin: service.address })).status).toBe(201)
    expect((await write({ origin: service.address, 'sec-fetch-site': 'same-origin' })).status).toBe(201)
  })

  test('every write: PATCH, PUT and DELETE, dry runs, signing out', async () => {
    const { cookie } = await signIn(service.managerKey)
    const { id } = (await service.api.post('/v1/prompts', { name: `Target ${++made}` })).body
    const forged = asPage(service.address, cookie, elsewhere)
    const evaluated = { model: 'mock/echo', messages: [{ role: 'user', content: 'Hi' }] }
    const answers = await Promise.all([
      forged.patch(`/v1/prompts/${id}`, { name: 'Forged' }),
      forged.delete(`/v1/prompts/${id}`),
      forged.put('/v1/settings/content-capture', { mode: 'full' }),
      forged.post('/v1/policies/evaluate', evaluated),
      forged.delete('/v1/sessions'),
      forged.delete('/v1/session'),
    ])
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403])
    expect((await asPage(service.address, cookie).get(`/v1/prompts/${id}`)).status).toBe(200)
  })

  test('a key needs no Origin', async () => {
    const api = createApi(service.address, service.managerKey, { origin: elsewhere })
    expect((await api.post('/v1/prompts', { name: `By key ${++made}` })).status).toBe(201)
  })
})

describe('signing out', () => {
  test('ends the session, takes the cookie back, and can be repeated', async () => {
    const session = await signIn(service.managerKey)
    const answer = await session.delete('/v1/session')
    expect(answer.status).toBe(204)
    expect(answer.headers.get('set-cookie')).toMatch(/^tallystick_session=; Max-Age=0/)
    const after = await session.get('/v1/session')
    expect(after).toMatchObject({ status: 401, body: { error: { type: 'unauthorized' } } })
    expect((await session.delete('/v1/session')).status).toBe(204)
    expect((await createApi(service.address, null).delete('/v1/session')).status).toBe(204)
  })

  test('elsewhere: one session, or all of them; nobody else’s', async () => {
    const person = await makePerson('auditor')
    const [here, there, third] = [
      await signIn(person.key),
      await signIn(person.key),
      await signIn(person.key),
    ]
    const stranger = await signIn((await makePerson('manager')).key)
    const { data } = (await here.get('/v1/sessions')).body
    expect(data).toHaveLength(3)
    expect(data.map(({ current }: { current: boolean }) => current)).toEqual([false, false, true])
    expect(data[0]).toMatchObject({ ip: '127.0.0.1', via: 'session', keyId: person.keyId })
    const path = `/v1/sessions/${there.signIn.body.sessionId}`
    expect((await stranger.delete(path)).status).toBe(404)
    const { api: foreign } = await addTenant(service, `foreign ${++made}`.replace(' ', '-'))
    expect((await foreign.delete(path)).status).toBe(404)
    expect(await isOpen(there)).toBe(true)
    expect([(await here.delete(path)).status, (await here.delete(path)).status]).toEqual([204, 204])
    expect([await isOpen(here), await isOpen(there), await isOpen(third)]).toEqual([true, false, true])
    expect((await here.delete('/v1/sessions')).status).toBe(204)
    expect([await isOpen(here), await isOpen(third), await isOpen(stranger)]).toEqual([false, false, true])
  })

  test('a person has at most 50 sessions: a new one ends the one that was used longest ago', async () => {
    const { key } = await makePerson()
    const first = await signIn(key)
    const second = await signIn(key)
    for (let i = 2; i < 51; i++) await signIn(key)
    expect([await isOpen(first), await isOpen(second)]).toEqual([false, true])
  })
})

describe('a session ends at once when', () => {
  const cases: [string, (person: Awaited<ReturnType<typeof makePerson>>) => Promise<unknown>][] = [
    ['its key is revoked', ({ keyId }) => service.api.delete(`/v1/keys/${keyId}`)],
    ['its key is demoted', ({ keyId }) => service.api.patch(`/v1/keys/${keyId}`, { role: 'auditor' })],
    [
      'its key is given to somebody else',
      ({ keyId }) => service.api.patch(`/v1/keys/${keyId}`, { userId: null }),
    ],
    [
      'its user is suspended',
      ({ userId }) =>
        service.api.patch(`/v1/user-limits/${encodeURIComponent(userId)}`, { status: 'suspended' }),
    ],
    ['its user is demoted', ({ path }) => service.api.patch(`${path}/role`, { role: 'member' })],
    ['its user is removed', ({ path }) => service.api.delete(`${path}?cascade=true`)],
  ]

  test.each(cases)('%s, and so does its stream', async (_, change) => {
    const person = await makePerson('manager')
    const session = await signIn(person.key)
    const reader = await readEvents(service.address, null, { headers: { cookie: session.cookie } })
    await reader.until('hello')
    expect(await isOpen(session)).toBe(true)
    await change(person)
    expect(await isOpen(session)).toBe(false)
    await reader.until('error')
    expect(reader.of('error')).toMatchObject([{ reason: 'unauthorized', reconnect: false }])
  })

  test('its key expires', async () => {
    const { keyId, key } = await makePerson()
    const session = await signIn(key)
    expect(await isOpen(session)).toBe(true)
    await service.database.query(`update keys set expires_at = now() where id = '${keyId}'`)
    await waitFor('the end of the session', async () => !(await isOpen(session)))
  })

  test('and does not come back when the user does', async () => {
    const { userId, key } = await makePerson()
    const session = await signIn(key)
    const limits = `/v1/user-limits/${encodeURIComponent(userId)}`
    await service.api.patch(limits, { status: 'suspended' })
    await service.api.patch(limits, { status: 'active' })
    expect(await isOpen(session)).toBe(false)
    expect(await isOpen(await signIn(key))).toBe(true)
  })

  test('a promotion leaves it open, with the new role', async () => {
    const { userId, key, keyId } = await makePerson('member')
    const session = await signIn(key)
    await service.api.patch(`/v1/keys/${keyId}`, { role: 'manager' })
    await service.api.patch(`/v1/team/members/${encodeURIComponent(userId)}/role`, { role: 'manager' })
    expect((await session.get('/v1/session')).body.role).toBe('manager')
  })
})

describe('a session ends', () => {
  const age = (session: BrowserSession, column: 'created_at' | 'last_seen_at', hours: number) =>
    service.database.query(
      `update sessions set ${column} = now() - interval '${hours} hours' where id = '${session.signIn.body.sessionId}'`,
    )

  test('after 12 hours without use', async () => {
    const [fresh, idle] = [await signIn(service.managerKey), await signIn(service.managerKey)]
    await age(fresh, 'last_seen_at', 11.9)
    await age(idle, 'last_seen_at', 12.1)
    expect([await isOpen(fresh), await isOpen(idle)]).toEqual([true, false])
  })

  test('after 7 days, however much it is used', async () => {
    const [young, old] = [await signIn(service.managerKey), await signIn(service.managerKey)]
    await age(young, 'created_at', 7 * 24 - 1)
    await age(old, 'created_at', 7 * 24 + 1)
    expect([await isOpen(young), await isOpen(old)]).toEqual([true, false])
  })

  test('its use is noted, though not at every request', async () => {
    const { key } = await makePerson()
    const session = await signIn(key)
    const id = session.signIn.body.sessionId
    const seen = async () =>
      (await service.database.query<{ xmin: string }>(`select xmin from sessions where id = '${id}'`))[0]
        ?.xmin
    const startedMs = performance.now()
    const versions = new Set([await seen()])
    for (let i = 0; i < 20; i++) {
      await session.get('/v1/session')
      versions.add(await seen())
    }
    // It is written once a minute, and one of those moments may be now.
    const writes = 1 + Math.floor((performance.now() - startedMs) / 60_000)
    expect(versions.size).toBeLessThanOrEqual(1 + writes)
  })
})

test('the audit log names the session, and has signing in and out', async () => {
  const { userId, keyId, key } = await makePerson('manager')
  const session = await signIn(key)
  const { sessionId } = session.signIn.body
  const actor = { type: 'session', id: sessionId, keyId, userId }
  await session.post('/v1/prompts', { name: `By session ${++made}` })
  await session.delete('/v1/session')
  expect(await newestActions(3)).toMatchObject([
    { action: 'session.delete', actor, subject: { type: 'session', id: sessionId }, after: null },
    { action: 'prompt.create', actor },
    { action: 'session.create', actor, subject: { type: 'session', id: sessionId }, before: null },
  ])
  expect(JSON.stringify(await newestActions(200))).not.toContain(session.cookie.split('=')[1])
})

describe('guessing keys', () => {
  let guarded: TestService
  beforeAll(async () => {
    guarded = await startTestService({ env: { TALLYSTICK_TRUSTED_PROXIES: '127.0.0.1' } })
  })
  afterAll(() => guarded.stop())

  const tryKey = (key: string, ip: string) =>
    createApi(guarded.address, null).post('/v1/session', { key }, { 'x-forwarded-for': ip })
  const wrong = () => `tallystick_sk_${String(++made).padStart(40, '0')}`

  test('is held back after ten failures, many at once too, with the time to wait; the right key does not help', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => tryKey(wrong(), '192.0.2.1')))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10)
    const held = await tryKey(guarded.managerKey, '192.0.2.1')
    expect(held).toMatchObject({ status: 429, body: { error: { type: 'rate_limit_exceeded' } } })
    const seconds = Number(held.headers.get('retry-after'))
    expect(seconds).toBe(held.body.error.retry_after)
    expect(seconds).toBeGreaterThan(200)
    expect(seconds).toBeLessThanOrEqual(300)
  })

  test('thirty people with right keys at one address all get in at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => tryKey(guarded.managerKey, '192.0.2.200')),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(201))
  })

  test.each([
    ['a person with two keys', 'twofold'],
    ['a key without an owner', null],
  ])('%s has at most 50 sessions, however many sign-ins come at once', async (_, userId) => {
    const make = async () => (await guarded.api.post('/v1/keys', { name: 'Busy', userId })).body.key
    const first: string = await make()
    const keys = userId === null ? [first] : [first, await make()]
    // They wait for each other: not more at once than the pool has connections for, with a machine that is busy.
    for (let round = 0; round < 7; round++) {
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, i) => tryKey(keys[i % keys.length] ?? '', `192.0.2.${100 + i}`)),
      )
      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201))
    }
    const { body } = await guarded.as(first).get('/v1/sessions?limit=200')
    expect(body.data).toHaveLength(50)
  })

  test('however many addresses guess, who comes from another is let in', async () => {
    for (let i = 0; i < 310; i++) await tryKey(wrong(), `198.51.${i >> 4}.${i & 15}`)
    expect((await tryKey(guarded.managerKey, '203.0.113.9')).status).toBe(201)
  })

  test('a proxy that is not trusted cannot choose the address', async () => {
    const api = createApi(service.address, null)
    const send = (ip: string) => api.post('/v1/session', { key: wrong() }, { 'x-forwarded-for': ip })
    const statuses: number[] = []
    for (let i = 1; i <= 11; i++) statuses.push((await send(`192.0.2.${i}`)).status)
    expect(statuses).toContain(429)
  })

  test('with a key that was revoked is in the audit log, a bounded number of times', async () => {
    const { id, key } = (await guarded.api.post('/v1/keys', { name: 'Lost' })).body
    await guarded.api.delete(`/v1/keys/${id}`)
    for (let i = 0; i < 25; i++) expect((await tryKey(key, `203.0.113.${100 + i}`)).status).toBe(401)
    const { body } = await guarded.api.get('/v1/audit-log?limit=200')
    const refused = body.data.filter(({ action }: { action: string }) => action === 'session.refuse')
    expect(refused).toHaveLength(20)
    expect(refused[0]).toMatchObject({
      actor: { type: 'key', id },
      subject: { type: 'session', id },
      after: { reason: expect.stringContaining('revoked'), ip: '203.0.113.119', note: expect.any(String) },
    })
    expect(JSON.stringify(refused)).not.toContain(key)
  })
})

test('behind a proxy with a path, the public URL says where the cookie belongs, that it is secure, and whose pages may write', async () => {
  const proxied = await startTestService({
    env: { TALLYSTICK_PUBLIC_URL: 'https://ai.example.com/tallystick/' },
  })
  const origin = 'https://ai.example.com'
  const signIn = await createApi(proxied.address, null, { origin }).post('/v1/session', {
    key: proxied.managerKey,
  })
  const [cookie = '', ...attributes] = (signIn.headers.get('set-cookie') ?? '').split('; ')
  expect(attributes.toSorted()).toEqual([
    'HttpOnly',
    'Max-Age=604800',
    'Path=/tallystick/v1',
    'SameSite=Strict',
    'Secure',
  ])
  const write = (from: string) =>
    asPage(proxied.address, cookie, from).post('/v1/prompts', { name: `From ${from}` })
  expect((await write(origin)).status).toBe(201)
  expect((await write(proxied.address)).status).toBe(403)
  await proxied.stop()
})
