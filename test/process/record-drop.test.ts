import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyConsistency, verifyInclusion } from '../../packages/record/src/format/merkle/proof.js'
import {
  createCheckpointVerifiers,
  verifyCheckpoint,
} from '../../packages/record/src/format/signing/checkpoint.js'
import { readPublicJwk } from '../../packages/record/src/format/signing/public-key.js'
import { ExportVerifier } from '../../packages/record/src/verify/export-verifier.js'
import { runCommand } from '../harness/processes/command.js'
import { fillRecord } from '../harness/record/fill-record.js'
import { verifyRecord } from '../harness/record/record.js'
import { startTestService, type TestService } from '../harness/service/service.js'
import { addTenant, type TestTenant } from '../harness/service/tenant.js'

let service: TestService
let folder: string

beforeAll(async () => {
  service = await startTestService()
  folder = await mkdtemp(join(tmpdir(), 'tallystick-drop-'))
})
afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true, force: true })
})

const run = (args: string[]) =>
  runCommand(args, { DATABASE_URL: service.database.url, TALLYSTICK_DATA_DIR: service.dataDir }, folder)
const drop = (tenant: string, file: string, ...limit: string[]) =>
  run(['record', 'drop', '--tenant', tenant, '--export', file, ...limit])
const verify = (...args: string[]) => run(['verify', ...args, '--key', 'jwks.json', '--json'])
const fromHex = (hash: string) => Buffer.from(hash, 'hex')

async function makeTenant(name: string, groups: readonly number[], ts?: string): Promise<TestTenant> {
  const tenant = await addTenant(service, name)
  await fillRecord({ ...service, tenantId: tenant.id, groups, draft: ts === undefined ? {} : { ts } })
  return tenant
}

async function count(table: string, { id }: TestTenant): Promise<number> {
  return (await service.database.query(`select 1 from ${table} where tenant_id = $1`, [id])).length
}

/** Every entry that is kept has a proof, and it holds. */
async function expectProofs(tenant: TestTenant, seqs: readonly number[]): Promise<void> {
  const { keys } = (await service.api.get('/.well-known/tallystick/jwks.json')).body
  const verifiers = createCheckpointVerifiers(tenant.id, keys.map(readPublicJwk))
  for (const seq of seqs) {
    const { status, body } = await tenant.api.get(`/v1/compliance/receipts/${seq}/proof`)
    expect({ seq, status }).toEqual({ seq, status: 200 })
    const claim = {
      ...body,
      leafHash: fromHex(body.leafHash),
      root: fromHex(body.root),
      path: body.path.map(fromHex),
    }
    expect(verifyInclusion(claim)).toBe(true)
    expect(verifyCheckpoint(body.checkpoint, tenant.id, verifiers)).toMatchObject({
      ok: true,
      checkpoint: { size: body.size, root: claim.root },
    })
  }
}

describe('record drop', () => {
  let tenant: TestTenant
  let noteAt600: string
  // Seals at 1, 4, 260, 300, 301 and 600; the control entry of the first drop is 601.
  beforeAll(async () => {
    tenant = await makeTenant('acme', [1, 3, 256, 40, 1, 299])
    noteAt600 = (await tenant.api.get('/v1/compliance/checkpoint')).body
    await writeFile(join(folder, 'note-600'), noteAt600)
    const { body: jwks } = await service.api.get('/.well-known/tallystick/jwks.json')
    await writeFile(join(folder, 'jwks.json'), JSON.stringify(jwks))
  })

  test('exports the oldest part up to a seal, verifies it, and drops it', async () => {
    const { exitCode, stdout, stderr } = await drop('acme', 'first.jsonl', '--before-seq', '302')
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout).toContain(
      'Dropped 301 entries of acme, 1 to 301. first.jsonl contains them and was verified',
    )
    expect(stdout).toContain(`\ntallystick/${tenant.id}\n301\n`)
    expect((await stat(join(folder, 'first.jsonl'))).mode & 0o777).toBe(0o600)
    expect(await count('receipts', tenant)).toBe(300)
    expect(await count('record_nodes', tenant)).toBe(1)
    const [closing] = await service.database.query('select size, note from record_closings')
    expect(stdout).toContain(closing?.note)
  })

  test('leaves a record that verifies by itself, and together with what was dropped', async () => {
    expect(await verifyRecord(service.database, tenant.id)).toMatchObject({
      fault: null,
      chained: 300,
      sealed: 300,
    })
    const { body } = await tenant.api.get('/v1/compliance/export')
    await writeFile(join(folder, 'rest.jsonl'), body)
    expect(await verify('rest.jsonl', '--checkpoint', 'note-600')).toMatchObject({ exitCode: 0 })
    const whole = await verify('first.jsonl', 'rest.jsonl', '--checkpoint', 'note-600')
    expect(whole.exitCode).toBe(0)
    expect(JSON.parse(whole.stdout).results).toMatchObject([
      { fromSeq: 1, toSeq: 301 },
      { fromSeq: 302, toSeq: 601 },
    ])
    const { canonical } = JSON.parse(body.split('\n').at(-4))
    expect(JSON.parse(canonical)).toMatchObject({
      seq: 601,
      kind: 'control',
      event: 'record.drop',
      subject: '1-301',
    })
  })

  test('goes on proving what is kept, and says of the rest where it went', async () => {
    await expectProofs(tenant, [302, 303, 400, 511, 512, 513, 599, 600, 601])
    for (const path of [
      'receipts/301',
      'receipts/1/proof',
      'consistency?from=300',
      'export?fromSeq=5',
      'export?toSeq=5',
    ]) {
      const { status, body } = await tenant.api.get(`/v1/compliance/${path}`)
      expect({ path, status }).toEqual({ path, status: 404 })
      expect(body.error.message).toContain('those up to 301 were exported and dropped')
    }
    for (const from of [0, 301, 302, 512, 600]) {
      const { body } = await tenant.api.get(`/v1/compliance/consistency?from=${from}&to=601`)
      const roots = { fromRoot: fromHex(body.fromRoot), toRoot: fromHex(body.toRoot) }
      expect(verifyConsistency({ ...body, ...roots, path: body.path.map(fromHex) })).toBe(true)
    }
    expect((await tenant.api.get('/v1/compliance/receipts?limit=200')).body.data).toHaveLength(200)
  })

  test('can be done again, down to nothing, and the record still goes on', async () => {
    await fillRecord({ ...service, tenantId: tenant.id, groups: [500] })
    expect((await drop('acme', 'second.jsonl', '--before-seq', '700')).stdout).toContain('302 to 601')
    await expectProofs(tenant, [602, 603, 768, 769, 1101, 1102])
    expect((await drop('acme', 'third.jsonl', '--before-seq', '99999')).stdout).toContain('602 to 1102')
    expect(await count('receipts', tenant)).toBe(1)
    await fillRecord({ ...service, tenantId: tenant.id, groups: [2, 300] })
    await expectProofs(tenant, [1103, 1104, 1280, 1281, 1405])
    const { body } = await tenant.api.get('/v1/compliance/export')
    await writeFile(join(folder, 'fourth.jsonl'), body)
    const files = ['first', 'second', 'third', 'fourth'].map((name) => `${name}.jsonl`)
    const { exitCode, stdout } = await verify(...files, '--checkpoint', 'note-600')
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout).results.map(({ entries }: { entries: number }) => entries)).toEqual([
      301, 300, 501, 303,
    ])
  })

  test('finishes what an attempt that broke off has left behind', async () => {
    const left = await makeTenant('left', [10, 10, 10])
    await service.database.query(
      `create table kept_rows as select * from receipts where tenant_id = '${left.id}' and seq <= 10`,
    )
    await drop('left', 'left.jsonl', '--before-seq', '11')
    await service.database.query('insert into receipts select * from kept_rows')
    const again = await drop('left', 'left-2.jsonl', '--before-seq', '21')
    expect(again.stderr).toBe('Deleted 10 entries that an earlier attempt had not deleted\n')
    expect(again.stdout).toContain('Dropped 10 entries of left, 11 to 20')
    expect(await verifyRecord(service.database, left.id)).toMatchObject({ fault: null, chained: 12 })
  })
})

describe('what record drop refuses, it leaves as it was', () => {
  test('a record that was tampered with', async () => {
    const spoilt = await makeTenant('spoilt', [5, 5])
    await service.database.query(
      `update receipts set canonical = replace(canonical, '"costNanos":13', '"costNanos":12')
       where tenant_id = $1 and seq = 3`,
      [spoilt.id],
    )
    const { exitCode, stderr } = await drop('spoilt', 'spoilt.jsonl', '--before-seq', '6')
    expect(exitCode).toBe(1)
    expect(stderr).toBe(
      'Nothing was dropped. spoilt.jsonl does not verify: Entry 3 is not the one that entry 4 was chained to\n',
    )
    expect(await count('receipts', spoilt)).toBe(10)
  })

  test('a file that is there already, a span that holds no whole group, a tenant that is none', async () => {
    const careful = await makeTenant('careful', [5, 5])
    await writeFile(join(folder, 'taken.jsonl'), 'precious')
    for (const [args, message] of [
      [['careful', 'taken.jsonl', '--before-seq', '6'], 'EEXIST'],
      [['careful', 'new.jsonl', '--before-seq', '5'], 'no complete group of entries lies before that point'],
      [['nobody', 'new.jsonl', '--before-seq', '6'], 'No such tenant: nobody'],
    ] as const) {
      const { exitCode, stderr } = await drop(args[0], args[1], args[2], args[3])
      expect(exitCode).toBe(1)
      expect(stderr).toContain(message)
    }
    expect(await readFile(join(folder, 'taken.jsonl'), 'utf8')).toBe('precious')
    expect(await count('receipts', careful)).toBe(10)
  })
})

test('a date drops the groups of which every call was admitted before it', async () => {
  const dated = await makeTenant('dated', [3, 2], '2026-01-31T23:59:59.999Z')
  await fillRecord({ ...service, tenantId: dated.id, groups: [4], draft: { ts: '2026-02-01T00:00:00.000Z' } })
  await fillRecord({ ...service, tenantId: dated.id, groups: [2], draft: { ts: '2026-01-15T00:00:00.000Z' } })
  const { stdout } = await drop('dated', 'dated.jsonl', '--before-date', '2026-02-01')
  expect(stdout).toContain('Dropped 5 entries of dated, 1 to 5')
})

test('calls go on while a part of their record is dropped', async () => {
  const key = service.managerKey
  const tenantId =
    (await service.database.query<{ id: string }>("select id from tenants where name = 'default'"))[0]?.id ??
    ''
  await fillRecord({ ...service, tenantId, groups: Array(20).fill(200) })
  let isOver = false
  const statuses: number[] = []
  const callers = Array.from({ length: 3 }, async () => {
    while (!isOver) {
      const body = { model: 'mock/echo', messages: [{ role: 'user', content: 'Hi' }] }
      statuses.push((await service.as(key).post('/v1/chat/completions', body)).status)
    }
  })
  expect((await drop('default', 'default.jsonl', '--before-seq', '3900')).exitCode).toBe(0)
  isOver = true
  await Promise.all(callers)
  expect(new Set(statuses)).toEqual(new Set([200]))
  const verifier = new ExportVerifier()
  const { body } = await service.api.get('/v1/compliance/export')
  for (const line of body.trimEnd().split('\n')) verifier.addLine(line)
  expect(verifier.finish()).toMatchObject({ fault: null, header: { fromSeq: 3801 } })
})
