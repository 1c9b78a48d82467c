import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyConsistency, verifyInclusion } from '../../../packages/record/src/format/merkle/proof.js'
import { CompactRange, leafHash } from '../../../packages/record/src/format/merkle/tree.js'
import {
  createCheckpointVerifiers,
  verifyCheckpoint,
} from '../../../packages/record/src/format/signing/checkpoint.js'
import { readPublicJwk } from '../../../packages/record/src/format/signing/public-key.js'
import { fillRecord } from '../../harness/record/fill-record.js'
import type { TestService } from '../../harness/service/service.js'
import { shareTestService } from '../../harness/service/shared-service.js'
import { addTenant, type TestTenant } from '../../harness/service/tenant.js'

const groups = [1, 3, 256, 40, 1, 300]
const size = groups.reduce((sum, count) => sum + count, 0)

let service: TestService
let tenant: TestTenant
/** Roots of the first 0, 1, 2, … entries, worked out from the stored text alone. */
const roots: Buffer[] = []

beforeAll(async () => {
  service = await shareTestService()
  tenant = await addTenant(service, 'acme')
  await fillRecord({ ...service, tenantId: tenant.id, groups })
  const range = CompactRange.empty()
  roots.push(range.root())
  for (const { canonical } of await service.database.query<{ canonical: string }>(
    'select canonical from receipts where tenant_id = $1 order by seq',
    [tenant.id],
  )) {
    range.append(leafHash(canonical))
    roots.push(range.root())
  }
})
afterAll(() => service.stop())

const fromHex = (hash: string) => Buffer.from(hash, 'hex')

async function verifierKeys() {
  const { body } = await service.api.get('/.well-known/tallystick/jwks.json')
  return createCheckpointVerifiers(tenant.id, body.keys.map(readPublicJwk))
}

describe('an inclusion proof', () => {
  test('of any entry leads from its text to the root of a checkpoint that the published keys signed', async () => {
    const verifiers = await verifierKeys()
    for (const seq of [1, 2, 4, 5, 256, 257, 260, 261, 300, 301, size - 1, size]) {
      const { body: receipt } = await tenant.api.get(`/v1/compliance/receipts/${seq}`)
      const { status, body } = await tenant.api.get(`/v1/compliance/receipts/${seq}/proof`)
      expect(status).toBe(200)
      expect(Object.keys(body)).toEqual(
        expect.arrayContaining(['seq', 'index', 'leafHash', 'size', 'root', 'path', 'checkpoint']),
      )
      expect(Object.keys(body)).toHaveLength(7)
      expect(body).toMatchObject({ seq, index: seq - 1, size, leafHash: receipt.leafHash })
      const claim = {
        index: body.index,
        size: body.size,
        leafHash: leafHash(receipt.canonical),
        root: fromHex(body.root),
        path: body.path.map(fromHex),
      }
      expect(verifyInclusion(claim)).toBe(true)
      const verdict = verifyCheckpoint(body.checkpoint, tenant.id, verifiers)
      expect(verdict).toMatchObject({ ok: true, checkpoint: { size, root: roots[size] } })
      expect(claim.root).toEqual(roots[size])
    }
  })

  test('of a number past the end of the record is a 404', async () => {
    expect((await tenant.api.get(`/v1/compliance/receipts/${size + 1}/proof`)).status).toBe(404)
    expect((await service.api.get('/v1/compliance/receipts/1/proof')).status).toBe(404)
  })
})

describe('the checkpoint', () => {
  test('is the newest signed note, as text', async () => {
    const { status, headers, body } = await tenant.api.get('/v1/compliance/checkpoint')
    expect({ status, type: headers.get('content-type') }).toEqual({
      status: 200,
      type: 'text/plain; charset=utf-8',
    })
    expect(body.split('\n').slice(0, 3)).toEqual([
      `tallystick/${tenant.id}`,
      String(size),
      roots[size]?.toString('base64'),
    ])
    expect(verifyCheckpoint(body, tenant.id, await verifierKeys())).toMatchObject({ ok: true })
  })

  test('of an empty record is a 404 that says why', async () => {
    const { status, body } = await service.api.get('/v1/compliance/checkpoint')
    expect(status).toBe(404)
    expect(body.error.message).toContain('the record is empty')
  })
})

describe('a consistency proof', () => {
  test('holds between any two sizes, sealed or not', async () => {
    for (const [from, to] of [
      [0, size],
      [1, size],
      [4, 260],
      [7, 300],
      [256, 257],
      [257, size],
      [300, 300],
      [511, size],
      [size, size],
    ] as const) {
      const { status, body } = await tenant.api.get(`/v1/compliance/consistency?from=${from}&to=${to}`)
      expect(status).toBe(200)
      expect(body).toMatchObject({
        from,
        to,
        fromRoot: roots[from]?.toString('hex'),
        toRoot: roots[to]?.toString('hex'),
      })
      const claim = { from, to, fromRoot: fromHex(body.fromRoot), toRoot: fromHex(body.toRoot) }
      expect(verifyConsistency({ ...claim, path: body.path.map(fromHex) })).toBe(true)
    }
  })

  test('goes up to the newest checkpoint when no end is given', async () => {
    expect((await tenant.api.get('/v1/compliance/consistency?from=5')).body).toMatchObject({
      from: 5,
      to: size,
    })
    expect((await service.api.get('/v1/compliance/consistency?from=0')).body).toEqual({
      from: 0,
      to: 0,
      fromRoot: roots[0]?.toString('hex'),
      toRoot: roots[0]?.toString('hex'),
      path: [],
    })
  })

  test('past the end is a 404; backwards, or without a beginning, is a 400', async () => {
    const ask = async (query: string) => (await tenant.api.get(`/v1/compliance/consistency${query}`)).status
    expect(await ask(`?from=1&to=${size + 1}`)).toBe(404)
    expect(await ask(`?from=${size + 1}`)).toBe(404)
    expect(await ask('?from=3&to=2')).toBe(400)
    expect(await ask('?to=2')).toBe(400)
    expect(await ask('?from=-1&to=2')).toBe(400)
  })
})

describe('a record that was changed in the database', () => {
  const ask = async (seq: number) => await tenant.api.get(`/v1/compliance/receipts/${seq}/proof`)
  const spoil = async (statement: string, restore: string, check: () => Promise<void>) => {
    await service.database.query(statement, [tenant.id])
    try {
      await check()
    } finally {
      await service.database.query(restore, [tenant.id])
    }
  }
  const where = 'where tenant_id = $1 and seq = 20'

  test('yields no proof, but the reason why', async () => {
    await spoil(
      `update receipts set canonical = replace(canonical, '"costNanos":13', '"costNanos":12') ${where}`,
      `update receipts set canonical = replace(canonical, '"costNanos":12', '"costNanos":13') ${where}`,
      async () => {
        const { status, body } = await ask(20)
        expect(status).toBe(500)
        expect(body.error.message).toContain(`does not match what was sealed at ${size}`)
        expect((await ask(21)).status).toBe(200)
      },
    )
    expect((await ask(20)).status).toBe(200)
  })

  test('is noticed also when only a hash or a node was changed', async () => {
    const flip = (column: string) => `set_byte(${column}, 0, 255 - get_byte(${column}, 0))`
    const leaf = `update receipts set leaf_hash = ${flip('leaf_hash')} where tenant_id = $1 and seq = 560`
    const node = `update record_nodes set hash = ${flip('hash')} where tenant_id = $1 and level = 8 and index = 0`
    await spoil(leaf, leaf, async () => expect((await ask(559)).status).toBe(500))
    await spoil(node, node, async () => expect((await ask(559)).status).toBe(500))
    await spoil(node, node, async () => {
      expect((await tenant.api.get('/v1/compliance/consistency?from=256&to=400')).status).toBe(500)
    })
    expect((await ask(559)).status).toBe(200)
  })
})
