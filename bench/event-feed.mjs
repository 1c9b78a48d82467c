// What one more entry of the record costs a service that is listened to: processor time, with nothing else to do. README.md says how to read it.
import { once } from 'node:events'
import { join } from 'node:path'
import { openDatabase } from '../packages/service/src/db/index.js'
import { fillRecord } from '../test/harness/record/fill-record.js'
import { startPostgres } from './database.mjs'
import { processorTime, runAndCleanUp, startHelper } from './processes.mjs'
import { startService } from './service.mjs'

const entries = 10_000
const streamsPerKey = 20

/** @param {import('./processes.mjs').Cleanup} cleanup */
async function run(cleanup) {
  const { folder, url } = await startPostgres(cleanup)
  const dataDir = join(folder, 'data')
  const env = { DATABASE_URL: url, TALLYSTICK_DATA_DIR: dataDir }
  const service = await startService('http://127.0.0.1:9', cleanup, { env })
  const { child: readers } = await startHelper('event-readers.mjs', [], cleanup)
  const { db, close } = openDatabase(url, () => undefined)
  const { id: tenantId } = await db.selectFrom('tenants').select('id').executeTakeFirstOrThrow()
  await close()

  /** @param {object | 'report'} message */
  async function ask(message) {
    readers.send(message)
    const [answer] = await once(readers, 'message')
    if (answer.fault) throw new Error(answer.fault)
    return answer
  }

  /** @param {number} count */
  async function open(count) {
    const { key } = await service.manage('/v1/keys', { name: `${count} readers`, role: 'manager' })
    await ask({ url: new URL('/v1/events/stream?types=call', service.url).href, keys: [key], perKey: count })
  }

  /** Until no more comes for a second. */
  async function settle() {
    for (let before = -1, now = 0; now !== before; ) {
      before = now
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      now = (await ask('report')).bytes
    }
  }

  /** @param {string} name */
  async function measure(name) {
    const before = processorTime(service.pid)
    const groups = Array.from({ length: entries / 100 }, () => 100)
    await fillRecord({ database: { url }, dataDir, tenantId, groups })
    await settle()
    console.log(
      `${name.padEnd(14)} ${((processorTime(service.pid) - before) / entries).toFixed(0).padStart(6)} µs`,
    )
  }

  console.log('processor time of the service for each entry')
  await measure('warm-up')
  await measure('no stream')
  await open(1)
  await measure('1 stream')
  await open(streamsPerKey - 1)
  for (let keys = 0; keys < 4; keys++) await open(streamsPerKey)
  await measure('100 streams')
  console.log(`dropped: ${(await ask('report')).ended}`)
}

await runAndCleanUp(run)
