import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readSigningKey } from '../../../packages/service/src/record/keys/signing-key.js'
import { fillRecord } from '../../harness/record/fill-record.js'
import { createForger } from '../../harness/record/forge.js'
import { startTestService, type TestService } from '../../harness/service/service.js'
import { addTenant, type TestTenant } from '../../harness/service/tenant.js'

// How much exactly is attested of a record that was tampered with. That no tampering goes unnoticed, here too, is held by
// tamper-database.test.ts, which has the list of them.

// Entries 1 to 13, sealed at 3, 8, 9 and 13.
const groups = [3, 5, 1, 4]
const size = 13

let service: TestService
let stranger: TestTenant
let made = 0

beforeAll(async () => {
  service = await startTestService()
  stranger = await newRecord()
})
afterAll(() => service.stop())

async function newRecord(): Promise<TestTenant> {
  const tenant = await addTenant(service, `tenant-${++made}`)
  const { database, dataDir } = service
  await fillRecord({ database, dataDir, tenantId: tenant.id, groups })
  return tenant
}

interface Scene {
  tenantId: string
  strangerId: string
  /** Runs SQL in which `$1` is the tenant. */
  sql(text: string, ...values: unknown[]): Promise<void>
  forger: ReturnType<typeof createForger>
  strangersKey: ReturnType<typeof readSigningKey>
}

/** Entries up to `chained` are verified, and up to `sealed` under a seal; where that is not all, it is said so. */
interface Attack {
  what: string
  act(scene: Scene): Promise<void>
  chained: number
  sealed: number
  /** When it is not as many as there were. */
  receipts?: number
}

const pem = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
const strangersKey = readSigningKey(pem, 'The key of a stranger')

const edit =
  (seq: number, from: string, to: string) =>
  ({ sql }: Scene) =>
    sql(
      'update receipts set canonical = replace(canonical, $3, $4) where tenant_id = $1 and seq = $2',
      seq,
      from,
      to,
    )
const replaceBytes =
  (seq: number, text: string) =>
  ({ sql }: Scene) =>
    sql('update receipts set canonical = $3 where tenant_id = $1 and seq = $2', seq, text)
const hashAgain = ({ sql }: Scene) =>
  sql(
    `update receipts set leaf_hash = sha256('\\x00'::bytea || convert_to(canonical, 'UTF8')) where tenant_id = $1`,
  )
const swap =
  (table: 'receipts' | 'seals', column: string, a: number, b: number) =>
  async ({ sql }: Scene) => {
    await sql(`update ${table} set ${column} = -1 where tenant_id = $1 and ${column} = $2`, a)
    await sql(`update ${table} set ${column} = $3 where tenant_id = $1 and ${column} = $2`, b, a)
    await sql(`update ${table} set ${column} = $2 where tenant_id = $1 and ${column} = -1`, b)
  }

const changed: Attack[] = [
  { what: 'its cost', act: edit(5, '"costNanos":13', '"costNanos":12'), chained: 4, sealed: 3 },
  { what: 'the first', act: edit(1, '"stream":false', '"stream":true'), chained: 0, sealed: 0 },
  { what: 'the last', act: edit(size, '"stream":false', '"stream":true'), chained: 12, sealed: 9 },
  { what: 'the last of a group', act: edit(8, '"stream":false', '"stream":true'), chained: 7, sealed: 3 },
  { what: 'all of it, to something that is not JSON', act: replaceBytes(5, '{"v":1'), chained: 4, sealed: 3 },
  { what: 'all of it, to JSON that is no object', act: replaceBytes(5, 'null'), chained: 4, sealed: 3 },
  {
    what: 'a figure, and its stored hash to fit',
    async act(scene) {
      await edit(5, '"costNanos":13', '"costNanos":12')(scene)
      await hashAgain(scene)
    },
    chained: 4,
    sealed: 3,
  },
  {
    what: 'its stored hash alone',
    act: ({ sql }) =>
      sql('update receipts set leaf_hash = sha256(leaf_hash) where tenant_id = $1 and seq = 5'),
    chained: 4,
    sealed: 3,
  },
  {
    what: 'its stored hash, to nothing',
    act: ({ sql }) => sql(`update receipts set leaf_hash = '' where tenant_id = $1 and seq = 5`),
    chained: 4,
    sealed: 3,
  },
]

const remove =
  (where: string) =>
  ({ sql }: Scene) =>
    sql(`delete from receipts where tenant_id = $1 and ${where}`)

const moved: Attack[] = [
  { what: 'one in the middle is removed', act: remove('seq = 5'), chained: 4, sealed: 3 },
  { what: 'a whole group is removed', act: remove('seq between 4 and 8'), chained: 3, sealed: 3 },
  {
    what: 'the end is cut off, and its seal',
    async act(scene) {
      await remove('seq > 9')(scene)
      await scene.sql('delete from seals where tenant_id = $1 and size > 9')
    },
    chained: 9,
    sealed: 9,
  },
  {
    what: 'the last is repeated after it',
    act: ({ sql }) =>
      sql(`insert into receipts select tenant_id, 14, request_id || 'again', ts, canonical, leaf_hash
           from receipts where tenant_id = $1 and seq = 13`),
    chained: 13,
    sealed: 13,
    receipts: 14,
  },
  {
    what: 'the first and the last are swapped',
    act: swap('receipts', 'seq', 1, size),
    chained: 0,
    sealed: 0,
  },
]

const rewritten: Attack[] = [
  {
    what: 'one is changed and all that follow are chained again',
    act: ({ forger }) => forger.rewrite(5, { costNanos: 1 }),
    chained: 3,
    sealed: 3,
  },
  {
    what: 'the last is changed and everything made to fit it',
    act: ({ forger }) => forger.rewrite(size, { costNanos: 1 }),
    chained: 9,
    sealed: 9,
  },
  {
    what: 'one is changed, all that follow chained again, and all sealed with another key',
    async act({ forger }) {
      await forger.rewrite(5, { costNanos: 1 })
      await forger.sealAgain(strangersKey)
    },
    chained: 13,
    sealed: 0,
  },
  {
    what: 'nothing is changed, and all sealed with another key',
    act: ({ forger }) => forger.sealAgain(strangersKey),
    chained: 13,
    sealed: 0,
  },
]

const seals: Attack[] = [
  {
    what: 'its signature is changed',
    act: ({ sql }) =>
      sql(
        `update seals set note = overlay(note placing 'AAAA' from length(note) - 30) where tenant_id = $1 and size = 8`,
      ),
    chained: 13,
    sealed: 3,
  },
  {
    what: 'its text is cut off',
    act: ({ sql }) => sql(`update seals set note = left(note, 40) where tenant_id = $1 and size = 9`),
    chained: 13,
    sealed: 8,
  },
  {
    what: 'the last is removed',
    act: ({ sql }) => sql('delete from seals where tenant_id = $1 and size = 13'),
    chained: 13,
    sealed: 9,
  },
  {
    what: 'all are removed',
    act: ({ sql }) => sql('delete from seals where tenant_id = $1'),
    chained: 13,
    sealed: 0,
  },
]

describe.each([
  { part: 'an entry is changed in', attacks: changed },
  { part: 'entries are moved:', attacks: moved },
  { part: 'the record is rewritten:', attacks: rewritten },
  { part: 'a seal is touched:', attacks: seals },
])('$part', ({ attacks }) => {
  test.each(attacks)('$what', async ({ act, chained, sealed, receipts = size }) => {
    const { id, api } = await newRecord()
    const before = (await api.get('/v1/compliance/attestation')).body
    expect(before.totals).toMatchObject({ receipts: size, chainVerified: true, signaturesVerified: true })

    const sql: Scene['sql'] = async (text, ...values) => {
      await service.database.query(text, [id, ...values])
    }
    const forger = createForger(service.database, id)
    await act({ tenantId: id, strangerId: stranger.id, sql, forger, strangersKey })

    const { status, body } = await api.get('/v1/compliance/attestation')
    expect({ status, totals: body.totals, leafCount: body.merkle?.leafCount }).toMatchObject({
      status: 200,
      totals: {
        receipts,
        chainVerified: chained === receipts,
        chainVerifiedCount: chained,
        signaturesVerified: false,
        signaturesVerifiedCount: sealed,
        modelReceipts: chained,
      },
      leafCount: chained,
    })
  })
})

test('a record that was cut back as a whole, with nothing in the database left to tell, contradicts its anchor', async () => {
  const { id, api } = await newRecord()
  const { query } = service.database
  await query(
    `insert into anchors (tenant_id, type, day, size, note, target)
     select tenant_id, 'file', '2026-11-14', size, note, 'elsewhere' from seals where tenant_id = $1 and size = 13`,
    [id],
  )
  expect((await api.get('/v1/compliance/attestation')).body).toMatchObject({
    totals: { receipts: 13, chainVerified: true },
    anchor: { type: 'file' },
  })
  await query('delete from receipts where tenant_id = $1 and seq > 9', [id])
  await query('delete from seals where tenant_id = $1 and size > 9', [id])
  await query('update record_heads set size = 9 where tenant_id = $1', [id])
  expect((await api.get('/v1/compliance/attestation')).body).toMatchObject({
    totals: { receipts: 9, chainVerified: false, chainVerifiedCount: 9, signaturesVerified: true },
    anchor: { type: 'file', note: expect.stringContaining('cut off or rewritten') },
  })
})

test('none of it touched the neighbours: an untouched record never fails', async () => {
  const { body } = await stranger.api.get('/v1/compliance/attestation')
  expect(body.totals).toMatchObject({ receipts: size, chainVerified: true, signaturesVerified: true })
})
