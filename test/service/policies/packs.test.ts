import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyRecord } from '../../harness/record/record.js'
import { createTestDatabase, type TestDatabase } from '../../harness/service/database.js'
import { startTestService, type TestService } from '../../harness/service/service.js'
import { addTenant } from '../../harness/service/tenant.js'

let service: TestService
let database: TestDatabase
let folder: string

const house = (version: string) => ({
  framework: 'house-rules',
  version,
  title: 'House rules',
  reference: 'Handbook',
  summary: 'What we promised each other.',
  limits: ['It binds nobody else.'],
  controls: [
    {
      id: '1',
      title: 'No secrets',
      requirement: 'Secrets stay in the house.',
      shows: ['Calls in which a secret was found.'],
      doesNotShow: ['Secrets that no rule describes.'],
      checks: ['secrets'],
      fields: ['checks'],
    },
  ],
})
const env = () => ({ TALLYSTICK_PACKS_DIR: folder })
const saveHouse = (version: string) => writeFile(join(folder, 'house.json'), JSON.stringify(house(version)))

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tallystick-packs-'))
  await saveHouse('1.0')
  database = await createTestDatabase()
  service = await startTestService({ database, env: env() })
})
afterAll(async () => {
  await service.stop()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

const call = (api = service.api) =>
  api.post('/v1/chat/completions', { model: 'mock/echo', messages: [{ role: 'user', content: 'Hi' }] })
const set = (framework: string, status: string, api = service.api) =>
  api.put(`/v1/compliance/packs/${framework}`, { status })
const newestReceipt = async (api = service.api) =>
  (await api.get('/v1/compliance/receipts?limit=1')).body.data[0]

test('a tenant starts with all packs there and none in force', async () => {
  const { body } = await service.api.get('/v1/compliance/packs')
  expect(body.map((pack: { framework: string }) => pack.framework)).toEqual([
    'eu-ai-act',
    'gdpr',
    'hipaa',
    'house-rules',
    'iso-42001',
    'nist-ai-rmf',
    'soc2',
  ])
  for (const pack of body) {
    expect(pack).toMatchObject({ status: 'inactive', activatedAt: null, latestVersion: pack.version })
    expect(pack.source).toBe(pack.framework === 'house-rules' ? 'custom' : 'builtin')
    for (const control of pack.controls) expect(control.doesNotShow).not.toEqual([])
  }
  await call()
  expect(await newestReceipt()).not.toHaveProperty('packs')
})

test('activating a pack leaves an entry in the record, and calls from then on name it', async () => {
  const { status, body } = await set('soc2', 'active')
  expect(status).toBe(200)
  expect(body).toMatchObject({ framework: 'soc2', version: '1.1', status: 'active' })
  const event = await newestReceipt()
  expect(event).toMatchObject({
    kind: 'control',
    event: 'pack.activate',
    subject: `soc2@1.1 sha256:${body.packHash}`,
    packs: ['soc2@1.1'],
    key: expect.stringMatching(/^key_/),
  })
  await call()
  expect(await newestReceipt()).toMatchObject({ seq: event.seq + 1, kind: 'model', packs: ['soc2@1.1'] })

  await set('eu-ai-act', 'active')
  await call()
  expect((await newestReceipt()).packs).toEqual(['eu-ai-act@1.1', 'soc2@1.1'])
  const deactivated = await set('soc2', 'inactive')
  expect(deactivated.body).toMatchObject({ status: 'inactive', activatedAt: null })
  expect(await newestReceipt()).toMatchObject({ event: 'pack.deactivate', packs: ['eu-ai-act@1.1'] })
  await call()
  expect((await newestReceipt()).packs).toEqual(['eu-ai-act@1.1'])
})

test('the attestation tells what is in force now and what was seen in the period', async () => {
  const { body } = await service.api.get('/v1/compliance/attestation')
  const packs = (await service.api.get('/v1/compliance/packs')).body
  const { packHash } = packs.find((pack: { framework: string }) => pack.framework === 'eu-ai-act')
  expect(body.packsInForce).toEqual([
    { framework: 'eu-ai-act', version: '1.1', status: 'active', packHash, source: 'builtin' },
  ])
  expect(body.packVersionsObserved).toEqual(['eu-ai-act@1.1', 'soc2@1.1'])
  const { receipts, modelReceipts, chainVerified, signaturesVerified } = body.totals
  expect({ chainVerified, signaturesVerified }).toEqual({ chainVerified: true, signaturesVerified: true })
  // Three changes of packs, and the price of the model that was called.
  expect(receipts - modelReceipts).toBe(4)
})

test('what is so already leaves no trace, and what is not there is not found', async () => {
  const before = await newestReceipt()
  const audit = (await service.api.get('/v1/audit-log?limit=1')).body
  expect((await set('eu-ai-act', 'active')).status).toBe(200)
  expect((await set('gdpr', 'inactive')).status).toBe(200)
  expect((await set('nowhere', 'active')).status).toBe(404)
  expect((await set('eu-ai-act', 'paused')).status).toBe(400)
  expect(await newestReceipt()).toEqual(before)
  expect((await service.api.get('/v1/audit-log?limit=1')).body).toEqual(audit)
})

test('packs of one tenant are none of another’s', async () => {
  const other = await addTenant(service, 'other')
  await call(other.api)
  expect(await newestReceipt(other.api)).not.toHaveProperty('packs')
  const { body } = await other.api.get('/v1/compliance/attestation')
  expect(body).toMatchObject({ packsInForce: [], packVersionsObserved: [] })
})

test('managers who switch packs at once leave a record that verifies, with each list as it was', async () => {
  const tenant = await addTenant(service, 'busy')
  const frameworks = ['gdpr', 'hipaa', 'soc2', 'iso-42001', 'nist-ai-rmf', 'eu-ai-act']
  const answers = await Promise.all([
    ...frameworks.map((framework) => set(framework, 'active', tenant.api)),
    ...Array.from({ length: 12 }, () => call(tenant.api)),
  ])
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  const { fault, entries } = await verifyRecord(database, tenant.id)
  expect(fault).toBeNull()
  const events = entries.filter(({ event }) => event === 'pack.activate')
  expect(events.map(({ packs }) => packs.length)).toEqual([1, 2, 3, 4, 5, 6])
  const usage = (await tenant.api.get('/v1/usage?range=1h')).body.totals
  expect(usage.requests).toBe(12)
})

describe('a pack whose file changes', () => {
  const restart = async () => {
    await service.service.stop()
    const { managerKey, dataDir } = service
    service = await startTestService({ database, managerKey, dataDir, env: env() })
  }
  const housePack = async () =>
    (await service.api.get('/v1/compliance/packs')).body.find(
      (pack: { framework: string }) => pack.framework === 'house-rules',
    )

  test('stays in force as it was until it is activated again', async () => {
    await set('house-rules', 'active')
    await saveHouse('1.1')
    await restart()
    await call()
    expect((await newestReceipt()).packs).toContain('house-rules@1.0')
    expect(await housePack()).toMatchObject({ version: '1.0', status: 'active', latestVersion: '1.1' })

    const { body } = await set('house-rules', 'active')
    expect(body).toMatchObject({ version: '1.1', status: 'active' })
    expect(await newestReceipt()).toMatchObject({
      event: 'pack.activate',
      subject: `house-rules@1.1 sha256:${body.packHash}`,
    })
  })

  test('can be put out of force when its file is gone', async () => {
    await rm(join(folder, 'house.json'))
    await restart()
    const gone = { version: '1.1', status: 'active', latestVersion: null }
    expect((await set('house-rules', 'active')).body).toMatchObject(gone)
    const { status, body } = await set('house-rules', 'inactive')
    expect({ status, state: body.status }).toEqual({ status: 200, state: 'inactive' })
    expect((await set('house-rules', 'active')).status).toBe(404)
  })

  test('keeps the service from starting when it is not a pack', async () => {
    await writeFile(join(folder, 'house.json'), JSON.stringify({ framework: 'house-rules' }))
    const { managerKey, dataDir } = service
    await expect(startTestService({ database, managerKey, dataDir, env: env() })).rejects.toThrow(
      'house.json',
    )
  })
})
