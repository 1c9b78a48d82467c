import { afterAll, beforeAll, expect, test } from 'vitest'
import { openVerifierFolder, type VerifierFolder } from '../harness/processes/verifier-folder.js'
import { fillRecord } from '../harness/record/fill-record.js'
import { startTestService, type TestService } from '../harness/service/service.js'
import { addTenant, type TestTenant } from '../harness/service/tenant.js'

let service: TestService
let tenant: TestTenant
let verifier: VerifierFolder

beforeAll(async () => {
  service = await startTestService()
  tenant = await addTenant(service, 'acme')
  verifier = await openVerifierFolder()
  await tenant.api.put('/v1/compliance/packs/soc2', { status: 'active' })
  await tenant.api.post('/v1/policies', { name: 'No moon', kind: 'keywords', config: { words: ['moon'] } })
  for (const content of ['Hi', 'To the moon', 'Hello']) {
    const body = { model: 'mock/echo', messages: [{ role: 'user', content }] }
    await tenant.api.post('/v1/chat/completions', body)
  }
  await fillRecord({ ...service, tenantId: tenant.id, groups: [300, 7] })
  for (const [name, path] of Object.entries({
    'export.jsonl': 'export',
    'attestation.json': 'attestation?days=1',
    'receipt.json': 'receipts/3',
    'proof.json': 'receipts/3/proof',
    'growth.json': 'consistency?from=4',
    checkpoint: 'checkpoint',
  })) {
    const { status, body } = await tenant.api.get(`/v1/compliance/${path}`)
    expect({ path, status }).toEqual({ path, status: 200 })
    await verifier.write(name, typeof body === 'string' ? body : JSON.stringify(body))
  }
  const { body: jwks } = await service.api.get('/.well-known/tallystick/jwks.json')
  await verifier.write('jwks.json', JSON.stringify(jwks))
})
afterAll(async () => {
  await service.stop()
  await verifier.remove()
})

test('everything that a service gives out about its record is verified by a stranger, at once and offline', async () => {
  const files = ['export.jsonl', 'attestation.json', 'receipt.json', 'proof.json', 'growth.json']
  const { exitCode, results } = await verifier.runJson([
    ...files,
    '--key',
    'jwks.json',
    '--checkpoint',
    'checkpoint',
  ])
  expect(results.map(({ kind, fault }: { kind: string; fault: unknown }) => [kind, fault])).toEqual([
    ['export', null],
    ['attestation', null],
    ['receipt', null],
    ['consistency', null],
  ])
  expect(exitCode).toBe(0)
})
