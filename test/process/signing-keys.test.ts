import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { ExportVerifier } from '../../packages/record/src/verify/export-verifier.js'
import type { Config } from '../../packages/service/src/config/index.js'
import { openDatabase } from '../../packages/service/src/db/index.js'
import {
  retireSigningKeyById,
  rotateSigningKeyOf,
} from '../../packages/service/src/main/cli/commands/signing-key.js'
import { readConfig } from '../../packages/service/src/main/index.js'
import type { Storage } from '../../packages/service/src/main/infrastructure/storage.js'
import { noMarks } from '../../packages/service/src/record/index.js'
import { loadSigningKey, readSigningKey } from '../../packages/service/src/record/keys/signing-key.js'
import { rotateSigningKey } from '../../packages/service/src/record/operations/rotate-key.js'
import { runCommand } from '../harness/processes/command.js'
import { replaceFile } from '../harness/processes/replace-file.js'
import { waitFor } from '../harness/run/wait.js'
import { startTestService, type TestService } from '../harness/service/service.js'
import { addTenant } from '../harness/service/tenant.js'

const opened: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close()
})

async function start(options: Parameters<typeof startTestService>[0] = {}): Promise<TestService> {
  const service = await startTestService(options)
  opened.push(() => service.stop())
  return service
}

const run = (args: string[], { database, dataDir }: TestService, env: Record<string, string> = {}) =>
  runCommand(args, { DATABASE_URL: database.url, TALLYSTICK_DATA_DIR: dataDir, ...env }, dataDir)

async function call({ address, managerKey }: TestService): Promise<number> {
  const response = await fetch(`${address}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${managerKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'mock/echo', messages: [{ role: 'user', content: 'Hi' }] }),
  })
  await response.text()
  return response.status
}

async function exported({ api }: TestService): Promise<string[]> {
  return (await api.get('/v1/compliance/export')).body.trimEnd().split('\n')
}

function verify(lines: readonly string[], trustedIds?: readonly string[]) {
  const verifier = new ExportVerifier(
    trustedIds ? { trust: (listed) => listed.filter(({ id }) => trustedIds.includes(id)) } : {},
  )
  for (const line of lines) verifier.addLine(line)
  return verifier.finish()
}

const entriesOf = (lines: readonly string[]) =>
  lines.flatMap((line) => {
    const { type, canonical } = JSON.parse(line)
    return type === 'entry' ? [JSON.parse(canonical)] : []
  })

const publishedIds = async ({ api }: TestService): Promise<string[]> =>
  (await api.get('/.well-known/tallystick/jwks.json')).body.keys.map(({ kid }: { kid: string }) => kid)

/** What the command does, without the second that a process takes to start. */
async function within(
  { database, dataDir }: TestService,
  env: Record<string, string>,
  act: (config: Config, storage: Storage) => Promise<unknown>,
): Promise<unknown> {
  const config = readConfig({
    cwd: dataDir,
    env: { DATABASE_URL: database.url, TALLYSTICK_DATA_DIR: dataDir, ...env },
  })
  const opened = openDatabase(database.url, () => undefined)
  try {
    const healthy = { fault: () => null, broken: new Promise<Error>(() => undefined) }
    const place = { url: database.url, sessionUrl: database.url }
    return await act(config, { ...opened, ...healthy, ...place, keysDb: opened.db })
  } finally {
    await opened.close()
  }
}

const rotate = (service: TestService) =>
  within(service, {}, async ({ dataDir }, { db, url }) => {
    const old = await loadSigningKey({ dataDir, configured: null })
    if (old) await rotateSigningKey({ db, databaseUrl: url, dataDir, marks: noMarks, now: new Date() }, old)
  })

const makePem = () =>
  generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()

describe('signing-key rotate', () => {
  test('has a running service seal with a new key, also after a restart; both are published, and the record verifies', async () => {
    const service = await start()
    await addTenant(service, 'quiet')
    expect(await call(service)).toBe(200)
    const [old = ''] = await publishedIds(service)

    const { exitCode, stdout, stderr } = await run(['signing-key', 'rotate'], service)
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    const [, added = ''] = /^Sealing with (\S+)\nRetired (\S+); 2 records say so\n$/.exec(stdout) ?? []
    expect(await publishedIds(service)).toEqual([old, added])
    expect(await call(service)).toBe(200)

    const lines = await exported(service)
    expect(verify(lines)).toMatchObject({ fault: null, entries: 5, sealed: 5, keyIds: [old, added] })
    expect(entriesOf(lines)).toMatchObject([
      { kind: 'control', event: 'price.apply' },
      { kind: 'model' },
      { kind: 'control', event: 'signing_key.add', subject: added },
      { kind: 'control', event: 'signing_key.retire', subject: old },
      { kind: 'model' },
    ])
    // The old key itself vouches for the new one: whoever trusts only the old one can read that much.
    expect(verify(lines, [old])).toMatchObject({ fault: { kind: 'unknown_key', seq: 5 }, sealed: 4 })
    const quiet = await service.database.query(
      "select 1 from receipts r join tenants t on t.id = r.tenant_id where t.name = 'quiet'",
    )
    expect(quiet).toHaveLength(2)

    const { managerKey, database, dataDir } = service
    const files = (await readdir(dataDir)).filter((name) => name.startsWith('signing-key'))
    expect(files).toEqual(['signing-key.pem'])
    expect((await stat(join(dataDir, 'signing-key.pem'))).mode & 0o777).toBe(0o600)
    await service.service.stop()
    const again = await start({ database, dataDir, managerKey })
    expect(await call(again)).toBe(200)
    expect(await publishedIds(again)).toEqual([old, added])
    expect(verify(await exported(again))).toMatchObject({ fault: null, entries: 6 })
  })

  test('loses no receipt of calls that are under way all the time', async () => {
    const service = await start()
    await call(service)
    let isOver = false
    let calls = 1
    const callers = Array.from({ length: 4 }, async () => {
      while (!isOver) if ((await call(service)) === 200) calls++
    })
    for (let turn = 0; turn < 2; turn++) await rotate(service)
    isOver = true
    await Promise.all(callers)
    const lines = await exported(service)
    const report = verify(lines)
    expect(report).toMatchObject({ fault: null })
    expect(report.keyIds.length).toBeGreaterThanOrEqual(2)
    expect(entriesOf(lines).filter(({ kind }) => kind === 'model')).toHaveLength(calls)
  })

  test('that broke off is finished by the next', async () => {
    const service = await start()
    await call(service)
    const [old = ''] = await publishedIds(service)
    await rotate(service)
    // As if the process had died before its last step.
    await service.database.query('update signing_keys set retired_at = null')
    await rotate(service)
    const { stdout } = await run(['signing-key', 'list'], service)
    const states = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'))
    expect(states.map(([, , state]) => state?.split(' ')[0])).toEqual(['retired', 'retired', 'active'])
    expect(states[0]?.[0]).toBe(old)
  })
})

describe('a key of the settings', () => {
  test('is replaced in its file without a restart once the old one is retired, and seals wait for it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tallystick-key-'))
    opened.push(() => rm(folder, { recursive: true, force: true }))
    const path = join(folder, 'key.pem')
    await writeFile(path, makePem())
    const env = { TALLYSTICK_SIGNING_KEY: path }
    const service = await start({ env })
    await call(service)
    const [old = ''] = await publishedIds(service)

    await replaceFile(path, makePem())
    const retired = await run(['signing-key', 'retire', old], service, env)
    expect(retired).toMatchObject({ exitCode: 0, stdout: `Retired ${old}; 1 record says so\n` })
    await waitFor('a call under the new key', async () => (await call(service)) === 200)
    const lines = await exported(service)
    expect(verify(lines)).toMatchObject({ fault: null, keyIds: [old, expect.any(String)] })
    expect(entriesOf(lines)[2]).toMatchObject({ event: 'signing_key.retire', subject: old })
  })

  test('that was retired cannot seal, in a process that runs or in one that starts', async () => {
    const pem = makePem()
    const env = { TALLYSTICK_SIGNING_KEY: pem }
    const service = await start({ env })
    await call(service)
    const { id } = readSigningKey(pem, 'A key').publicKey
    const next = { TALLYSTICK_SIGNING_KEY: makePem() }
    expect((await run(['signing-key', 'retire', id], service, next)).exitCode).toBe(0)
    // The receipt of the call that found out is kept; from then on nothing is forwarded.
    await waitFor('the service to notice', async () => (await call(service)) === 503)
    const { database, dataDir } = service
    await service.service.stop()
    const refused = await run(['serve'], service, { ...env, TALLYSTICK_PORT: '0' })
    expect(refused.exitCode).toBe(1)
    expect(refused.stderr).toMatch(
      new RegExp(`signing key ${id} was retired .*; set TALLYSTICK_SIGNING_KEY to another one`),
    )
    const again = await start({ database, dataDir, managerKey: service.managerKey, env: next })
    expect(await call(again)).toBe(200)
    const lines = await exported(again)
    expect(verify(lines)).toMatchObject({ fault: null })
    // The price and the first call, the event, what waited in the spool, and the last call.
    expect(entriesOf(lines).map(({ kind }) => kind)).toEqual([
      'control',
      'model',
      'control',
      'model',
      'model',
    ])
  })
})

test('what cannot be done is refused in words, and no key is made up for it', async () => {
  const service = await start()
  const [own = ''] = await publishedIds(service)
  const elsewhere = await mkdtemp(join(tmpdir(), 'tallystick-elsewhere-'))
  opened.push(() => rm(elsewhere, { recursive: true, force: true }))
  const retire = (id: string) => (config: Config, storage: Storage) =>
    retireSigningKeyById(config, storage, { keyId: id, isCompromised: false, by: null })
  for (const [act, env, words] of [
    [
      rotateSigningKeyOf,
      { TALLYSTICK_SIGNING_KEY: makePem() },
      'The key is configured in TALLYSTICK_SIGNING_KEY',
    ],
    [
      rotateSigningKeyOf,
      { TALLYSTICK_DATA_DIR: elsewhere },
      'run this on the machine with the data directory of the service',
    ],
    [retire(own), {}, 'tallystick signing-key rotate replaces and retires it'],
    [retire('nobody'), {}, 'No such signing key: nobody'],
  ] as const)
    await expect(within(service, { ...env }, act)).rejects.toThrow(words)
  expect(await publishedIds(service)).toEqual([own])
})

test('a key that was lost is replaced at the next start, and both ends of the record still verify', async () => {
  const service = await start()
  await call(service)
  const { database, dataDir, managerKey } = service
  const [lost = ''] = await publishedIds(service)
  await service.service.stop()
  await rm(join(dataDir, 'signing-key.pem'))
  const again = await start({ database, dataDir, managerKey })
  await call(again)
  const [, found = ''] = await publishedIds(again)
  expect((await run(['signing-key', 'retire', lost], again)).exitCode).toBe(0)
  const lines = await exported(again)
  expect(verify(lines)).toMatchObject({ fault: null, entries: 4, keyIds: [lost, found] })
  expect(verify(lines, [found]).fault).toMatchObject({
    kind: 'unknown_key',
    message: expect.stringContaining('though the entries agree with it'),
  })
  expect(await readFile(join(dataDir, 'signing-key.pem'), 'utf8')).toContain('PRIVATE KEY')
})

test('a key that somebody else may have is named in every record, in attestations and in what the verifier prints', async () => {
  const service = await start()
  await call(service)
  const [old = ''] = await publishedIds(service)
  const refused = await run(['signing-key', 'retire', old, '--compromised'], service)
  expect(refused.stderr).toContain('then run this command again')
  expect((await run(['signing-key', 'rotate'], service)).exitCode).toBe(0)
  await waitFor('the new key', async () => (await publishedIds(service)).length === 2)
  const reported = await run(['signing-key', 'retire', old, '--compromised', '--by', 'Security'], service)
  expect(reported.stdout).toContain('as compromised')

  const { body } = await service.api.get('/v1/compliance/attestation')
  expect(body.exceptions).toMatchObject([
    {
      event: 'signing_key.compromise',
      subject: old,
      by: 'Security',
      statement: expect.stringContaining(old),
    },
  ])
  expect(body.disclaimer).toContain('reported as compromised')
  const lines = await exported(service)
  expect(verify(lines)).toMatchObject({ fault: null })
})
