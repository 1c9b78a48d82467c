import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { waitFor } from '../../../../../test/harness/run/wait.js'
import { createTestDatabase, type TestDatabase } from '../../../../../test/harness/service/database.js'
import { type Db, inTransaction, locks, openDatabase } from '../../db/index.js'
import { openSecrets, type Secrets } from '../../secrets/index.js'
import { eraseContent } from '../content/index.js'
import { type CachedAnswersOptions, createCachedAnswers, maxAnswerBytes } from './response-cache.js'
import { eraseCachedAnswers } from './store.js'

let database: TestDatabase
let db: Db
let secrets: Secrets
let errors: unknown[]
let closing: (() => Promise<unknown>)[]

beforeEach(async () => {
  database = await createTestDatabase()
  const opened = openDatabase(database.url, () => undefined)
  db = opened.db
  const dataDir = await mkdtemp(join(tmpdir(), 'tallystick-cached-'))
  closing = [() => rm(dataDir, { recursive: true }), opened.close]
  secrets = await openSecrets({ db, dataDir, configured: null, warn: () => undefined })
  errors = []
  for (const id of ['tenant_a', 'tenant_b', 'tenant_c', 'tenant_d', 'tenant_e'])
    await database.query('insert into tenants (id, name) values ($1, $1)', [id])
})
afterEach(async () => {
  for (const close of closing.toReversed()) await close()
  await database.drop()
})

const open = (options: Partial<CachedAnswersOptions> = {}) =>
  createCachedAnswers({ db, secrets, onError: (error) => void errors.push(error), ...options })

const contentType = 'application/json'

async function keep(
  answers: ReturnType<typeof open>,
  description: string,
  fields: { tenantId?: string; userId?: string | null; body?: Buffer; erasedTo?: number } = {},
) {
  const { tenantId = 'tenant_a', userId = null, body = Buffer.from(description), erasedTo = 0 } = fields
  const keyHash = await answers.hash(tenantId, description)
  answers.keep({ tenantId, keyHash, userId, contentType, body, ttlSeconds: 60, erasedTo })
  return { tenantId, keyHash, ttlSeconds: 60 }
}

test('what is kept is found by the same request of the same tenant alone', async () => {
  const answers = open()
  const kept = await keep(answers, 'a question')
  await answers.close()
  expect(await answers.find(kept)).toEqual({ contentType, body: Buffer.from('a question') })
  expect(await open().hash('tenant_a', 'a question')).toEqual(kept.keyHash)
  const other = await answers.hash('tenant_b', 'a question')
  expect(other).not.toEqual(kept.keyHash)
  for (const keyHash of [other, kept.keyHash])
    expect(await answers.find({ ...kept, tenantId: 'tenant_b', keyHash })).toBeNull()
})

test('of too many, the oldest go; those of another tenant stay', async () => {
  const answers = open({ maxAnswers: 3 })
  const others = await keep(answers, 'of the others', { tenantId: 'tenant_b' })
  const kept = []
  for (let i = 0; i < 5; i++) kept.push(await keep(answers, `question ${i}`))
  await answers.close()
  const found = await Promise.all(kept.map(async (each) => (await answers.find(each)) !== null))
  expect(found).toEqual([false, false, true, true, true])
  expect(await answers.find(others)).not.toBeNull()
})

test('an answer that is too large is not kept', async () => {
  const answers = open()
  const large = await keep(answers, 'large', { body: Buffer.alloc(maxAnswerBytes + 1) })
  const fits = await keep(answers, 'fits', { body: Buffer.alloc(maxAnswerBytes) })
  await answers.close()
  expect(await answers.find(large)).toBeNull()
  expect(await answers.find(fits)).not.toBeNull()
})

test('more than may wait is not kept, and nobody waits for it', async () => {
  const answers = open()
  const body = Buffer.alloc(maxAnswerBytes)
  const kept = []
  const keyHash = await answers.hash('tenant_a', 'first')
  for (let i = 0; i < 40; i++) {
    const tenantId = `tenant_${'abcde'[i % 5]}`
    const each = { tenantId, keyHash: Buffer.concat([keyHash, Buffer.from([i])]), ttlSeconds: 60 }
    kept.push(each)
    answers.keep({ ...each, userId: null, contentType, body, erasedTo: 0 })
  }
  await answers.close()
  const found = await Promise.all(kept.map(async (each) => (await answers.find(each)) !== null))
  expect(found.filter(Boolean)).toHaveLength(16)
  expect(errors).toEqual([])
})

test('a call that began before its user was erased leaves nothing, one that began later does', async () => {
  const answers = open()
  await database.query(
    `insert into members (tenant_id, user_id) values ('tenant_a', 'ada'), ('tenant_a', 'eve')`,
  )
  const before = await keep(answers, 'before', { userId: 'ada' })
  await answers.close()
  await inTransaction(db, async (tx) => {
    await eraseContent(tx, { tenantId: 'tenant_a', userId: 'ada' })
    await eraseCachedAnswers(tx, { tenantId: 'tenant_a', userId: 'ada' })
  })
  await database.query(
    `insert into erasures (id, tenant_id, user_id, control_seq) values ('era_1', 'tenant_a', 'ada', 7)`,
  )
  const late = await keep(answers, 'late', { userId: 'ada', erasedTo: 6 })
  const later = await keep(answers, 'later', { userId: 'ada', erasedTo: 7 })
  const others = await keep(answers, 'of another', { userId: 'eve', erasedTo: 6 })
  await answers.close()
  const found = await Promise.all([before, late, later, others].map((each) => answers.find(each)))
  expect(found.map((each) => each !== null)).toEqual([false, false, true, true])
})

test('a key that cannot be opened any more is replaced, and replicas agree on the one that is', async () => {
  const first = await open().hash('tenant_a', 'a question')
  await database.query(`update cache_keys set sealed = set_byte(sealed, 40, get_byte(sealed, 40) # 1)`)
  const hashes = await Promise.all(
    [open(), open(), open()].map((each) => each.hash('tenant_a', 'a question')),
  )
  expect(hashes[0]).not.toEqual(first)
  expect(new Set(hashes.map((hash) => hash.toString('hex'))).size).toBe(1)
})

test('an answer that cannot be stored is lost, and said', async () => {
  const answers = open()
  await keep(answers, 'of nobody', { tenantId: 'tenant_a' })
  const keyHash = await answers.hash('tenant_a', 'x')
  answers.keep({
    tenantId: 'tenant_z',
    keyHash,
    userId: null,
    contentType,
    body: Buffer.from('x'),
    ttlSeconds: 60,
    erasedTo: 0,
  })
  const after = await keep(answers, 'after it')
  await answers.close()
  expect(errors).toHaveLength(1)
  expect(await answers.find(after)).not.toBeNull()
})

test('a tenant whose answers cannot be stored does not hold up the answers of another', async () => {
  const answers = open()
  const body = Buffer.alloc(maxAnswerBytes)
  const stuck = await db.startTransaction().execute()
  await sql`select pg_advisory_xact_lock(${locks.content}, hashtext('tenant_a'))`.execute(stuck)
  for (let i = 0; i < 20; i++) await keep(answers, `question ${i}`, { body })
  const others = await keep(answers, 'of the others', { tenantId: 'tenant_b', body })
  await waitFor('the answer of the other tenant', () => answers.find(others))
  await stuck.commit().execute()
  await answers.close()
  // More than its share of the queue was not kept.
  const [row] = await database.query(
    "select count(*)::int as kept from cached_answers where tenant_id = 'tenant_a'",
  )
  expect(row).toEqual({ kept: 4 })
  expect(errors).toEqual([])
})
