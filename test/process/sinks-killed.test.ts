import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { parquetReadObjects } from 'hyparquet'
import { afterEach, test as anyTest, expect } from 'vitest'
import { masterKey } from '../harness/processes/master-key.js'
import { startServiceProcess } from '../harness/processes/process.js'
import { hasRedis, startRedis } from '../harness/processes/redis.js'
import { fillRecord } from '../harness/record/fill-record.js'
import { waitFor } from '../harness/run/wait.js'
import { createApi } from '../harness/service/api.js'
import { createTestDatabase } from '../harness/service/database.js'
import { toAttos } from '../harness/sinks/focus-rules.js'
import { bucket, keys, startObjectStore } from '../harness/sinks/object-store.js'

const test = anyTest.skipIf(!hasRedis)
const managerKey = `tallystick_sk_${'m'.repeat(40)}`
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

// Costs are a few rows for all receipts, so their batch is sent again from its first receipt after each kill.
const hoursAgo = new Date(Date.now() - 3 * 3_600_000).toISOString()
const kinds = [
  { data: 'receipts', format: 'jsonl' },
  { data: 'receipts', format: 'parquet' },
  { data: 'focus', format: 'csv' },
] as const

test.for(kinds)(
  'replicas that are killed during uploads of $data as $format, again and again, leave each receipt in the bucket once',
  async ({ data, format }) => {
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
      fillRecord({
        database,
        dataDir,
        tenantId: tenant?.id ?? '',
        groups: Array(groups).fill(512),
        draft: { ts: hoursAgo, costNanos: 7 },
      })
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
      ...{ name: 'lake', data, format, intervalSeconds: 1, destination },
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
    if (data === 'focus') {
      const rows = (await readObjects('.csv.gz', (body) => parse(gunzipSync(body), { columns: true }))).flat()
      const cost = rows.reduce<bigint>(
        (sum, row) => sum + toAttos((row as { BilledCost: string }).BilledCost),
        0n,
      )
      expect(cost).toBe(25n * 512n * 7n * 10n ** 9n)
      return
    }
    const rows =
      format === 'jsonl'
        ? await store.rows()
        : (
            await readObjects(
              '.parquet',
              async (body) => await parquetReadObjects({ file: new Uint8Array(body).buffer }),
            )
          ).flat()
    const seqs = rows.map(({ seq }) => Number(seq))
    expect(seqs.toSorted((a, b) => a - b)).toEqual(Array.from({ length: total }, (_, i) => i + 1))

    async function readObjects<T>(ending: string, read: (body: Buffer) => T | Promise<T>): Promise<T[]> {
      const names = (await store.list()).filter((name) => name.endsWith(ending))
      return await Promise.all(names.map(async (name) => await read(await store.read(name))))
    }
  },
)
