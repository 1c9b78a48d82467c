import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillRecord } from '../../harness/record/fill-record.js'
import {
  type Jwk,
  verifyConsistencyProof,
  verifyExportText,
  verifyInclusionProof,
} from '../../harness/record/second-verifier.js'
import { startTestService, type TestService } from '../../harness/service/service.js'
import { addTenant, type TestTenant } from '../../harness/service/tenant.js'

let service: TestService
let tenant: TestTenant
let keys: Jwk[]
const size = 290

beforeAll(async () => {
  service = await startTestService()
  tenant = await addTenant(service, 'acme')
  await fillRecord({
    ...service,
    tenantId: tenant.id,
    groups: [1, 2, 257, 30],
    draft: { user: 'Zoë "Ω" \u2028 🍕' },
  })
  keys = (await service.api.get('/.well-known/tallystick/jwks.json')).body.keys
})
afterAll(() => service.stop())

const read = async (path: string) => (await tenant.api.get(`/v1/compliance/${path}`)).body

test('a verifier written from the page alone accepts every export of a service', async () => {
  for (const fromSeq of [1, 2, 3, 4, 200, 257, 261, 290])
    expect(verifyExportText(await read(`export?fromSeq=${fromSeq}`), keys)).toBe(true)
  expect(verifyExportText(await read('export?toSeq=3'), keys)).toBe(true)
})

test('and refuses one with a changed byte, a missing line or another key', async () => {
  const text: string = await read('export')
  expect(verifyExportText(text.replace('costNanos\\":13', 'costNanos\\":12'), keys)).toBe(false)
  expect(verifyExportText(text.replace(/\{"type":"entry","seq":7,[^\n]*\n/, ''), keys)).toBe(false)
  expect(verifyExportText(text.replace(/\{"type":"end".*\n/, ''), keys)).toBe(false)
  expect(verifyExportText(text, [{ x: Buffer.alloc(32, 9).toString('base64url') }])).toBe(false)
})

test('and accepts every proof of a service, and none for another entry', async () => {
  for (const seq of [1, 2, 3, 4, 128, 256, 257, 260, 261, 289, 290]) {
    const { canonical } = await read(`receipts/${seq}`)
    const proof = await read(`receipts/${seq}/proof`)
    expect(verifyInclusionProof(canonical, proof, keys)).toBe(true)
    expect(verifyInclusionProof(canonical, { ...proof, index: (seq % size) + 1 }, keys)).toBe(false)
    expect(verifyInclusionProof(canonical.replace('echo', 'Echo'), proof, keys)).toBe(false)
  }
})

test('and accepts that the record only grew, between any two sizes', async () => {
  for (const [from, to] of [
    [0, 290],
    [1, 2],
    [3, 260],
    [64, 290],
    [255, 256],
    [256, 290],
    [261, 289],
    [290, 290],
  ]) {
    const proof = await read(`consistency?from=${from}&to=${to}`)
    expect(verifyConsistencyProof(proof)).toBe(true)
    if (from !== to && from !== 0)
      expect(verifyConsistencyProof({ ...proof, fromRoot: proof.toRoot })).toBe(false)
  }
})
