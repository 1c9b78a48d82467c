import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillRecord } from '../../harness/record/fill-record.js'
import { verifyRecord } from '../../harness/record/record.js'
import { startTestService, type TestService } from '../../harness/service/service.js'
import { addTenant } from '../../harness/service/tenant.js'

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const erase = (userId: string, api = service.api) => api.post('/v1/compliance/erasures', { userId })

interface KeyOfReceipt {
  user: string | null
  kind: string
  has_key: boolean
}
const readKeys = (tenantId: string) =>
  service.database.query<KeyOfReceipt>(
    `select canonical::jsonb->>'user' as user, canonical::jsonb->>'kind' as kind, commitment_key is not null as has_key
     from receipts where tenant_id = $1 order by seq`,
    [tenantId],
  )

test('a user’s keys are deleted and nobody else’s; chain, proofs and totals stay as they are', async () => {
  // Names that are part of one another, and one that tries to look like another's field.
  const users = ['ada', 'adam', 'a', '"user":"ada",', 'ada']
  for (const userId of users) {
    const { body } = await service.api.post('/v1/keys', { name: userId, userId })
    const content = 'Tell nobody of "user":"ada", please'
    const { status } = await service
      .as(body.key)
      .post('/v1/chat/completions', { model: 'mock/echo', messages: [{ role: 'user', content }] })
    expect(status).toBe(200)
  }
  const usage = (await service.api.get('/v1/usage?range=24h')).body.totals
  const before = (await service.api.get('/v1/compliance/attestation')).body
  expect(before).not.toHaveProperty('erasures')

  const { status, body } = await erase('ada')
  expect(status).toBe(201)
  expect(body).toEqual({
    id: expect.stringMatching(/^era_/),
    userId: 'ada',
    status: 'done',
    throughSeq: 6,
    erasedReceipts: 2,
    createdAt: expect.any(String),
    finishedAt: expect.any(String),
  })
  const keys = await readKeys(before.tenantId)
  for (const { user, kind, has_key } of keys) expect(has_key).toBe(user !== 'ada' && kind !== 'control')

  expect(await verifyRecord(service.database)).toMatchObject({ fault: null, chained: 7, sealed: 7 })
  expect((await service.api.get('/v1/compliance/receipts/1/proof')).status).toBe(200)
  expect((await service.api.get('/v1/usage?range=24h')).body.totals).toEqual(usage)
  const after = (await service.api.get('/v1/compliance/attestation')).body
  expect(after.totals).toEqual({
    ...before.totals,
    receipts: 7,
    chainVerifiedCount: 7,
    signaturesVerifiedCount: 7,
  })
})

test('the record says that it happened, not to whom, and the attestation says so in words and numbers', async () => {
  const { data } = (await service.api.get('/v1/compliance/receipts?limit=1')).body
  expect(data[0]).toMatchObject({
    seq: 7,
    kind: 'control',
    event: 'commitments.erase',
    subject: expect.stringMatching(/^era_/),
  })
  expect(data[0]).not.toHaveProperty('user')
  const { body } = await service.api.get('/v1/compliance/attestation')
  expect(body.erasures).toEqual({ receipts: 2, controlEntries: [7] })
  expect(body.disclaimer).toContain('were deleted')
  expect((await service.api.get('/v1/compliance/erasures')).body.data).toHaveLength(1)
})

test('erasing again finds nothing left to delete, and a user that never was is not found', async () => {
  expect((await erase('ada')).body).toMatchObject({ erasedReceipts: 0, status: 'done' })
  expect((await erase('nobody')).status).toBe(404)
  const other = await addTenant(service, 'other')
  expect((await erase('ada', other.api)).status).toBe(404)
})

test('an erasure in another period than its receipts is told of where the receipts are', async () => {
  const tenant = await addTenant(service, 'months')
  await tenant.api.post('/v1/keys', { name: 'Ada', userId: 'ada' })
  const { database, dataDir } = service
  const fill = (ts: string) =>
    fillRecord({
      database,
      dataDir,
      tenantId: tenant.id,
      groups: [3],
      draft: { ts, user: 'ada', request: 'ab' },
    })
  await fill('2026-03-15T12:00:00.000Z')
  await fill('2026-05-15T12:00:00.000Z')
  await erase('ada', tenant.api)
  const of = async (month: string) =>
    (await tenant.api.get(`/v1/compliance/attestation?period=2026-${month}`)).body.erasures
  expect(await of('03')).toEqual({ receipts: 3, controlEntries: [7] })
  expect(await of('04')).toBeUndefined()
  expect(await of('05')).toEqual({ receipts: 3, controlEntries: [7] })
})

test('keys that vanish without an erasure are missed too', async () => {
  const tenant = await addTenant(service, 'quiet')
  const { database, dataDir } = service
  await fillRecord({ database, dataDir, tenantId: tenant.id, groups: [5], draft: { request: 'ab' } })
  await database.query('update receipts set commitment_key = null where tenant_id = $1 and seq < 3', [
    tenant.id,
  ])
  const { body } = await tenant.api.get('/v1/compliance/attestation')
  expect(body.erasures).toEqual({ receipts: 2, controlEntries: [] })
})

test('one whose process died is taken up again as a job, and ended once', async () => {
  const tenant = await addTenant(service, 'broken-off')
  await tenant.api.post('/v1/keys', { name: 'Ada', userId: 'ada' })
  const { database, dataDir } = service
  const draft = { user: 'ada', request: 'ab' }
  await fillRecord({ database, dataDir, tenantId: tenant.id, groups: [4], draft })
  const { body } = await erase('ada', tenant.api)
  // As a process leaves it that died after the first step.
  await database.query('update erasures set finished_at = null, done_to = 2, erased = 2 where id = $1', [
    body.id,
  ])
  await database.query(
    `update receipts set commitment_key = '\\x01' where tenant_id = $1 and seq in (3, 4)`,
    [tenant.id],
  )
  await database.query(`update jobs set state = 'open', ended_at = null, run_at = now() where id = $1`, [
    body.id,
  ])
  await expect
    .poll(async () => (await tenant.api.get('/v1/compliance/erasures')).body.data[0])
    .toMatchObject({ id: body.id, status: 'done', erasedReceipts: 4 })
  expect((await readKeys(tenant.id)).every(({ has_key }) => !has_key)).toBe(true)
})
