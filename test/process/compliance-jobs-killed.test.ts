import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, test as anyTest, expect } from 'vitest'
import { masterKey } from '../harness/processes/master-key.js'
import { startServiceProcess } from '../harness/processes/process.js'
import { hasRedis, startRedis } from '../harness/processes/redis.js'
import { fillRecord } from '../harness/record/fill-record.js'
import { waitFor } from '../harness/run/wait.js'
import { createApi } from '../harness/service/api.js'
import { createTestDatabase } from '../harness/service/database.js'

const test = anyTest.skipIf(!hasRedis)
const managerKey = `tallystick_sk_${'m'.repeat(40)}`
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

test('an export that a replica was killed in the middle of is finished by another, from the last stored part', async () => {
  const database = await createTestDatabase()
  closing.push(database.drop)
  const redis = await startRedis()
  closing.push(redis.close)
  const dataDir = await mkdtemp(join(tmpdir(), 'tallystick-jobs-'))
  closing.push(() => rm(dataDir, { recursive: true, force: true }))
  const start = async () => {
    const replica = await startServiceProcess({
      ...{ DATABASE_URL: database.url, REDIS_URL: redis.url, TALLYSTICK_DATA_DIR: dataDir },
      ...{ TALLYSTICK_BOOTSTRAP_KEY: managerKey, TALLYSTICK_MASTER_KEY: masterKey },
    })
    closing.push(() => replica.end('SIGKILL'))
    return { replica, api: createApi(replica.address, managerKey) }
  }
  const one = await start()
  const [tenant] = await database.query<{ id: string }>('select id from tenants')
  // Four parts of 4 MiB.
  await fillRecord({
    ...{ database, dataDir, tenantId: tenant?.id ?? '' },
    groups: Array(6).fill(512),
    draft: { user: 'x'.repeat(4_000) },
  })

  // The second part is not stored before the door is open.
  const door = new pg.Client(database.url)
  await door.connect()
  closing.push(() => door.end())
  await door.query('select pg_advisory_lock(1)')
  await database.query(`create function wait_at_the_door() returns trigger language plpgsql as
    $$ begin if new.number = 1 then perform pg_advisory_xact_lock(1); end if; return new; end $$`)
  await database.query(`create trigger at_the_door before insert on compliance_job_parts
    for each row execute function wait_at_the_door()`)
  const { id } = (await one.api.post('/v1/compliance/exports')).body
  const firstPart = async () =>
    (
      await database.query<{ xmin: string }>(
        'select xmin::text from compliance_job_parts where job_id = $1 and number = 0',
        [id],
      )
    )[0]
  const before = await waitFor('the first part', firstPart)
  const other = await start()
  expect((await other.api.get(`/v1/compliance/jobs/${id}`)).body).toMatchObject({
    status: 'running',
    resultUrl: null,
  })
  expect(await one.replica.end('SIGKILL')).toBe('SIGKILL')
  await door.query('select pg_advisory_unlock(1)')

  const done = await waitFor('the other to finish it', async () => {
    const { body } = await other.api.get(`/v1/compliance/jobs/${id}`)
    return body.status === 'done' && body
  })
  expect(done.progress).toEqual({ done: 6 * 512, total: 6 * 512 })
  // The first part was not made again.
  expect(await firstPart()).toEqual(before)
  const kept = await other.api.get(done.resultUrl)
  const streamed = await other.api.get('/v1/compliance/export')
  expect(kept.body === streamed.body).toBe(true)
})
