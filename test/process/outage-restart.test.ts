import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ServiceProcess, startServiceProcess } from '../harness/processes/process.js'
import { startUpstream, type Upstream } from '../harness/providers/upstream.js'
import { verifyRecord } from '../harness/record/record.js'
import { waitFor } from '../harness/run/wait.js'
import { createApi } from '../harness/service/api.js'
import { createTestDatabase, type TestDatabase } from '../harness/service/database.js'
import { type DatabaseProxy, startDatabaseProxy } from '../harness/service/database-proxy.js'
import { answerChat, chatCall } from '../harness/service/traffic.js'

const key = 'tallystick_sk_0123456789abcdefghijKLMNOPQRSTUVWXYZ'

let database: TestDatabase
let proxy: DatabaseProxy
let upstream: Upstream
let dataDir: string
let service: ServiceProcess

beforeEach(async () => {
  database = await createTestDatabase()
  proxy = await startDatabaseProxy(database.url)
  dataDir = await mkdtemp(join(tmpdir(), 'tallystick-outage-'))
})
afterEach(async () => {
  await service.end('SIGKILL')
  await upstream.close()
  await proxy.close()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

async function start(): Promise<void> {
  service = await startServiceProcess({
    DATABASE_URL: proxy.url,
    TALLYSTICK_DATA_DIR: dataDir,
    TALLYSTICK_BOOTSTRAP_KEY: key,
    OPENAI_API_KEY: 'sk-upstream',
    OPENAI_BASE_URL: `${upstream.url}/v1`,
  })
}

for (const [signal, expectedExit] of [
  ['SIGKILL', 'SIGKILL'],
  ['SIGTERM', 0],
] as const) {
  test(`receipts that wait on the disk at ${signal} are in the record once after the next start`, async () => {
    let open = () => {}
    const opened = new Promise<void>((resolve) => {
      open = resolve
    })
    upstream = await startUpstream(async (request, response) => {
      await opened
      answerChat(request, response)
    })
    await start()
    const api = createApi(service.address, key)
    const calls = [false, true, false, true].map((stream) =>
      api.post('/v1/chat/completions', chatCall(stream)),
    )
    await waitFor('the calls to reach the provider', () => upstream.seen.length === 4)
    await proxy.cut()
    await waitFor('the service to notice', async () => (await api.get('/readyz')).status === 503)
    open()
    const answers = await Promise.all(calls)
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])

    expect(await service.end(signal)).toBe(expectedExit)
    const before = await verifyRecord(database)
    expect(before).toMatchObject({ fault: null, receipts: [] })

    await proxy.restore()
    await start()
    const { fault, sealed, entries, receipts } = await verifyRecord(database)
    expect(fault).toBeNull()
    // The price that they were counted at stands before them.
    expect([sealed, entries.length]).toEqual([5, 5])
    const ids = answers.map(({ headers }) => headers.get('x-tallystick-request-id'))
    expect(receipts.map(({ id }) => id).sort()).toEqual(ids.sort())
    expect(await readdir(join(dataDir, 'spool'))).toEqual([])
  })
}
