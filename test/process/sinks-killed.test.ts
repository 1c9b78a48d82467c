import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, test as anyTest, expect } from 'vitest'
import { masterKey } from '../harness/processes/master-key.js'
import { startServiceProcess } from '../harness/processes/process.js'
import { hasRedis, startRedis } from '../harness/processes/redis.js'
import { fillRecord } from '../harness/record/fill-record.js'
import { waitFor } from '../harness/run/wait.js'
import { createApi } from '../harness/service/api.js'
import { createTestDatabase } from '../harness/service/database.js'
import { bucket, keys, startObjectStore } from '../harness/sinks/object-store.js'

const test = anyTest.skipIf(!hasRedis)
const managerKey = `tallystick_sk_${'m'.repeat(40)}`
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

test('replicas that are killed during uploads, again and again, leave each receipt in the bucket once', async () => {
  const database = await createTestDatabase()
  closing.push(database.drop)
  const redis = await startRedis()
  closing.push(redis.close)
  const store = await startObjectStore()
  closing.push(store.close)
  const dataDir = await mkdtemp(join(tmpdir(), 'tallystick-sinks-'))
  closing.push(() => rm(dataDir, { recursive: true, force: true }))
  const start = async () => {
    const replica = await startServiceProcess({
      ...{ DATABASE_URL: database.url, REDIS_URL: redis.url, TALLYSTICK_DATA_DIR: dataDir },
      ...{ TALLYSTICK_BOOTSTRAP_KEY: managerKey, TALLYSTICK_MASTER_KEY: masterKey },
    })
    closing.push(() => replica.end('SIGKILL'))
    return { replica, api: createApi(replica.address, managerKey) }
  }
  let [one, other] = [await start(), await start()]
  const [tenant] = await database.query<{ id: string }>('select id from tenants')
  const fill = (groups: number) =>
    fillRecord({ database, dataDir, tenantId: tenant?.id ?? '', groups: Array(groups).fill(512), draft: {} })
  await fill(24)

  // Every upload waits before it is stored, or with its answer, until the test lets it go on.
  const waiting: { isStored: boolean; release(): void }[] = []
  let isOpen = false
  store.answerWith((request, response, pass) => {
    if (isOpen || request.method !== 'PUT') return pass()
    if (waiting.length % 2 === 0) return void waiting.push({ isStored: false, release: pass })
    const end = response.end.bind(response) as () => void
    response.end = (() => {
      waiting.push({ isStored: true, release: end })
      return response
    }) as typeof response.end
    pass()
  })
  const destination = { type: 's3', url: store.url, region: 'eu-central-1', bucket, ...keys }
  const created = await one.api.post('/v1/sinks', {
    ...{ name: 'lake', data: 'receipts', intervalSeconds: 1, destination },
  })
  expect(created.status).toBe(201)

  // Whichever of the two uploads is killed in the middle; the other takes over.
  for (let kill = 1; kill <= 3; kill++) {
    await waitFor(`upload ${kill}`, () => waiting.length === kill)
    const [lease] = await database.query<{ leased_by: string }>(
      'select leased_by from jobs where kind = $1',
      ['sinks'],
    )
    expect(lease?.leased_by).toBeTruthy()
    expect(await one.replica.end('SIGKILL')).toBe('SIGKILL')
    const gone = one
    one = other
    other = await start()
    expect(gone).not.toBe(one)
    if (kill === 2) await fill(1)
  }
  isOpen = true
  for (const { release } of waiting) release()

  const size = async () =>
    Number((await database.query<{ n: string }>('select count(*) as n from receipts'))[0]?.n)
  const total = await size()
  await waitFor('everything to be exported', async () => {
    const { state } = (await one.api.get(`/v1/sinks/${created.body.id}`)).body
    return state.position === String(total) && state.lagSeconds === 0
  })
  const seqs = (await store.rows()).map(({ seq }) => Number(seq))
  expect(seqs.toSorted((a, b) => a - b)).toEqual(Array.from({ length: total }, (_, i) => i + 1))
})
