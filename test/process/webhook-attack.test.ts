import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ServiceProcess, startServiceProcess } from '../harness/processes/process.js'
import { type HostileReceiver, startHostileReceiver } from '../harness/reporting/hostile-receiver.js'
import { createEndpoint } from '../harness/reporting/webhooks.js'
import { pick, random } from '../harness/run/seed.js'
import { isSoak, soakSeconds } from '../harness/run/soak.js'
import { waitFor } from '../harness/run/wait.js'
import { createApi } from '../harness/service/api.js'
import { createTestDatabase, type TestDatabase } from '../harness/service/database.js'

const managerKey = 'tallystick_sk_0123456789abcdefghijKLMNOPQRSTUVWXYZ'
const paths = ['/flaky', '/slow', '/chat']

let database: TestDatabase
let dataDir: string
let receiver: HostileReceiver
let service: ServiceProcess | undefined

const quickFaults = ['fail', 'redirect', 'hangUp', 'reset', 'flood']

/** In an attack the first attempt meets a fault and the next is taken; in a soak any attempt may meet any. */
function chooseBehaviour(path: string, timesBefore: number): string {
  if (!isSoak && timesBefore > 0) return 'take'
  if (random() < 0.4) return 'take'
  if (path === '/slow' && random() < 0.2) return pick(['hang', 'drip'])
  return pick(quickFaults)
}

beforeAll(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'tallystick-attack-'))
  receiver = await startHostileReceiver(chooseBehaviour)
})
afterAll(async () => {
  await service?.end('SIGKILL')
  await receiver.close()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

const start = async () => {
  service = await startServiceProcess({
    DATABASE_URL: database.url,
    TALLYSTICK_DATA_DIR: dataDir,
    TALLYSTICK_BOOTSTRAP_KEY: managerKey,
  })
  return service
}

/** Calls that are refused, one after the other, for as long as the service stands. */
async function violateUntil(address: string, key: string, ended: AbortSignal): Promise<void> {
  const call = { model: 'mock/echo', messages: [{ role: 'user', content: 'Hi' }] }
  while (!ended.aborted) {
    await createApi(address, key)
      .post('/v1/chat/completions', call)
      .catch(() => undefined)
    await pause(100)
  }
}

interface Delivery {
  path: string
  id: string
  status: string
  status_code: number | null
  seq: string
}

const readDeliveries = () =>
  database.query<Delivery>(`
    select substring(e.url from '/[a-z]+$') as path, d.id, d.status, d.status_code, d.data::json ->> 'receipt_seq' as seq
    from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id`)

test(
  'whatever receivers do, and however often the service is killed, every occurrence arrives under one id',
  async () => {
    const { address } = await start()
    const api = createApi(address, managerKey)
    for (const path of paths) {
      const type = path === '/chat' ? 'chat' : 'generic'
      await createEndpoint(api, { url: receiver.url + path, type, maxAttempts: 100 })
    }
    const { key } = (await api.post('/v1/keys', { name: 'Good for nothing', allowedModels: [] })).body

    const endMs = Date.now() + (soakSeconds ?? 0) * 1_000
    // In any case until it was an attack.
    let kills = 0
    while (Date.now() < endMs || kills < 3 || receiver.bodies.size <= 60) {
      const { address } = service ?? (await start())
      const ended = new AbortController()
      const calling = violateUntil(address, key, ended.signal)
      await pause(1_000 + random() * (isSoak ? 5_000 : 2_000))
      await service?.end('SIGKILL')
      service = undefined
      kills++
      ended.abort()
      await calling
    }

    await start()
    receiver.recover()
    // How long each wait is, is another test's; here they are cut short.
    const hurry = `update webhook_deliveries set due_at = now() where status = 'retrying' and due_at > now() + interval '1 s'`
    await waitFor('every delivery to be finished', async () => {
      await database.query(hurry)
      await database.query(`select pg_notify('tallystick_changes', 'webhook_deliveries:all')`)
      await pause(200)
      return (await readDeliveries()).every(({ status }) => status === 'delivered' || status === 'dead')
    })

    const deliveries = await readDeliveries()
    const blocked = await database.query<{ seq: string }>(
      `select seq::text from receipts where canonical::json ->> 'outcome' = 'blocked' order by receipts.seq`,
    )
    expect(blocked.length).toBeGreaterThan(20)
    for (const path of paths) {
      // Each occurrence has one delivery to each endpoint: none is missing, none is there twice.
      const seqs = deliveries.filter((each) => each.path === path).map(({ seq }) => Number(seq))
      expect(seqs.toSorted((a, b) => a - b)).toEqual(blocked.map(({ seq }) => Number(seq)))
    }
    const nameOf = ({ path, id }: Delivery) => `${path} ${id}`
    // What the log says is what the receiver knows, both ways.
    expect(deliveries.filter(({ status }) => status !== 'delivered')).toEqual([])
    expect(deliveries.filter((each) => !receiver.taken.has(nameOf(each)))).toEqual([])
    expect(new Set(receiver.taken)).toEqual(new Set(deliveries.map(nameOf)))
    expect(
      [...new Set(deliveries.map(({ status_code }) => status_code))].every(
        (code) => code === 200 || code === 204,
      ),
    ).toBe(true)
    // Every attempt under an id carried the same bytes.
    for (const bodies of receiver.bodies.values()) expect(new Set(bodies).size).toBe(1)
    expect(receiver.trapped()).toBe(0)
    expect(await service?.end('SIGTERM')).toBe(0)
  },
  // Beyond the usual time: a soak is longer.
  (soakSeconds ?? 0) * 1_000 + 1_200_000,
)
