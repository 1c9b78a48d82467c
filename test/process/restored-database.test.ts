import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { runCommand } from '../harness/processes/command.js'
import { masterKey } from '../harness/processes/master-key.js'
import { startServiceProcess } from '../harness/processes/process.js'
import { hasRedis, startRedis } from '../harness/processes/redis.js'
import { openVerifierFolder } from '../harness/processes/verifier-folder.js'
import { verifyRecord } from '../harness/record/record.js'
import { waitFor } from '../harness/run/wait.js'
import { createApi } from '../harness/service/api.js'
import { createTestDatabase } from '../harness/service/database.js'

const managerKey = `tallystick_sk_${'m'.repeat(40)}`
const call = { model: 'mock/echo', messages: [{ role: 'user', content: 'Hi' }] }

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function start(env: Record<string, string>) {
  const service = await startServiceProcess({ TALLYSTICK_BOOTSTRAP_KEY: managerKey, ...env })
  closing.push(() => service.end('SIGKILL'))
  const api = createApi(service.address, managerKey)
  return { end: service.end, api, call: () => api.post('/v1/chat/completions', call) }
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tallystick-restored-'))
  closing.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const signingKeyPem = () =>
  generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()

type Running = Awaited<ReturnType<typeof start>>

async function callAll(service: Running, count: number): Promise<void> {
  for (let i = 0; i < count; i++) expect((await service.call()).status).toBe(200)
}

/** What a stranger finds out: the attestation, and the verifier's words about it, the export and a checkpoint. */
async function judge(service: Running, checkpoint?: string) {
  const verifier = await openVerifierFolder()
  closing.push(verifier.remove)
  const { body: attestation } = await service.api.get('/v1/compliance/attestation')
  await verifier.write('attestation.json', JSON.stringify(attestation))
  await verifier.write('export.jsonl', (await service.api.get('/v1/compliance/export')).body)
  await verifier.write(
    'jwks.json',
    JSON.stringify((await service.api.get('/.well-known/tallystick/jwks.json')).body),
  )
  if (checkpoint !== undefined) await verifier.write('checkpoint.txt', checkpoint)
  const args = ['attestation.json', 'export.jsonl', '--key', 'jwks.json']
  const pins = checkpoint === undefined ? [] : ['--checkpoint', 'checkpoint.txt']
  return { attestation, verdict: await verifier.runJson([...args, ...pins]) }
}

test('a database that was restored to an earlier moment is not signed until an operator accepts it, and the record says so', async () => {
  const dataDir = await newFolder()
  const database = await createTestDatabase()
  closing.push(database.drop)
  const envOf = (url: string) => ({ DATABASE_URL: url, TALLYSTICK_DATA_DIR: dataDir })

  const first = await start(envOf(database.url))
  for (let i = 0; i < 3; i++) expect((await first.call()).status).toBe(200)
  const { body: endpoint } = await first.api.post('/v1/webhook-endpoints', {
    ...{ name: 'on-call', url: 'http://127.0.0.1:9/', type: 'generic', events: ['record.refused'] },
  })
  await first.end('SIGTERM')
  const backup = await database.copy()
  closing.push(backup.drop)
  const second = await start(envOf(database.url))
  for (let i = 0; i < 3; i++) expect((await second.call()).status).toBe(200)
  const checkpoint: string = (await second.api.get('/v1/compliance/checkpoint')).body
  const [, sealedSize, sealedRoot] = checkpoint.split('\n')
  await second.end('SIGTERM')

  const restored = await start(envOf(backup.url))
  const { status, body } = await restored.call()
  expect(status).toBe(503)
  expect(body.error.message).toContain('tallystick record accept-restore')
  const before = await verifyRecord(backup)
  expect(before.fault).toBeNull()
  const readDeliveries = async () =>
    (await restored.api.get(`/v1/webhook-endpoints/${endpoint.id}/deliveries`)).body.data
  await waitFor('the event', async () => (await readDeliveries()).length > 0)
  expect(await readDeliveries()).toMatchObject([{ event: 'record.refused' }])
  const readAttention = async () => (await restored.api.get('/v1/attention')).body
  expect(await readAttention()).toMatchObject({
    record: { message: expect.stringContaining('accept-restore') },
  })

  const { exitCode, stdout } = await runCommand(
    ['record', 'accept-restore', '--by', 'Ada of operations'],
    envOf(backup.url),
  )
  expect({ exitCode, stdout }).toEqual({
    exitCode: 0,
    stdout: expect.stringMatching(/3 of these are missing, those after entry \d+\. Its next entry says so/),
  })
  await waitFor('calls', async () => (await restored.call()).status === 200)
  expect(await readAttention()).toMatchObject({ record: null })
  const entries = await backup.query<{ event: string }>(
    "select canonical::json ->> 'event' as event from receipts where seq = $1",
    [before.chained + 1],
  )
  expect(entries).toEqual([{ event: 'record.restore' }])
  expect((await verifyRecord(backup)).fault).toBeNull()
  const again = await runCommand(['record', 'accept-restore'], envOf(backup.url))
  expect(again.stdout).toContain('there is nothing to accept')

  const { attestation, verdict } = await judge(restored)
  const restore = {
    sealedSize: Number(sealedSize),
    sealedRoot: Buffer.from(sealedRoot ?? '', 'base64').toString('hex'),
    keptSize: before.chained,
    missingEntries: 3,
    asked: [expect.stringMatching(/^data directory on /), expect.stringMatching(/^replica on /)],
  }
  expect(attestation.exceptions).toMatchObject([
    { seq: before.chained + 1, event: 'record.restore', by: 'Ada of operations', restore },
  ])
  expect(attestation.disclaimer).toContain('entries that had been sealed are missing')
  expect(attestation.totals).toMatchObject({ chainVerified: true, signaturesVerified: true })
  expect(verdict).toMatchObject({
    verdict: 'verified',
    results: [{ exceptions: [expect.stringContaining('Ada of operations')] }, { fault: null }],
  })
  // A checkpoint from before the restore does not match.
  expect((await judge(restored, checkpoint)).verdict).toMatchObject({
    verdict: 'fault',
    results: [{ fault: { kind: expect.stringMatching(/^(bad_root|cut_off)$/) } }],
  })
})

test.skipIf(!hasRedis)('Redis remembers what a replica sealed whose disk is lost', async () => {
  const redis = await startRedis()
  closing.push(redis.close)
  const [dirA, dirB] = [await newFolder(), await newFolder()]
  const database = await createTestDatabase()
  closing.push(database.drop)
  const shared = {
    TALLYSTICK_SIGNING_KEY: signingKeyPem(),
    TALLYSTICK_MASTER_KEY: masterKey,
    REDIS_URL: redis.url,
  }
  const envOf = (url: string, dir: string) => ({ ...shared, DATABASE_URL: url, TALLYSTICK_DATA_DIR: dir })

  const first = await start(envOf(database.url, dirA))
  await callAll(first, 2)
  await first.end('SIGTERM')
  const backup = await database.copy()
  closing.push(backup.drop)
  const replicaA = await start(envOf(database.url, dirA))
  const replicaB = await start(envOf(database.url, dirB))
  await callAll(replicaA, 1)
  await callAll(replicaB, 4)
  await replicaA.end('SIGTERM')
  await replicaB.end('SIGTERM')
  const { chained: sealedSize } = await verifyRecord(database)
  await rm(dirB, { recursive: true })

  const restored = await start(envOf(backup.url, dirA))
  expect((await restored.call()).status).toBe(503)
  const { stdout } = await runCommand(['record', 'accept-restore'], envOf(backup.url, dirA))
  expect(stdout).toContain(`was sealed up to entry ${sealedSize}; 5 of these are missing`)
  expect(stdout).toMatch(/^Looked up how far records were sealed: Redis; data directory on /)
  await waitFor('calls', async () => (await restored.call()).status === 200)
  const { attestation, verdict } = await judge(restored)
  expect(attestation.exceptions).toMatchObject([{ restore: { sealedSize, missingEntries: 5 } }])
  expect(verdict).toMatchObject({ verdict: 'verified' })

  await redis.kill()
  const unanswered = await runCommand(['record', 'accept-restore'], envOf(backup.url, dirA))
  expect(unanswered).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('Redis (could not be read)'),
  })
})

test('without Redis, a later checkpoint corrects what the operator accepted with the disk of one replica', async () => {
  const [dirA, dirB] = [await newFolder(), await newFolder()]
  const database = await createTestDatabase()
  closing.push(database.drop)
  const shared = { TALLYSTICK_SIGNING_KEY: signingKeyPem(), TALLYSTICK_MASTER_KEY: masterKey }
  const envOf = (url: string, dir: string) => ({ ...shared, DATABASE_URL: url, TALLYSTICK_DATA_DIR: dir })
  const replicaA = await start(envOf(database.url, dirA))
  await callAll(replicaA, 2)
  await replicaA.end('SIGTERM')
  const backup = await database.copy()
  closing.push(backup.drop)
  const again = await start(envOf(database.url, dirA))
  await callAll(again, 1)
  await again.end('SIGTERM')
  const replicaB = await start(envOf(database.url, dirB))
  await callAll(replicaB, 2)
  const checkpoint: string = (await replicaB.api.get('/v1/compliance/checkpoint')).body
  await replicaB.end('SIGTERM')
  const [, sealedSize] = checkpoint.split('\n')
  await rm(dirB, { recursive: true })

  const accepted = await runCommand(['record', 'accept-restore'], envOf(backup.url, dirA))
  expect(accepted.stdout).toContain('1 of these are missing')
  expect(accepted.stdout).not.toContain('Redis')
  const restored = await start(envOf(backup.url, dirA))
  await callAll(restored, 2)
  expect((await judge(restored, checkpoint)).verdict).toMatchObject({ verdict: 'fault' })

  const file = join(dirA, 'kept.txt')
  await writeFile(file, checkpoint)
  const reported = await runCommand(
    ['record', 'accept-restore', '--checkpoint', file],
    envOf(backup.url, dirA),
  )
  expect(reported).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('3 of these are missing') })
  const { attestation, verdict } = await judge(restored)
  expect(attestation.exceptions).toMatchObject([
    { restore: { missingEntries: 1 } },
    {
      restore: { sealedSize: Number(sealedSize), missingEntries: 3, corrects: attestation.exceptions[0].seq },
    },
  ])
  expect(verdict).toMatchObject({
    verdict: 'verified',
    results: [{ exceptions: [{}, {}].map(() => expect.any(String)) }, {}],
  })
  await callAll(restored, 1)
})
