import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { waitFor } from '../../../../../../test/harness/run/wait.js'
import { createTestDatabase, type TestDatabase } from '../../../../../../test/harness/service/database.js'
import { openDatabase } from '../../../db/index.js'
import { createIdempotentCalls, type IdempotentCalls } from './idempotent-calls.js'

const tenantId = 'tenant_a'
const limits = { calls: 3, bytes: 1_000 }

let database: TestDatabase
let closeDb: () => Promise<void>
let open: () => IdempotentCalls

beforeEach(async () => {
  database = await createTestDatabase()
  const opened = openDatabase(database.url, () => undefined)
  closeDb = opened.close
  await database.query('insert into tenants (id, name) values ($1, $1)', [tenantId])
  open = () =>
    createIdempotentCalls({
      db: opened.db,
      changes: { subscribe: () => undefined, connected: () => true, close: async () => undefined },
      processId: 'process',
      onError: () => undefined,
      limits,
    })
})
afterEach(async () => {
  await closeDb()
  await database.drop()
})

const newClaim = (keyId = 'key_a') => ({
  ...{ tenantId, keyId, userId: null, requestId: `req_${randomBytes(4).toString('hex')}` },
  ...{ keyHash: randomBytes(32), salt: randomBytes(16), fingerprint: randomBytes(32) },
})

test('a key stores so many calls, and those that it repeats are still answered, on a replica that did not store them too', async () => {
  const claims = open()
  const stored = [newClaim(), newClaim(), newClaim()]
  for (const claim of stored) expect(await claims.take(claim)).toBe(true)
  for (const replica of [claims, open()]) {
    await expect(replica.take(newClaim())).rejects.toMatchObject({
      type: 'rate_limit_exceeded',
      message: expect.stringMatching(/^This key has 3 calls with an Idempotency-Key stored/),
    })
    for (const claim of stored) expect(await replica.take(claim)).toBe(false)
    expect(await replica.take(newClaim(`key_${randomBytes(4).toString('hex')}`))).toBe(true)
  }
})

test('an answer that there is no room for is not kept, and its call is not made again', async () => {
  const claims = open()
  const states: (string | undefined)[] = []
  for (const bytes of [600, 600, 300]) {
    const claim = newClaim()
    expect(await claims.take(claim)).toBe(true)
    claims.end({ ...claim, end: { sealed: randomBytes(bytes) } })
    const ended = await waitFor('the claim to end', async () => {
      const found = await claims.find(claim)
      return found?.state !== 'calling' && found
    })
    states.push(ended.state)
    expect(await claims.take(claim)).toBe(false)
  }
  expect(states).toEqual(['answered', 'not_kept', 'answered'])
})
