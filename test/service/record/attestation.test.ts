import { hash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noMarks } from '../../../packages/service/src/record/index.js'
import { loadOrCreateSigningKey } from '../../../packages/service/src/record/keys/signing-key.js'
import { recordControlEvents } from '../../../packages/service/src/record/operations/control-events.js'
import { fillRecord } from '../../harness/record/fill-record.js'
import { naiveRoot } from '../../harness/record/naive-tree.js'
import type { TestService } from '../../harness/service/service.js'
import { shareTestService } from '../../harness/service/shared-service.js'
import { addTenant } from '../../harness/service/tenant.js'

let service: TestService

beforeAll(async () => {
  service = await shareTestService()
})
afterAll(() => service.stop())

const chat = (model: string) => ({ model, messages: [{ role: 'user', content: 'Hi' }] })
const emptyRoot = hash('sha256', '', 'hex')

/** A tenant with a record of its own, filled without calls. */
async function tenantWith(
  name: string,
  groups: number[],
  draft: Parameters<typeof fillRecord>[0]['draft'] = {},
) {
  const tenant = await addTenant(service, name)
  const { database, dataDir } = service
  await fillRecord({ database, dataDir, tenantId: tenant.id, groups, draft })
  return tenant
}

async function leavesOf(tenantId: string): Promise<Buffer[]> {
  const rows = await service.database.query<{ leaf_hash: Buffer }>(
    'select leaf_hash from receipts where tenant_id = $1 order by seq',
    [tenantId],
  )
  return rows.map((row) => row.leaf_hash)
}

describe('the attestation of a tenant', () => {
  test('that never called has every field, and says that there is nothing', async () => {
    const tenant = await addTenant(service, 'empty')
    const { status, body } = await tenant.api.get('/v1/compliance/attestation')
    expect(status).toBe(200)
    expect(body).toEqual({
      version: '1.0',
      tenantId: tenant.id,
      generatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      scope: expect.stringContaining('through this Tallystick gateway'),
      disclaimer: expect.stringContaining('not legal advice'),
      period: {
        label: 'last-30-days',
        days: 30,
        fromSeq: 0,
        toSeq: 0,
        fromTs: expect.any(String),
        toTs: expect.any(String),
      },
      totals: {
        receipts: 0,
        modelReceipts: 0,
        toolReceipts: 0,
        chainVerified: true,
        chainVerifiedCount: 0,
        signaturesVerified: true,
        signaturesVerifiedCount: 0,
        policyEvaluated: 0,
        policyEvaluatedPct: 0,
        enforcementActions: 0,
        upstreamFailures: 0,
      },
      checkCoverage: [],
      packsInForce: [],
      packVersionsObserved: [],
      signingKeyIds: [],
      merkle: { algorithm: 'RFC6962-SHA256', leafCount: 0, root: emptyRoot },
      anchor: { type: 'none', root: emptyRoot, note: expect.stringContaining('Self-attested') },
      exceptions: [],
      signature: {
        keyId: expect.stringMatching(/^[\w-]{43}$/),
        value: expect.stringMatching(/^[\w+/]{86}==$/),
      },
    })
  })

  test('is reused on request, until the record has an exception that it does not list', async () => {
    const tenant = await tenantWith('last', [2])
    const last = () => tenant.api.get('/v1/compliance/attestation?days=7&reuse=true')
    const { body: first } = await last()
    const { database, dataDir } = service
    await fillRecord({ database, dataDir, tenantId: tenant.id, groups: [1] })
    expect((await last()).body).toEqual(first)
    expect((await tenant.api.get('/v1/compliance/attestation?reuse=true')).body.totals.receipts).toBe(3)

    const { body: second } = await tenant.api.get('/v1/compliance/attestation?days=7')
    expect(second.totals.receipts).toBe(3)
    expect((await last()).body).toEqual(second)

    const signingKey = await loadOrCreateSigningKey({ dataDir, configured: null })
    await recordControlEvents(
      { databaseUrl: database.url, signingKey, marks: noMarks, now: new Date() },
      [tenant.id],
      [{ event: 'signing_key.compromise', subject: signingKey.publicKey.id }],
    )
    const { body: third } = await last()
    expect(third.exceptions).toHaveLength(1)
    expect((await last()).body).toEqual(third)
  })

  test('with one receipt has that one as its tree', async () => {
    const tenant = await tenantWith('one', [1])
    const { body } = await tenant.api.get('/v1/compliance/attestation?days=1')
    const [leaf] = await leavesOf(tenant.id)
    expect(body).toMatchObject({
      period: { label: 'last-1-days', days: 1, fromSeq: 1, toSeq: 1 },
      totals: { receipts: 1, modelReceipts: 1, chainVerifiedCount: 1, signaturesVerifiedCount: 1 },
      merkle: { leafCount: 1, root: leaf?.toString('hex') },
    })
  })

  test('is counted from its calls: what was blocked, what failed, which checks applied', async () => {
    const suspended = await service.api.post('/v1/keys', { name: 'Suspended', userId: 'sam', rpmLimit: 100 })
    const narrow = await service.api.post('/v1/keys', { name: 'Narrow', allowedModels: ['mock/slow'] })
    await service.api.post('/v1/chat/completions', chat('mock/echo'))
    await service.api.post('/v1/chat/completions', chat('mock/fail'))
    await service.as(suspended.body.key).post('/v1/chat/completions', chat('mock/echo'))
    await service.as(narrow.body.key).post('/v1/chat/completions', chat('mock/echo'))

    const { body } = await service.api.get('/v1/compliance/attestation')
    const leaves = await leavesOf(body.tenantId)
    const jwks = (await service.api.get('/.well-known/tallystick/jwks.json')).body
    const checkpoint = (await service.api.get('/v1/compliance/checkpoint')).body.split('\n')
    // Four calls, and the price that applied to them.
    expect(body).toMatchObject({
      period: { fromSeq: 1, toSeq: 5 },
      totals: {
        receipts: 5,
        modelReceipts: 4,
        chainVerified: true,
        chainVerifiedCount: 5,
        signaturesVerified: true,
        signaturesVerifiedCount: 5,
        enforcementActions: 1,
        upstreamFailures: 1,
      },
      checkCoverage: [
        { name: 'model_allowlist', receipts: 1, applicableReceipts: 1, pct: 100 },
        { name: 'rate_limit', receipts: 1, applicableReceipts: 1, pct: 100 },
        { name: 'user_status', receipts: 1, applicableReceipts: 1, pct: 100 },
      ],
      signingKeyIds: [jwks.keys[0].kid],
      merkle: { leafCount: 5, root: naiveRoot(leaves).toString('hex') },
      anchor: { root: Buffer.from(checkpoint[2], 'base64').toString('hex') },
    })
  })

  test('counts a check as covered when it came to a verdict, and rounds its share down', async () => {
    const policy = 'pol_1@1'
    const verdicts = (result: 'pass' | 'fail' | 'error') => ({
      checks: [{ name: 'pii', applicable: true, result, policy }],
    })
    const tenant = await tenantWith('coverage', [1], verdicts('fail'))
    const { database, dataDir } = service
    await fillRecord({ database, dataDir, tenantId: tenant.id, groups: [1], draft: verdicts('pass') })
    await fillRecord({ database, dataDir, tenantId: tenant.id, groups: [1], draft: verdicts('error') })
    const { body } = await tenant.api.get('/v1/compliance/attestation')
    expect(body.checkCoverage).toEqual([{ name: 'pii', receipts: 2, applicableReceipts: 3, pct: 66.6 }])
    expect(body.totals).toMatchObject({ policyEvaluated: 2, policyEvaluatedPct: 66.6 })
  })

  test('of a calendar month holds the entries of that month, and months neither overlap nor leave a gap', async () => {
    const tenant = await addTenant(service, 'months')
    const { database, dataDir } = service
    // Calls that end around midnight stand in the order in which they ended.
    const times = [
      '09-30T23:59:58',
      '10-01T00:00:01',
      '09-30T23:59:59',
      '10-31T23:59:59',
      '11-01T00:00:00',
      '11-30T12:00:00',
    ]
    for (const time of times) {
      const draft = { ts: `2026-${time}.000Z` }
      await fillRecord({ database, dataDir, tenantId: tenant.id, groups: [1], draft })
    }
    const periodOf = async (month: string) =>
      (await tenant.api.get(`/v1/compliance/attestation?period=2026-${month}`)).body
    expect((await periodOf('09')).period).toMatchObject({ label: '2026-09', days: 30, fromSeq: 1, toSeq: 1 })
    expect((await periodOf('10')).period).toEqual({
      label: '2026-10',
      days: 31,
      fromSeq: 2,
      toSeq: 4,
      fromTs: '2026-10-01T00:00:00.000Z',
      toTs: '2026-11-01T00:00:00.000Z',
    })
    const november = await periodOf('11')
    expect(november.period).toMatchObject({ fromSeq: 5, toSeq: 6 })
    const leaves = await leavesOf(tenant.id)
    expect(november.merkle).toMatchObject({ leafCount: 2, root: naiveRoot(leaves.slice(4)).toString('hex') })
    expect(november.totals).toMatchObject({ chainVerified: true, signaturesVerified: true })
    expect((await periodOf('08')).period).toMatchObject({ fromSeq: 0, toSeq: 0 })
  })

  test('of another tenant is another: the same calls by nobody else are in it', async () => {
    const [ours, theirs] = [await tenantWith('ours', [2]), await tenantWith('theirs', [3, 4])]
    const [a, b] = await Promise.all([ours, theirs].map(({ api }) => api.get('/v1/compliance/attestation')))
    expect(a?.body).toMatchObject({ tenantId: ours.id, totals: { receipts: 2 } })
    expect(b?.body).toMatchObject({ tenantId: theirs.id, totals: { receipts: 7 } })
  })
})

test.each(['days=0', 'days=367', 'days=1.5', 'period=2026-13', 'period=2026-1', 'days=3&period=2026-10'])(
  'asking for %s is refused',
  async (query) => {
    const { status, body } = await service.api.get(`/v1/compliance/attestation?${query}`)
    expect({ status, type: body.error.type }).toEqual({ status: 400, type: 'invalid_request' })
  },
)

describe('a large attestation', () => {
  const entries = 20_480
  let path: string
  let api: TestService['api']
  let key: string
  beforeAll(async () => {
    const tenant = await tenantWith(
      'large',
      Array.from({ length: entries / 256 }, () => 256),
    )
    api = tenant.api
    key = tenant.managerKey
    path = '/v1/compliance/attestation?days=2'
  })

  test('leaves the event loop to others: it is idle for most of the time', async () => {
    const utilizations: number[] = []
    for (let round = 0; round < 4 && !(Math.min(...utilizations) < 0.5); round++) {
      const before = performance.eventLoopUtilization()
      const { body } = await api.get(path)
      utilizations.push(performance.eventLoopUtilization(before).utilization)
      expect(body.totals).toMatchObject({ chainVerifiedCount: entries, signaturesVerifiedCount: entries })
    }
    // The best of some: a thread that waits for a processor counts as busy.
    expect(Math.min(...utilizations)).toBeLessThan(0.5)
  })

  test('is done once for all who ask at the same time, and anew for who asks later', async () => {
    const [first, second, other] = await Promise.all([api.get(path), api.get(path), api.get(`${path}1`)])
    expect(second.body).toEqual(first.body)
    expect(other.body.period.label).toBe('last-21-days')
    const later = await api.get(path)
    expect(later.body.generatedAt > first.body.generatedAt).toBe(true)
  })

  test('goes on for those who wait when another caller hangs up', async () => {
    const hangingUp = new AbortController()
    const headers = { authorization: `Bearer ${key}` }
    const gone = fetch(`${service.address}${path}`, { headers, signal: hangingUp.signal }).catch(() => 'gone')
    const stays = api.get(path)
    hangingUp.abort()
    expect(await gone).toBe('gone')
    expect((await stays).body.totals.chainVerified).toBe(true)
  })
})
