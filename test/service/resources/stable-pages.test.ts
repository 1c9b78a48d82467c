import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Api } from '../../harness/service/api.js'
import type { TestService } from '../../harness/service/service.js'
import { shareTestService } from '../../harness/service/shared-service.js'
import { addTenant } from '../../harness/service/tenant.js'

const rowCount = 1_000
const pageSize = 93

interface List {
  path: string
  /** The field that names a row. */
  name: string
  /** Fills the list by SQL, `$1` being the tenant: how its rows came to be is not what is tested. */
  fill?: string
  /** The names of its rows, newest first, by another way than the list's own. */
  all: string
  add(n: number): Promise<unknown>
  /** Takes a row out of the list; a list that only grows has none. */
  remove?(name: string): Promise<unknown>
}

let service: TestService
let api: Api
let tenantId: string
let lists: Record<string, List>

const query = (text: string, values: unknown[]) => service.database.query(text, values)
const spelled = (prefix: string) => `'${prefix}_0' || lpad(n::text, 25, '0')`

beforeAll(async () => {
  service = await shareTestService()
  const tenant = await addTenant(service, 'pages')
  api = tenant.api
  tenantId = tenant.id
  const budgetId = (await api.post('/v1/budgets', { name: 'Asked of', amountUsd: 1 })).body.id
  const promptId = (await api.post('/v1/prompts', { name: 'Long history' })).body.id
  const deleteBy = (table: string, column: string) => (name: string) =>
    query(`delete from ${table} where tenant_id = $1 and ${column} = $2`, [tenantId, name])

  lists = {
    keys: {
      path: '/v1/keys',
      name: 'id',
      all: `select id as name from keys where tenant_id = $1 order by id desc`,
      fill: `insert into keys (id, tenant_id, name, hash, hint, created_by)
        select ${spelled('key')}, $1, 'Row ' || n, sha256(n::text::bytea), '----', 'test' from generate_series(1, ${rowCount}) n`,
      add: (n) => api.post('/v1/keys', { name: `Added ${n}` }),
      remove: deleteBy('keys', 'id'),
    },
    'active keys': {
      path: '/v1/keys?status=active',
      name: 'id',
      all: `select id as name from keys where tenant_id = $1 and revoked_at is null order by id desc`,
      add: (n) => api.post('/v1/keys', { name: `Added ${n}` }),
      remove: (id) => api.delete(`/v1/keys/${id}`),
    },
    budgets: {
      path: '/v1/budgets',
      name: 'id',
      all: `select id as name from budgets where tenant_id = $1 and deleted_at is null order by id desc`,
      fill: `insert into budgets (id, tenant_id, name, scope_type, scope_id, amount_nanos, period)
        select ${spelled('bud')}, $1, 'Row ' || n, 'tenant', $1, 5, 'monthly' from generate_series(1, ${rowCount}) n`,
      add: (n) => api.post('/v1/budgets', { name: `Added ${n}`, amountUsd: 1 }),
      remove: (id) => api.delete(`/v1/budgets/${id}`),
    },
    'pending budget requests': {
      path: '/v1/budgets/requests?status=pending',
      name: 'id',
      all: `select id as name from budget_requests where tenant_id = $1 and status = 'pending' order by id desc`,
      fill: `insert into budget_requests (id, tenant_id, budget_id, amount_nanos, reason, requested_key)
        select ${spelled('breq')}, $1, '${budgetId}', 5, 'Row ' || n, 'key_x' from generate_series(1, ${rowCount}) n`,
      add: (n) => api.post('/v1/budgets/requests', { budgetId, amountUsd: 1, reason: `Added ${n}` }),
      remove: (id) => api.post(`/v1/budgets/requests/${id}/deny`),
    },
    policies: {
      path: '/v1/policies',
      name: 'id',
      all: `select id as name from policies where tenant_id = $1 and deleted_at is null order by id desc`,
      fill: `insert into policies (id, tenant_id, name, kind, config, scope_type, scope_id, phase, action, enabled)
        select ${spelled('pol')}, $1, 'Row ' || n, 'secrets', '{}', 'tenant', $1, 'input', 'flag', false from generate_series(1, ${rowCount}) n`,
      add: (n) => api.post('/v1/policies', { name: `Added ${n}`, kind: 'secrets', enabled: false }),
      remove: (id) => api.delete(`/v1/policies/${id}`),
    },
    'versions of a prompt': {
      path: `/v1/prompts/${promptId}/versions`,
      name: 'id',
      all: `select id as name from prompt_versions where tenant_id = $1 order by version desc`,
      fill: `with rows as (insert into prompt_versions (id, tenant_id, prompt_id, version, content)
          select ${spelled('ver')}, $1, '${promptId}', n, 'Row ' || n from generate_series(1, ${rowCount}) n)
        update prompts set versions = ${rowCount} where id = '${promptId}' and tenant_id = $1`,
      add: (n) => api.post('/v1/prompts/versions', { promptId, content: `Added ${n}` }),
    },
    // All made at one moment, so that the moment alone does not tell one row from the next.
    members: {
      path: '/v1/team/members',
      name: 'userId',
      all: `select user_id as name from members where tenant_id = $1 and removed_at is null order by created_at desc, user_id desc`,
      fill: `insert into members (tenant_id, user_id) select $1, 'user ' || n from generate_series(1, ${rowCount}) n`,
      add: (n) => api.post('/v1/team/members', { userId: `added ${n}` }),
      remove: (id) => api.delete(`/v1/team/members/${encodeURIComponent(id)}`),
    },
    'user limits': {
      path: '/v1/user-limits',
      name: 'userId',
      all: `select user_id as name from members where tenant_id = $1 and removed_at is null order by created_at desc, user_id desc`,
      add: (n) => api.patch(`/v1/user-limits/limited%20${n}`, { budgetCapUsd: 1 }),
      remove: (id) => api.delete(`/v1/team/members/${encodeURIComponent(id)}`),
    },
    receipts: {
      path: '/v1/compliance/receipts',
      name: 'id',
      all: `select request_id as name from receipts where tenant_id = $1 order by seq desc`,
      fill: `insert into receipts (tenant_id, seq, request_id, ts, canonical, leaf_hash)
        select $1, n, ${spelled('req')}, now(),
          json_build_object('v', 1, 'tenant', $1::text, 'seq', n, 'prev', '', 'id', ${spelled('req')}, 'ts', '2026-01-01T00:00:00Z', 'kind', 'model')::text, ''
        from generate_series(1, ${rowCount}) n`,
      // The head is not at these rows, so the next ones are made like them.
      add: (n) =>
        query(
          `insert into receipts (tenant_id, seq, request_id, ts, canonical, leaf_hash)
         select tenant_id, max(seq) + 1, 'req_added' || $2::text, now(),
           json_build_object('v', 1, 'tenant', tenant_id, 'seq', max(seq) + 1, 'prev', '', 'id', 'req_added' || $2::text, 'ts', '2026-01-01T00:00:00Z', 'kind', 'model')::text, ''
         from receipts where tenant_id = $1 group by tenant_id`,
          [tenantId, String(n)],
        ),
    },
    teams: {
      path: '/v1/team/teams',
      name: 'id',
      all: `select id as name from teams where tenant_id = $1 and deleted_at is null order by id desc`,
      fill: `insert into teams (id, tenant_id, name, budget_pool_nanos)
        select ${spelled('team')}, $1, 'Row ' || n, 5 from generate_series(1, ${rowCount}) n`,
      add: (n) => api.post('/v1/team/teams', { name: `Team ${n}`, budgetPoolUsd: 1 }),
      remove: (id) => api.delete(`/v1/team/teams/${id}`),
    },
    prompts: {
      path: '/v1/prompts',
      name: 'id',
      all: `select id as name from prompts where tenant_id = $1 and deleted_at is null order by id desc`,
      fill: `insert into prompts (id, tenant_id, name) select ${spelled('prompt')}, $1, 'Row ' || n from generate_series(1, ${rowCount}) n`,
      add: (n) => api.post('/v1/prompts', { name: `Added ${n}` }),
      remove: (id) => api.delete(`/v1/prompts/${id}`),
    },
    'the audit log': {
      path: '/v1/audit-log',
      name: 'id',
      all: `select id as name from audit_log where tenant_id = $1 order by id desc`,
      fill: `insert into audit_log (id, tenant_id, actor_type, actor_id, key_id, action, subject_type, subject_id)
        select ${spelled('aud')}, $1, 'key', 'key_x', 'key_x', 'row.create', 'row', n::text from generate_series(1, ${rowCount}) n`,
      add: (n) => api.post('/v1/team/teams', { name: `Added ${n}`, budgetPoolUsd: 1 }),
    },
  }
  for (const { fill } of Object.values(lists)) if (fill) await query(fill, [tenantId])
})
afterAll(() => service.stop())

/** The cursor in the header of a list that answers with an array. */
function linkedCursor(headers: Headers): string | null {
  const link = headers.get('link')
  if (link === null) return null
  const [, next = ''] = /^<(.+)>; rel="next"$/.exec(link) ?? []
  return new URL(next, service.address).searchParams.get('cursor')
}

/** Reads the list from its first page to its last, and does something between each two. */
async function walk(list: List, betweenPages: (seen: string[]) => Promise<void>): Promise<string[]> {
  const path = `${list.path}${list.path.includes('?') ? '&' : '?'}limit=${pageSize}`
  const seen: string[] = []
  for (let cursor = ''; ; ) {
    const { status, body, headers } = await api.get(path + cursor)
    expect(status).toBe(200)
    const { data, nextCursor } = Array.isArray(body)
      ? { data: body, nextCursor: linkedCursor(headers) }
      : body
    seen.push(...data.map((item: Record<string, string>) => item[list.name]))
    if (nextCursor === null) return seen
    expect(data).toHaveLength(pageSize)
    cursor = `&cursor=${nextCursor}`
    await betweenPages(seen)
  }
}

let added = 0

test.each([
  'keys',
  'active keys',
  'budgets',
  'pending budget requests',
  'policies',
  'versions of a prompt',
  'members',
  'user limits',
  'receipts',
  'teams',
  'prompts',
  'the audit log',
])('%s: a list of 1,000 is read whole and in order, newest first, while rows come and go', async (name) => {
  const list = lists[name]
  if (!list) throw new Error(`there is no list of ${name}`)
  const readAll = async () =>
    (await service.database.query<{ name: string }>(list.all, [tenantId])).map((row) => row.name)

  // Between the pages: the row that the cursor stands on goes, the one after it, and one that is far from both.
  const before = await readAll()
  expect(before.length).toBeGreaterThanOrEqual(rowCount - 100)
  const gone = new Set<string>()
  const seen = await walk(list, async (read) => {
    await list.add(++added)
    const toCome = before.slice(before.indexOf(read.at(-1) ?? '') + 1)
    for (const victim of [read.at(-1), read[3], toCome[0], toCome[150]]) {
      if (victim === undefined || !isDispensable(victim)) continue
      await list.remove?.(victim)
      if (list.remove && !read.includes(victim)) gone.add(victim)
    }
  })
  expect(seen).toEqual(before.filter((each) => !gone.has(each)))

  // At the same time as the pages: who stayed is there, once, and in its place.
  const beforeRace = await readAll()
  const victims = list.remove ? beforeRace.filter((each, i) => i % 7 === 0 && isDispensable(each)) : []
  const racing = new AbortController()
  const churn = (async () => {
    for (let i = 0; !racing.signal.aborted; i++) {
      const victim = victims[i]
      await Promise.all([list.add(++added), victim && list.remove?.(victim)])
    }
  })()
  const seenInRace = await walk(list, async () => undefined)
  racing.abort()
  await churn
  expect(new Set(seenInRace).size).toBe(seenInRace.length)
  const known = new Set(beforeRace)
  const inPlace = seenInRace.filter((each) => known.has(each))
  const read = new Set(inPlace)
  expect(inPlace).toEqual(beforeRace.filter((each) => read.has(each)))
  const lost = beforeRace.filter((each) => !read.has(each) && !victims.includes(each))
  expect(lost).toEqual([])
})

/** The tenant's manager key, and the budget that is asked of, have to stay. */
const isDispensable = (name: string) => /_0{10}|user|added|limited/.test(name)

test.each(['/v1/team/teams', '/v1/prompts'])(
  '%s: an array of everything without parameters, and pages in the same order with them',
  async (path) => {
    const whole = await api.get(path)
    expect(whole.body.length).toBeGreaterThan(200)
    expect(whole.headers.get('link')).toBeNull()

    const first = await api.get(`${path}?limit=200`)
    const next = await api.get(`${path}?cursor=${linkedCursor(first.headers)}`)
    expect([...first.body, ...next.body]).toEqual(whole.body.slice(0, 250))
    const link = next.headers.get('link') ?? ''
    expect(link).toMatch(/^<\?limit=50&cursor=[\w-]+>; rel="next"$/)

    for (const query of ['limit=0', 'limit=201', 'cursor=abc', 'page=2'])
      expect((await api.get(`${path}?${query}`)).status, query).toBe(400)
    const [stranger, other] = [
      await addTenant(service, 'elsewhere'),
      path === '/v1/prompts' ? 'team/teams' : 'prompts',
    ]
    const cursor = linkedCursor(first.headers)
    expect((await stranger.api.get(`${path}?cursor=${cursor}`)).status).toBe(400)
    expect((await api.get(`/v1/${other}?cursor=${cursor}`)).status).toBe(400)
  },
)
