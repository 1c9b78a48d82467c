import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { waitFor } from '../../harness/run/wait.js'
import type { ApiAnswer } from '../../harness/service/api.js'
import type { TestService } from '../../harness/service/service.js'
import { shareTestService } from '../../harness/service/shared-service.js'
import { addTenant } from '../../harness/service/tenant.js'
import {
  isReading,
  makeRows,
  type RouteCase,
  type Rows,
  requestOf,
  routesTable,
} from '../resources/routes-table.js'

/** Somebody with rows of every kind that can be a person's own. */
interface Person {
  /** The values of the person's keys. */
  key: string
  rows: Rows
  /** Texts that only what is this person's contains. */
  marks: string[]
}

const keys = { auditor: '', loner: '', stranger: '' }
let service: TestService
let ada: Person
let bob: Person

beforeAll(async () => {
  service = await shareTestService()
  const { api } = service
  await makeRows(api, 'first', 1)
  ada = await makePerson('ada')
  bob = await makePerson('bob')
  keys.auditor = (await api.post('/v1/keys', { name: 'Auditor', role: 'auditor' })).body.key
  const stranger = await addTenant(service, 'stranger')
  keys.stranger = (await stranger.api.post('/v1/keys', { name: 'Auditor', role: 'auditor' })).body.key
  keys.loner = (await api.post('/v1/keys', { name: 'Loner' })).body.key
  // From here on both are the same whenever they are read: the delivery that nobody takes, and servers that nobody runs.
  await waitFor('the delivery to rest', async () => {
    const rows = await service.database.query(
      `update webhook_deliveries set due_at = now() + interval '1 day'
       where status = 'retrying' and lease_until is null returning id`,
    )
    return rows.length > 0
  })
  await waitFor('the servers to be asked', async () => {
    const { data } = (await api.get('/v1/mcp-servers?limit=200')).body
    return data.every(
      ({ auth, status }: { auth: { type: string }; status: string }) =>
        auth.type !== 'none' || status !== 'unknown',
    )
  })
})
afterAll(() => service.stop())

async function makePerson(name: string): Promise<Person> {
  const { api } = service
  const rows = await makeRows(api, name, 0)
  const { userId } = rows
  const email = `${name}@people.example`
  await api.patch(`/v1/team/members/${encodeURIComponent(userId)}`, { email, name: `Full ${name}` })
  await api.patch(`/v1/user-limits/${encodeURIComponent(userId)}`, { budgetCapUsd: 77 })
  const made = await api.post('/v1/keys', { name: `Key of ${name}`, userId })
  const { id: keyId, key } = made.body
  const scopes = [
    { type: 'user', id: userId },
    { type: 'key', id: keyId },
  ]
  const [ofUser] = await Promise.all(
    scopes.map((scope) => api.post('/v1/budgets', { name: `${scope.type} of ${name}`, amountUsd: 5, scope })),
  )
  const budgetId = ofUser?.body.id
  const filed = await service.as(key).post('/v1/budgets/requests', {
    budgetId,
    amountUsd: 1,
    reason: `Because of ${name}`,
  })
  const call = await service
    .as(key)
    .post('/v1/chat/completions', { model: 'mock/echo', messages: [{ role: 'user', content: 'Hi' }] })
  const seq = call.headers.get('x-tallystick-receipt') ?? ''
  const callId = call.headers.get('x-tallystick-request-id') ?? ''
  await api.post('/v1/compliance/erasures', { userId })
  // What others must not see is there again.
  await api.patch(`/v1/team/members/${userId}`, { name: `Full ${name}`, email })
  return {
    key,
    rows: { ...rows, keyId, budgetId, requestId: filed.body.id, seq, callId },
    marks: [userId, email, keyId, budgetId, filed.body.id, `Full ${name}`],
  }
}

function send(each: RouteCase, rows: Rows, key: string): Promise<ApiAnswer> {
  const { method, path, query, body } = requestOf(each, rows)
  const search = new URLSearchParams(query).toString()
  const target = `${path}${search && `?${search}`}`
  const api = service.as(key)
  return method === 'GET' ? api.get(target) : api.post(target, body)
}

const marksIn = (answer: ApiAnswer, { marks }: Person) =>
  marks.filter((mark) => JSON.stringify(answer.body).includes(JSON.stringify(mark).slice(1, -1)))

/** Routes that name one row, rather than list what there is. */
const namesRow = ({ params, body }: RouteCase) => params !== undefined || body !== undefined

const reading = routesTable.filter(isReading)

describe.each(reading.filter(({ access }) => access === 'member'))('$route', (each) => {
  const { shows } = each.access === 'member' ? each : { shows: 'shared' as const }

  test('answers a member about what is the member’s own', async () => {
    expect((await send(each, ada.rows, ada.key)).status).toBe(each.status)
  })

  test('shows nobody’s data to another member, nor to a key without an owner', async () => {
    for (const key of [ada.key, keys.loner]) {
      const answer = await send(each, bob.rows, key)
      expect(answer.status).toBe(shows === 'own' && namesRow(each) ? 404 : each.status)
      expect(marksIn(answer, bob)).toEqual([])
    }
  })
})

// A stream says what time it is, and how long to wait: its own test compares what it shows.
describe.each(reading.filter(({ staysOpen }) => !staysOpen))('$route', (each) => {
  test('answers an auditor as it answers a manager', async () => {
    const asked = await send(each, bob.rows, service.managerKey)
    const answer = await send(each, bob.rows, keys.auditor)
    expect(asked.status).toBe(each.status)
    expect(answer.status).toBe(each.status)
    expect(steady(answer.body)).toEqual(steady(asked.body))
  })

  test('tells an auditor of another tenant nothing', async () => {
    const answer = await send(each, bob.rows, keys.stranger)
    expect([200, 404]).toContain(answer.status)
    expect(marksIn(answer, bob)).toEqual([])
  })
})

/** Without what differs from one reading to the next. */
const steady = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body), (name, value) => (unsteady.has(name) ? undefined : value))

const unsteady = new Set([
  ...['at', 'to', 'fromTs', 'toTs', 'generatedAt', 'signature', 'lastUsedAt', 'uptimeSeconds', 'refreshedAt'],
  // Of whoever asks.
  'connected',
])

test('the marks are what a manager finds: the search above can fail', async () => {
  const found = await Promise.all(
    ['/v1/keys', '/v1/budgets', '/v1/budgets/requests', '/v1/team/members'].map((path) =>
      service.api.get(`${path}?limit=200`),
    ),
  )
  for (const mark of bob.marks) expect(JSON.stringify(found)).toContain(mark)
})

describe('lists show a member its own rows', () => {
  test.each([
    ['/v1/keys', (rows: Rows) => rows.keyId],
    ['/v1/budgets', (rows: Rows) => rows.budgetId],
    ['/v1/budgets/requests', (rows: Rows) => rows.requestId],
    ['/v1/user-limits', (rows: Rows) => rows.userId],
    ['/v1/compliance/receipts', (rows: Rows) => rows.keyId],
    ['/v1/usage?groupBy=key', (rows: Rows) => rows.keyId],
  ])('%s', async (path, idOf) => {
    const { status, body } = await service.as(ada.key).get(path)
    expect(status).toBe(200)
    expect(JSON.stringify(body)).toContain(idOf(ada.rows))
  })

  test('page by page, each once', async () => {
    const { api } = service
    const { key } = (await api.post('/v1/keys', { name: 'Pages', userId: 'has "many" \\ calls é' })).body
    for (let i = 0; i < 5; i++)
      for (const caller of [key, bob.key])
        await service.as(caller).post('/v1/chat/completions', {
          model: 'mock/echo',
          messages: [{ role: 'user', content: 'Hi' }],
        })
    const seqs: number[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await service
        .as(key)
        .get(`/v1/compliance/receipts?limit=2${cursor && `&cursor=${cursor}`}`)
      expect(page.status).toBe(200)
      seqs.push(...page.body.data.map(({ seq }: { seq: number }) => seq))
      cursor = page.body.nextCursor
    }
    expect(seqs).toHaveLength(5)
    expect(seqs).toEqual([...new Set(seqs)].toSorted((a, b) => b - a))
  })
})

test('usage is about the caller, not about the tenant', async () => {
  const all = (await service.api.get('/v1/usage')).body.totals
  const parts = await Promise.all(
    (await service.api.get('/v1/usage?groupBy=user')).body.groups.map(
      ({ key, requests }: { key: string | null; requests: number }) => [key, requests],
    ),
  )
  const byUser = new Map<string | null, number>(parts)
  const mine = (await service.as(ada.key).get('/v1/usage?groupBy=user')).body
  expect(mine.totals.requests).toBe(byUser.get(ada.rows.userId))
  expect(mine.groups.map(({ key }: { key: string }) => key)).toEqual([ada.rows.userId])
  expect(mine.totals.requests).toBeLessThan(all.requests)
  expect((await service.as(keys.loner).get('/v1/usage')).body.totals.requests).toBe(0)
})

test('a key that was taken from a user shows nothing of what the user did with it', async () => {
  const { api } = service
  const { id, key } = (await api.post('/v1/keys', { name: 'Handed on', userId: 'former owner' })).body
  const { body: budget } = await api.post('/v1/budgets', { name: 'For all', amountUsd: 5 })
  const own = service.as(key)
  const call = { model: 'mock/echo', messages: [{ role: 'user', content: 'Hi' }] }
  const seq = (await own.post('/v1/chat/completions', call)).headers.get('x-tallystick-receipt')
  await own.post('/v1/budgets/requests', { budgetId: budget.id, amountUsd: 1, reason: 'Mine' })
  expect((await own.get(`/v1/compliance/receipts/${seq}`)).status).toBe(200)

  await api.patch(`/v1/keys/${id}`, { userId: null })
  expect((await own.get(`/v1/compliance/receipts/${seq}`)).status).toBe(404)
  expect((await own.get('/v1/compliance/receipts')).body.data).toEqual([])
  expect((await own.get('/v1/budgets/requests')).body.data).toEqual([])
  expect((await own.get('/v1/usage')).body.totals.requests).toBe(0)

  const next = (await own.post('/v1/chat/completions', call)).headers.get('x-tallystick-receipt')
  const { data } = (await own.get('/v1/compliance/receipts')).body
  expect(data.map((receipt: { seq: number }) => String(receipt.seq))).toEqual([next])
})

describe('the role of a key with an owner', () => {
  const order = ['member', 'auditor', 'manager'] as const

  test.each(order.flatMap((ofKey) => order.map((ofUser) => ({ ofKey, ofUser }))))(
    'is the lower of both: key $ofKey, user $ofUser',
    async ({ ofKey, ofUser }) => {
      const { api } = service
      const userId = `${ofKey} of ${ofUser}`
      await api.post('/v1/team/members', { userId, role: ofUser })
      const { key } = (await api.post('/v1/keys', { name: userId, userId, role: ofKey })).body
      const effective = order[Math.min(order.indexOf(ofKey), order.indexOf(ofUser))]
      expect((await service.as(key).get('/v1/audit-log')).status).toBe(effective === 'member' ? 403 : 200)
      expect((await service.as(key).post('/v1/prompts', { name: userId })).status).toBe(
        effective === 'manager' ? 201 : 403,
      )
      const asked = { budgetId: ada.rows.budgetId, amountUsd: 1, reason: 'More' }
      const filed = await service.as(key).post('/v1/budgets/requests', asked)
      expect(filed.status).toBe({ member: 404, auditor: 403, manager: 201 }[effective ?? 'member'])
    },
  )

  test('follows the user at once', async () => {
    const { api } = service
    await api.post('/v1/team/members', { userId: 'climber', role: 'manager' })
    const { key } = (await api.post('/v1/keys', { name: 'Climber', userId: 'climber', role: 'manager' })).body
    const own = service.as(key)
    expect((await own.post('/v1/prompts', { name: 'By the climber' })).status).toBe(201)
    await api.patch('/v1/team/members/climber/role', { role: 'auditor' })
    expect((await own.post('/v1/prompts', { name: 'By the auditor' })).status).toBe(403)
    expect((await own.get('/v1/team/members')).status).toBe(200)
    await api.patch('/v1/team/members/climber/role', { role: 'member' })
    expect((await own.get('/v1/team/members')).status).toBe(403)
  })
})

test('an auditor calls models as any key does: what a call may cost is a matter of limits', async () => {
  const call = { model: 'mock/echo', messages: [{ role: 'user', content: 'Hi' }] }
  expect((await service.as(keys.auditor).post('/v1/chat/completions', call)).status).toBe(200)
})

test('an auditor key does not count as the manager key that a tenant keeps', async () => {
  const { api, managerKeyId } = await addTenant(service, 'alone')
  await api.post('/v1/keys', { name: 'Auditor', role: 'auditor' })
  expect((await api.patch(`/v1/keys/${managerKeyId}`, { role: 'auditor' })).status).toBe(409)
  expect((await api.delete(`/v1/keys/${managerKeyId}`)).status).toBe(409)
})
