import { execFile, spawn } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { runCommand } from '../harness/processes/command.js'
import { programPath, type ServiceProcess, startServiceProcess } from '../harness/processes/process.js'
import { openVerifierFolder } from '../harness/processes/verifier-folder.js'
import { waitFor } from '../harness/run/wait.js'
import { type Api, createApi } from '../harness/service/api.js'
import { createTestDatabase, type TestDatabase } from '../harness/service/database.js'
import { sumTables } from '../harness/service/table-sums.js'

const run = promisify(execFile)
const managerKey = `tallystick_sk_${'m'.repeat(40)}`
const passphrase = { TALLYSTICK_BACKUP_PASSPHRASE: 'a long passphrase' }
const call = { model: 'mock/echo', messages: [{ role: 'user', content: 'Hi' }] }

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tallystick-backup-'))
  // Under root, the bundled database runs as another account.
  await chmod(folder, 0o755)
  closing.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function newDatabase({ isEmpty }: { isEmpty: boolean }): Promise<TestDatabase> {
  const database = await createTestDatabase()
  closing.push(database.drop)
  if (isEmpty) await database.query('drop schema public cascade')
  if (isEmpty) await database.query('create schema public')
  return database
}

interface Running extends ServiceProcess {
  api: Api
}

async function start(env: Record<string, string>): Promise<Running> {
  const service = await startServiceProcess({ TALLYSTICK_BOOTSTRAP_KEY: managerKey, ...env })
  closing.push(() => service.end('SIGKILL'))
  return { ...service, api: createApi(service.address, managerKey) }
}

/** Runs calls until the returned function is called, which returns how many were answered. */
function callAlways({ api }: Running): () => Promise<number> {
  let isDone = false
  let answered = 0
  const calling = Array.from({ length: 4 }, async () => {
    while (!isDone) if ((await api.post('/v1/chat/completions', call)).status === 200) answered++
  })
  return async () => {
    isDone = true
    await Promise.all(calling)
    return answered
  }
}

/** A service with a budget, a webhook endpoint and calls, and a backup that was made beside it under load. */
interface Original {
  folder: string
  file: string
  printed: string
  env: Record<string, string>
  database: TestDatabase
  service: Running
}
let original: Original
const closingOriginal: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  const folder = await newFolder()
  const database = await newDatabase({ isEmpty: false })
  const env = { DATABASE_URL: database.url, TALLYSTICK_DATA_DIR: join(folder, 'data') }
  const service = await start(env)
  closingOriginal.push(...closing.splice(0))
  const budget = { name: 'all', scope: { type: 'tenant' }, period: 'monthly', amountUsd: 100 }
  expect((await service.api.post('/v1/budgets', budget)).status).toBe(201)
  const endpoint = {
    name: 'hook',
    type: 'generic',
    url: 'http://127.0.0.1:9/hook',
    events: ['policy.violation'],
  }
  expect((await service.api.post('/v1/webhook-endpoints', endpoint)).status).toBe(201)
  const stop = callAlways(service)
  await waitFor('calls', async () => (await readHead(database)).size > 20)
  const file = join(folder, 'one.backup')
  const { exitCode, stdout, stderr } = await runCommand(['backup', file], { ...env, ...passphrase })
  const answered = await stop()
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  expect(answered).toBeGreaterThan(20)
  original = { folder, file, printed: stdout, env, database, service }
})
afterAll(async () => {
  for (const close of closingOriginal.toReversed()) await close()
})

const readHead = async ({ query }: TestDatabase) =>
  (await query<{ size: number }>('select size::int as size from record_heads'))[0] ?? { size: 0 }

/** Exports the record, and verifies it with the checkpoint of the backup as an auditor would. */
async function judge({ api }: Running, checkpoint: string) {
  const verifier = await openVerifierFolder()
  closing.push(verifier.remove)
  await verifier.write('export.jsonl', (await api.get('/v1/compliance/export')).body)
  await verifier.write('jwks.json', JSON.stringify((await api.get('/.well-known/tallystick/jwks.json')).body))
  await verifier.write('checkpoint.txt', checkpoint)
  return await verifier.runJson(['export.jsonl', '--key', 'jwks.json', '--checkpoint', 'checkpoint.txt'])
}

/** The checkpoint of the only tenant, which any tool that reads .tar.gz finds in the file. */
const readCheckpoint = async (file: string): Promise<string> =>
  (await run('tar', ['-xzOf', file, '--wildcards', 'checkpoints/*'])).stdout

async function expectToStandWhereItStood(service: Running, sizeThen: number): Promise<void> {
  const checkpoint = await readCheckpoint(original.file)
  expect(Number(checkpoint.split('\n')[1])).toBe(sizeThen)
  const stood: string = (await service.api.get('/v1/compliance/checkpoint')).body
  // Calls that were open are recorded as interrupted by the first process that finds them.
  expect(Number(stood.split('\n')[1])).toBeGreaterThanOrEqual(sizeThen)
  expect((await service.api.post('/v1/chat/completions', call)).status).toBe(200)
  expect(await judge(service, checkpoint)).toMatchObject({ verdict: 'verified' })
  expect((await service.api.get('/v1/webhook-endpoints')).body.data).toMatchObject([
    { name: 'hook', secretStatus: 'ok' },
  ])
  expect((await service.api.get('/v1/budgets')).body.data).toMatchObject([{ name: 'all', amountUsd: 100 }])
  expect(service.output()).not.toMatch(/cannot be (decrypted|opened)|seals with the key/)
}

const sizeIn = (text: string) => Number(/^default: (\d+) entries, root [0-9a-f]{64}$/m.exec(text)?.[1])

test('a backup that was made under load restores into an empty database: everything that was in it stands and works', async () => {
  const target = await newDatabase({ isEmpty: true })
  const dataDir = join(await newFolder(), 'data')
  const env = { DATABASE_URL: target.url, TALLYSTICK_DATA_DIR: dataDir }
  const { exitCode, stdout, stderr } = await runCommand(['restore', original.file], { ...env, ...passphrase })
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  expect(stdout).toContain(`Put signing-key.pem and master-key into ${dataDir}`)
  expect(sizeIn(stdout)).toBe(sizeIn(original.printed))
  expect((await readHead(target)).size).toBe(sizeIn(stdout))
  const spend = 'select sum(cost_nanos)::text as nanos from spend_days where scope_type = $1'
  const calls = 'select sum(cost_nanos)::text as nanos from calls'
  expect(await target.query(spend, ['tenant'])).toEqual(await target.query(calls))
  const twin = join(await newFolder(), 'two.backup')
  await runCommand(['backup', twin], { ...env, ...passphrase })
  expect(await readCheckpoint(twin)).toBe(await readCheckpoint(original.file))
  await expectToStandWhereItStood(await start(env), sizeIn(stdout))
})

test('it restores into an empty data directory with the bundled database, from which a backup is made in the same way', async () => {
  const dataDir = join(await newFolder(), 'data')
  const env = { TALLYSTICK_DATA_DIR: dataDir }
  const { exitCode, stdout } = await runCommand(['restore', original.file], { ...env, ...passphrase })
  expect(exitCode).toBe(0)
  const service = await start(env)
  await expectToStandWhereItStood(service, sizeIn(stdout))
  const file = join(await newFolder(), 'bundled.backup')
  const size = Number((await service.api.get('/v1/compliance/checkpoint')).body.split('\n')[1])
  const backup = await runCommand(['backup', file], { ...env, ...passphrase })
  expect(sizeIn(backup.stdout)).toBe(size)
  // Only its owner reads it, and nothing else is left beside it.
  expect(await readdir(join(file, '..'))).toEqual(['bundled.backup'])
  const again = await runCommand(['backup', file], { ...env, ...passphrase })
  expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('exists; --force replaces it') })
  expect((await runCommand(['backup', file, '--force'], { ...env, ...passphrase })).exitCode).toBe(0)
})

test('a file that is cut off, altered or no backup, and a wrong or missing passphrase, are refused before anything is changed', async () => {
  const target = await newDatabase({ isEmpty: true })
  const folder = await newFolder()
  const bytes = await readFile(original.file)
  const flipped = Buffer.from(bytes)
  flipped[flipped.length >> 1] = (flipped[flipped.length >> 1] ?? 0) ^ 1
  const text = gunzipSync(bytes)
  // Somebody who can write the file can also make its checksums right, but not authenticate it.
  const altered = Buffer.from(text)
  altered.write('Hook', altered.indexOf('\thook\t') + 1)
  const files: Record<string, [Buffer, RegExp]> = {
    'cut.backup': [bytes.subarray(0, bytes.length - 2_000), /cut\.backup is cut off: nothing was restored/],
    'flipped.backup': [flipped, /flipped\.backup is damaged or no backup .*: nothing was restored/],
    'altered.backup': [gzipSync(altered), /altered\.backup is damaged or no backup \(its checksum differs\)/],
    'short.backup': [
      gzipSync(text.subarray(0, 512 * Math.floor(text.length / 1024))),
      /short\.backup is damaged/,
    ],
    'other.backup': [Buffer.from('no backup'), /other\.backup is damaged or no backup/],
  }
  const dataDir = join(folder, 'data')
  const env = { DATABASE_URL: target.url, TALLYSTICK_DATA_DIR: dataDir }
  for (const [name, [content, message]] of Object.entries(files)) {
    await writeFile(join(folder, name), content)
    const refused = await runCommand(['restore', join(folder, name)], { ...env, ...passphrase })
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(message) })
  }
  const wrong = await runCommand(['restore', original.file], {
    ...env,
    TALLYSTICK_BACKUP_PASSPHRASE: 'another',
  })
  expect(wrong).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('The passphrase does not open the keys'),
  })
  const missing = await runCommand(['restore', original.file], env)
  expect(missing).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('TALLYSTICK_BACKUP_PASSPHRASE'),
  })
  const absent = await runCommand(['restore', join(folder, 'absent')], { ...env, ...passphrase })
  expect(absent).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('ENOENT') })
  const unsealed = await runCommand(['backup', join(folder, 'unsealed')], original.env)
  expect(unsealed).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('--without-keys leaves them out'),
  })
  expect(await sumTables(target)).toEqual({})
  expect(await readdir(folder)).toEqual(Object.keys(files).sort())
})

test('other keys are never replaced; --without-keys keeps them', async () => {
  const target = await newDatabase({ isEmpty: true })
  const folder = await newFolder()
  const other = { DATABASE_URL: (await newDatabase({ isEmpty: false })).url, TALLYSTICK_DATA_DIR: folder }
  await (await start(other)).end('SIGTERM')
  const keysOf = async () => [
    await readFile(join(folder, 'signing-key.pem')),
    await readFile(join(folder, 'master-key')),
  ]
  const before = await keysOf()
  const env = { DATABASE_URL: target.url, TALLYSTICK_DATA_DIR: folder }
  const refused = await runCommand(['restore', original.file], { ...env, ...passphrase })
  expect(refused).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/has the signing key .*; it has the master key/),
  })
  expect(await sumTables(target)).toEqual({})
  expect((await runCommand(['restore', original.file, '--without-keys'], env)).exitCode).toBe(0)
  expect(await keysOf()).toEqual(before)

  const keyless = join(folder, 'keyless.backup')
  expect((await runCommand(['backup', keyless, '--without-keys'], env)).exitCode).toBe(0)
  expect(gunzipSync(await readFile(keyless)).includes('keys.json')).toBe(false)
})

test('killed at any point, a backup leaves no file and a restore no rows; the next one works', async () => {
  const folder = await newFolder()
  const envOf = ({ url }: TestDatabase) => ({
    DATABASE_URL: url,
    TALLYSTICK_DATA_DIR: join(folder, 'data'),
    ...passphrase,
  })
  /** Kills a command while it runs such a statement. Returns false if it ended before it was seen. */
  const killWhile = async (
    statement: string,
    args: string[],
    database: TestDatabase,
    env: Record<string, string>,
  ) => {
    const child = spawn(process.execPath, [programPath, ...args], {
      env: { PATH: process.env.PATH ?? '', ...env },
      stdio: 'ignore',
    })
    const ended = new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)))
    const seen = `select from pg_stat_activity where datname = current_database()
      and application_name = 'tallystick transfer' and xact_start is not null and query ~ $1`
    // Without a pause: some of these last a few milliseconds.
    while (child.exitCode === null && (await database.query(seen, [statement])).length === 0);
    child.kill('SIGKILL')
    if ((await ended) !== 'SIGKILL') return false
    const gone = `select from pg_stat_activity where datname = current_database() and application_name = 'tallystick transfer'`
    await waitFor('the session to end', async () => (await database.query(gone)).length === 0)
    return true
  }
  const file = join(folder, 'killed.backup')
  const { database, env } = original
  for (const statement of ['.', '^copy .* to stdout'])
    while (!(await killWhile(statement, ['backup', file], database, { ...env, ...passphrase })))
      await rm(file)
  expect((await readdir(folder)).filter((name) => !name.endsWith('.partial'))).toEqual([])
  expect((await runCommand(['backup', file], { ...env, ...passphrase })).exitCode).toBe(0)

  let target = await newDatabase({ isEmpty: true })
  for (const statement of ['^-- expand|create table', '^copy .* from stdin', 'add constraint']) {
    while (!(await killWhile(statement, ['restore', file], target, envOf(target))))
      target = await newDatabase({ isEmpty: true })
    expect(await sumTables(target)).toEqual({})
  }
  expect((await runCommand(['restore', file], envOf(target))).exitCode).toBe(0)
  await start(envOf(target))
})

// The last test, because it changes the original.
test('restored over a database that serves, the record is refused until an operator accepts that entries are missing', async () => {
  const { service, database, env, file } = original
  for (let i = 0; i < 5; i++) expect((await service.api.post('/v1/chat/completions', call)).status).toBe(200)
  const sealed = (await readHead(database)).size
  const refused = await runCommand(['restore', file], { ...env, ...passphrase })
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('The database is not empty') })
  const stop = callAlways(service)
  const restored = await runCommand(['restore', file, '--replace'], { ...env, ...passphrase })
  expect(restored).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('Next: tallystick record accept-restore'),
  })
  await stop()
  // Until its sessions are open again, the service says that the record cannot be written.
  await waitFor('the refusal', async () => {
    const { status, body } = await service.api.post('/v1/chat/completions', call)
    expect(status).toBe(503)
    return body.error.message.includes('it was restored to an earlier moment')
  })
  const { exitCode, stdout } = await runCommand(['record', 'accept-restore', '--by', 'Ada'], env)
  expect(exitCode).toBe(0)
  expect(Number(/sealed up to entry (\d+)/.exec(stdout)?.[1])).toBeGreaterThanOrEqual(sealed)
  await waitFor('calls', async () => (await service.api.post('/v1/chat/completions', call)).status === 200)
  expect(await judge(service, await readCheckpoint(file))).toMatchObject({ verdict: 'verified' })
})
