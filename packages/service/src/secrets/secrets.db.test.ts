import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { waitFor } from '../../../../test/harness/run/wait.js'
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/service/database.js'
import { startDatabaseProxy } from '../../../../test/harness/service/database-proxy.js'
import { type Db, inTransaction, listenForChanges, openDatabase } from '../db/index.js'
import {
  openSecrets,
  readMasterKeyStatus,
  replaceLostMasterKey,
  rotateMasterKey,
  type SecretsOptions,
  undecryptable,
} from './index.js'
import { loadMasterKeys } from './master-keys.js'

let database: TestDatabase
let db: Db
let dataDir: string
let closing: (() => Promise<unknown>)[]
let warnings: string[]
/** Some answers are kept back for as long as a test takes with its next step. */
const patient = { answerTimeoutMs: 600_000 }

beforeEach(async () => {
  database = await createTestDatabase()
  const opened = openDatabase(database.url, () => undefined, patient)
  db = opened.db
  closing = [opened.close]
  warnings = []
  dataDir = await makeDataDir()
})
afterEach(async () => {
  for (const close of closing.toReversed()) await close()
  await database.drop()
})

async function makeDataDir(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'tallystick-secrets-'))
  closing.push(() => rm(made, { recursive: true }))
  return made
}

const start = (options: Partial<SecretsOptions> = {}) =>
  openSecrets({ db, dataDir, configured: null, warn: (message) => void warnings.push(message), ...options })
const keyFile = (folder = dataDir) => join(folder, 'master-key')
const fileSource = () => ({ dataDir, configured: null })

const place = { purpose: 'things.secret', tenantId: 'tenant_a', rowId: 'thing_1' }
const plain = Buffer.from('the words that nobody may read')
const oneKey = Buffer.alloc(32, 1).toString('base64')
const otherKey = Buffer.alloc(32, 2).toString('hex')
const thirdKey = Buffer.alloc(32, 3).toString('hex')

describe('what is sealed', () => {
  test('opens where it was sealed, by every process with the key, and is not readable in between', async () => {
    const sealed = await (await start()).seal(place, plain)
    expect(sealed.includes(plain)).toBe(false)
    expect(await (await start()).open(place, sealed)).toEqual(plain)
  })

  test.each([
    ['another row', { rowId: 'thing_2' }],
    ['another tenant', { tenantId: 'tenant_b' }],
    ['another column', { purpose: 'things.other' }],
    ['a row whose names only join to the same text', { tenantId: 'tenant_athing', rowId: '_1' }],
  ])('does not open in %s', async (_, moved) => {
    const secrets = await start()
    expect(await secrets.open({ ...place, ...moved }, await secrets.seal(place, plain))).toBe(undecryptable)
  })

  test('does not open when one byte of it was changed, wherever it is, nor when it was cut', async () => {
    const secrets = await start()
    const sealed = await secrets.seal(place, plain)
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(await secrets.open(place, changed)).toBe(undecryptable)
      expect(await secrets.open(place, sealed.subarray(0, at))).toBe(undecryptable)
    }
  })

  test('does not open with a data key that was put in the place of its own', async () => {
    const secrets = await start()
    const sealed = await secrets.seal(place, plain)
    await rotateMasterKey(db, fileSource())
    const [first, second] = await database.query<{ id: Buffer; wrapped: Buffer }>(
      'select id, wrapped from data_keys order by created_at',
    )
    await database.query('update data_keys set wrapped = $1 where id = $2', [second?.wrapped, first?.id])
    expect(await (await start()).open(place, sealed)).toBe(undecryptable)
  })
})

describe('the master key', () => {
  test('is made at the first start, readable by its owner alone, and found by the next', async () => {
    await start()
    const text = await readFile(keyFile(), 'utf8')
    expect((await stat(keyFile())).mode & 0o777).toBe(0o600)
    await start()
    expect(await readFile(keyFile(), 'utf8')).toBe(text)
    expect(await readdir(dataDir)).toEqual(['master-key'])
    expect(warnings).toEqual([])
  })

  test('is made once, however many replicas start at the same moment in folders of their own', async () => {
    const folders = await Promise.all(Array.from({ length: 4 }, makeDataDir))
    await Promise.all(folders.map((folder) => start({ dataDir: folder })))
    const files = await Promise.all(folders.map((folder) => readdir(folder)))
    expect(files.flat()).toEqual(['master-key'])
    expect(await database.query('select id from data_keys')).toHaveLength(1)
  })

  test('of another replica is missed in words, none is made, nothing is sealed, and nothing is overwritten', async () => {
    const sealed = await (await start()).seal(place, plain)
    const before = await database.query('select * from data_keys')
    const { currentId } = await readMasterKeyStatus(db, fileSource())
    const elsewhere = await makeDataDir()
    const other = await start({ dataDir: elsewhere })
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain(`does not have the master key ${currentId}`)
    expect(await other.open(place, sealed)).toBe(undecryptable)
    await expect(other.seal(place, plain)).rejects.toMatchObject({ type: 'unavailable' })
    expect(await readdir(elsewhere)).toEqual([])
    expect(await database.query('select * from data_keys')).toEqual(before)
  })

  test('that is wrong is missed in words as well, and is not used', async () => {
    const sealed = await (await start({ configured: oneKey })).seal(place, plain)
    const wrong = await start({ configured: otherKey })
    expect(warnings[0]).toContain('does not have the master key')
    expect(await wrong.open(place, sealed)).toBe(undecryptable)
    await expect(wrong.seal(place, plain)).rejects.toMatchObject({ type: 'unavailable' })
  })

  test('that is put back is found without a restart', async () => {
    const sealed = await (await start()).seal(place, plain)
    const elsewhere = await makeDataDir()
    let nowMs = Date.now()
    const other = await start({ dataDir: elsewhere, now: () => nowMs })
    await writeFile(keyFile(elsewhere), await readFile(keyFile(), 'utf8'), { mode: 0o600 })
    nowMs += 1_000
    expect(await other.open(place, sealed)).toEqual(plain)
    expect(await other.open(place, await other.seal(place, plain))).toEqual(plain)
  })

  test('in a file that is damaged is reported and stays as it is', async () => {
    const sealed = await (await start()).seal(place, plain)
    await writeFile(keyFile(), 'not a key')
    await utimes(keyFile(), 1, 1)
    expect(await (await start()).open(place, sealed)).toBe(undecryptable)
    expect(warnings.join('\n')).toContain('is damaged')
    expect(await readFile(keyFile(), 'utf8')).toBe('not a key')
  })

  test('in a file that is being written is read when it is whole', async () => {
    const path = join(dataDir, 'mounted')
    await writeFile(path, '')
    const inFuture = Date.now() / 1_000 + 3_600
    await utimes(path, inFuture, inFuture)
    const writing = [
      () => utimes(path, inFuture, inFuture),
      () => writeFile(path, `${oneKey}\n${otherKey.slice(1)}`).then(() => utimes(path, inFuture, inFuture)),
      () => writeFile(path, `${oneKey}\n${otherKey}\n`),
    ].values()
    const readAgain = async () => await writing.next().value?.()
    const warn = (message: string) => void warnings.push(message)
    const keys = await loadMasterKeys({ dataDir, configured: path }, warn, readAgain)
    expect(keys.map(({ bytes }) => bytes[0])).toEqual([1, 2])
    expect(warnings).toEqual([])
    // It is not waited for without end.
    await writeFile(path, '')
    await utimes(path, inFuture, inFuture)
    expect(await loadMasterKeys({ dataDir, configured: path }, warn, async () => undefined)).toEqual([])
    expect(warnings).toHaveLength(1)
  })

  test('in a file that others may read is refused', async () => {
    await writeFile(keyFile(), `${oneKey}\n`, { mode: 0o644 })
    await expect(start()).rejects.toThrow(/open to other users \(mode 644\)/)
  })

  test('can be configured as text or as a file, in hex or base64', async () => {
    const path = join(dataDir, 'mounted')
    await writeFile(path, `${Buffer.alloc(32, 1).toString('hex')}\n`, { mode: 0o644 })
    const sealed = await (await start({ configured: oneKey })).seal(place, plain)
    expect(await (await start({ configured: path })).open(place, sealed)).toEqual(plain)
    expect(await readdir(dataDir)).toEqual(['mounted'])
  })
})

describe('a rotation of the master key', () => {
  const waiters = async () =>
    (await database.query(`select from pg_locks where not granted and relation = 'data_keys'::regclass`))
      .length
  /** When data keys were last listed, by a connection that has done nothing else since and has answered. */
  const lastListing = async () => {
    const [last] = await database.query<{ at: string }>(
      `select max(query_start)::text as at from pg_stat_activity
       where datname = current_database() and state = 'idle' and query ilike '%from "data_keys"%'`,
    )
    return last?.at
  }

  test('leaves everything open to processes that run, and to those that start with the new key alone', async () => {
    const changes = await listenForChanges(database.url, () => undefined)
    closing.push(() => changes.close())
    const running = await start()
    running.reloadOnChange(changes)
    const before = await running.seal(place, plain)
    const { oldId, newId, rewrapped } = await rotateMasterKey(db, fileSource())
    expect(newId).not.toBe(oldId)
    expect(rewrapped).toBe(1)
    expect(await running.open(place, before)).toEqual(plain)

    // What another process seals after it is opened by the one that ran all along, which reads the file again.
    const after = await (await start()).seal(place, plain)
    expect(await running.open(place, after)).toEqual(plain)

    const [newKey = '', oldKey = ''] = (await readFile(keyFile(), 'utf8')).split('\n')
    const withNew = await start({ configured: newKey })
    expect(await withNew.open(place, before)).toEqual(plain)
    expect(await withNew.open(place, after)).toEqual(plain)
    expect(warnings).toEqual([])
    const withOld = await start({ configured: oldKey })
    expect(await withOld.open(place, before)).toBe(undecryptable)
    expect(await withOld.open(place, after)).toBe(undecryptable)
  })

  test('that is heard of while the database is away is acted on when it is back', async () => {
    const proxy = await startDatabaseProxy(database.url)
    const opened = openDatabase(proxy.url, () => undefined)
    const changes = await listenForChanges(database.url, () => undefined)
    closing.push(
      () => proxy.close(),
      opened.close,
      () => changes.close(),
    )
    const running = await start({ db: opened.db })
    running.reloadOnChange(changes)
    const before = await running.seal(place, plain)
    let heard = false
    // On a slow machine the listener may be connected anew just then: that too tells of a change.
    changes.subscribe({ onChange: () => (heard = true), onGap: () => (heard = true) })
    await proxy.cut()
    await rotateMasterKey(db, fileSource())
    await waitFor('the notice', () => heard)
    await expect(running.seal(place, plain)).rejects.toThrow()
    await proxy.restore()
    const after = await running.seal(place, plain)
    expect(after.subarray(0, 9)).not.toEqual(before.subarray(0, 9))
  })

  test('seals under another data key from there on', async () => {
    const secrets = await start()
    const dataKeyOf = (sealed: Buffer) => sealed.toString('hex', 1, 9)
    const before = dataKeyOf(await secrets.seal(place, plain))
    await rotateMasterKey(db, fileSource())
    expect(dataKeyOf(await (await start()).seal(place, plain))).not.toBe(before)
  })

  test('that commits while another process reads keys hides nothing from it', async () => {
    const running = await start()
    await rotateMasterKey(db, fileSource())
    const sealed = await (await start()).seal(place, plain)
    // The running process does not have this data key yet, and is stopped in the middle of reading it.
    const opened = await inTransaction(db, async (tx) => {
      await sql`lock table data_keys in access exclusive mode`.execute(tx)
      const opening = running.open(place, sealed)
      await waitFor('a reader of data keys', async () => (await waiters()) > 0)
      await rotateMasterKey(tx, fileSource())
      return { opening }
    })
    expect(await opened.opening).toEqual(plain)
  })

  test('whose old key is taken away while another process reads keys hides nothing from it', async () => {
    const path = join(dataDir, 'mounted')
    await writeFile(path, oneKey)
    const proxy = await startDatabaseProxy(database.url)
    const opened = openDatabase(proxy.url, () => undefined, patient)
    closing.push(() => proxy.close(), opened.close)
    const running = await start({ db: opened.db, configured: path })
    const rotate = (...keys: string[]) => rotateMasterKey(db, { dataDir, configured: keys.join(',') })
    await rotate(otherKey, oneKey)
    const sealed = await (await start({ configured: otherKey })).seal(place, plain)
    // It hears of the data keys as they were before the next rotation, and finds the master keys as they are after it.
    const listedBefore = await lastListing()
    proxy.holdAnswers()
    const opening = running.open(place, sealed)
    await waitFor('a list of data keys', async () => (await lastListing()) !== listedBefore)
    await rotate(thirdKey, otherKey)
    await writeFile(path, thirdKey)
    await proxy.restore()
    expect(await opening).toEqual(plain)
  })

  test('that failed after the file was written is completed by the next one', async () => {
    const sealed = await (await start()).seal(place, plain)
    await database.query('alter table data_keys add constraint stuck check (false) not valid')
    await expect(rotateMasterKey(db, fileSource())).rejects.toThrow()
    const text = await readFile(keyFile(), 'utf8')
    expect(text.trim().split('\n')).toHaveLength(2)
    expect(await (await start()).open(place, sealed)).toEqual(plain)
    await database.query('alter table data_keys drop constraint stuck')
    await rotateMasterKey(db, fileSource())
    expect(await readFile(keyFile(), 'utf8')).toBe(text)
    expect(await (await start({ configured: text.split('\n')[0] ?? '' })).open(place, sealed)).toEqual(plain)
  })

  test('of a configured key needs the new one before the old one', async () => {
    const sealed = await (await start({ configured: oneKey })).seal(place, plain)
    const rotate = (configured: string) => rotateMasterKey(db, { dataDir, configured })
    await expect(rotate(oneKey)).rejects.toThrow(/put a new one before it/)
    await expect(rotate(otherKey)).rejects.toThrow(/run this where the service has it/)
    await rotate(`${otherKey},${oneKey}`)
    expect(await (await start({ configured: otherKey })).open(place, sealed)).toEqual(plain)
  })
})

test('a lost master key is replaced on request only; what it sealed opens again if it is found', async () => {
  const sealed = await (await start({ configured: oneKey })).seal(place, plain)
  await expect(replaceLostMasterKey(db, { dataDir, configured: oneKey })).rejects.toThrow(/it is not lost/)
  await replaceLostMasterKey(db, { dataDir, configured: otherKey })
  const secrets = await start({ configured: otherKey })
  expect(await secrets.open(place, sealed)).toBe(undecryptable)
  const renewed = await secrets.seal(place, plain)
  expect(await secrets.open(place, renewed)).toEqual(plain)
  const both = await start({ configured: `${otherKey},${oneKey}` })
  expect(await both.open(place, sealed)).toEqual(plain)
  expect(await both.open(place, renewed)).toEqual(plain)
})

test('a data key seals for thirty days', async () => {
  let nowMs = Date.now()
  const secrets = await start({ now: () => nowMs })
  const first = await secrets.seal(place, plain)
  nowMs += 29 * 86_400_000
  await secrets.seal(place, plain)
  expect(await database.query('select id from data_keys')).toHaveLength(1)
  nowMs += 2 * 86_400_000
  const later = await secrets.seal(place, plain)
  expect(later.subarray(0, 9)).not.toEqual(first.subarray(0, 9))
  expect(await secrets.open(place, first)).toEqual(plain)
  expect(await database.query('select id from data_keys')).toHaveLength(2)
})
