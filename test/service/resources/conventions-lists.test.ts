import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../../packages/service/src/db/index.js'
import { operatorOf } from '../../../packages/service/src/resources/audit/index.js'
import { createKey } from '../../../packages/service/src/resources/keys/index.js'
import { createTenant } from '../../../packages/service/src/resources/tenants/index.js'
import type { Api } from '../../harness/service/api.js'
import type { TestService } from '../../harness/service/service.js'
import { shareTestService } from '../../harness/service/shared-service.js'

let service: TestService
let api: Api
let stranger: Api
let strangerId: string

beforeAll(async () => {
  service = await shareTestService()
  api = service.api
  const { db, close } = openDatabase(service.database.url, () => undefined)
  const tenant = await createTenant(db, `stranger-to-${service.tenantId}`)
  const { value } = await createKey(db, operatorOf(tenant.id), { name: 'Stranger', role: 'manager' })
  await close()
  strangerId = tenant.id
  stranger = service.as(value)
})
afterAll(() => service.stop())

test.each([
  ['limit=0', 'limit: must be at least 1'],
  ['limit=201', 'limit: must be at most 200'],
  ['limit=ten', 'limit: must be a whole number'],
  ['limit=1.5', 'limit: must be a whole number'],
  ['limit=', 'limit: must be a whole number'],
  ['limit=1&limit=2', 'limit: may be given only once'],
  ['status=lost', 'status: must be one of active, revoked, expired'],
  ['status=active&status=revoked', 'status: may be given only once'],
  ['cursor=', 'cursor: was not issued for this list; start without a cursor'],
  ['cursor=abc', 'cursor: was not issued for this list; start without a cursor'],
  ['page=2', 'page: unknown query parameter'],
  ['__proto__=1', '__proto__: is not allowed as the name of a field'],
])('?%s is answered 400', async (query, message) => {
  const { status, body } = await api.get(`/v1/keys?${query}`)
  expect({ status, error: body.error }).toMatchObject({
    status: 400,
    error: { type: 'invalid_request', message },
  })
})

test('a cursor of another filter, another tenant or another list is answered 400', async () => {
  await api.post('/v1/keys', { name: 'One more' })
  const { nextCursor } = (await api.get('/v1/keys?limit=1')).body
  expect((await api.get(`/v1/keys?limit=1&cursor=${nextCursor}`)).status).toBe(200)
  const answers = [
    await api.get(`/v1/keys?status=active&cursor=${nextCursor}`),
    await stranger.get(`/v1/keys?cursor=${nextCursor}`),
    await api.get(`/v1/compliance/receipts?cursor=${nextCursor}`),
    await api.get(`/v1/keys?cursor=${nextCursor}x`),
  ]
  for (const { status, body } of answers) {
    expect({ status, type: body.error.type }).toEqual({ status: 400, type: 'invalid_request' })
  }
})

test('a page has 50 rows unless told otherwise, and 1,200 rows are read whole, newest first, while others come and go', async () => {
  // By SQL: what is paginated matters here, not how it was made.
  await service.database.query(
    `insert into keys (id, tenant_id, name, hash, hint, created_by)
     select 'key_0001' || lpad(n::text, 22, '0'), $1, 'Row ' || n, sha256(($1::text || n)::bytea), '----', 'test' from generate_series(1, 1200) n`,
    [strangerId],
  )
  expect((await stranger.get('/v1/keys')).body.data).toHaveLength(50)
  const names: string[] = []
  let query = '?limit=199'
  for (let page = 1; query !== ''; page++) {
    const { body } = await stranger.get(`/v1/keys${query}`)
    names.push(...body.data.map((key: { name: string }) => key.name))
    query = body.nextCursor === null ? '' : `?limit=199&cursor=${body.nextCursor}`
    await stranger.post('/v1/keys', { name: `Added at page ${page}` })
    // The last row read, on which the cursor stands, and one that is still to come.
    await service.database.query('delete from keys where tenant_id = $1 and name = any($2)', [
      strangerId,
      [names.at(-1), `Row ${page}`],
    ])
  }
  const expected = Array.from({ length: 1200 }, (_, i) => `Row ${1200 - i}`).slice(0, -6)
  expect(names).toEqual(['Stranger', ...expected])
})
