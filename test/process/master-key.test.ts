import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, test as anyTest, expect } from 'vitest'
import { runCommand } from '../harness/processes/command.js'
import { type ServiceProcess, startServiceProcess } from '../harness/processes/process.js'
import { hasRedis, startRedis } from '../harness/processes/redis.js'
import { replaceFile } from '../harness/processes/replace-file.js'
import { startUpstream } from '../harness/providers/upstream.js'
import { createEndpoint } from '../harness/reporting/webhooks.js'
import { type Api, createApi } from '../harness/service/api.js'
import { createTestDatabase } from '../harness/service/database.js'

const test = anyTest.skipIf(!hasRedis)
const managerKey = `tallystick_sk_${'m'.repeat(40)}`

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tallystick-master-key-'))
  closing.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function start(env: Record<string, string>): Promise<ServiceProcess> {
  const service = await startServiceProcess({ TALLYSTICK_BOOTSTRAP_KEY: managerKey, ...env })
  closing.push(() => service.end('SIGKILL'))
  return service
}

async function makeParts() {
  const database = await createTestDatabase()
  closing.push(database.drop)
  const receiver = await startUpstream((_, response) => void response.writeHead(204).end())
  closing.push(receiver.close)
  return { database, receiver }
}

const newKey = () => randomBytes(32).toString('base64')

test('the master key is rotated under load, on two replicas, without a restart and without a delivery that fails', async () => {
  const { database, receiver } = await makeParts()
  const redis = await startRedis()
  closing.push(() => redis.close())
  const keyFile = join(await makeFolder(), 'keys')
  const keys = [newKey()]
  await writeFile(keyFile, keys.join('\n'))
  const shared = { DATABASE_URL: database.url, REDIS_URL: redis.url, TALLYSTICK_MASTER_KEY: keyFile }
  const envOf = async () => ({ ...shared, TALLYSTICK_DATA_DIR: await makeFolder() })
  const [firstEnv, secondEnv] = [await envOf(), await envOf()]
  const services = [await start(firstEnv), await start(secondEnv)]
  const apis = services.map(({ address }) => createApi(address, managerKey))

  const outcomes: unknown[] = []
  const ids: string[] = []
  let rotating = true
  /** What one replica seals, the other opens. */
  async function load(maker: Api, sender: Api): Promise<void> {
    for (let round = 0; rotating || round < 5; round++) {
      const { id } = await createEndpoint(maker, { url: receiver.url })
      ids.push(id)
      for (const endpointId of new Set([id, ids[0] ?? id]))
        outcomes.push((await sender.post(`/v1/webhook-endpoints/${endpointId}/test`)).body)
      const { status } = await sender.post(`/v1/webhook-endpoints/${id}/rotate-secret`, {})
      if (status !== 200) outcomes.push({ rotated: status })
    }
  }
  const [one, other] = apis
  if (!one || !other) throw new Error('no replicas')
  const loads = [load(one, other), load(other, one)]
  for (let rotation = 0; rotation < 3; rotation++) {
    keys.unshift(newKey())
    await replaceFile(keyFile, keys.join('\n'))
    const { exitCode, stdout, stderr } = await runCommand(['master-key', 'rotate'], firstEnv)
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout).toMatch(/^The master key is [0-9a-f]{16}; \d+ data keys? (was|were) encrypted again\n/)
  }
  rotating = false
  await Promise.all(loads)
  expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome)))).toEqual(
    new Set(['{"delivered":true,"error":null}']),
  )

  // The newest key alone is enough now, for a start as well.
  await replaceFile(keyFile, keys[0] ?? '')
  const restarted = await start(await envOf())
  expect(restarted.output()).not.toContain('cannot be decrypted')
  const api = createApi(restarted.address, managerKey)
  for (const id of ids.slice(0, 5))
    expect((await api.get(`/v1/webhook-endpoints/${id}`)).body.secretStatus).toBe('ok')
  const { stdout } = await runCommand(['master-key', 'status'], firstEnv)
  expect(stdout).toMatch(/^[0-9a-f]{16}\tcurrent\there\t4 data keys\n$/)
})

anyTest(
  'a start without the master key says which secrets cannot be opened, and works for the rest',
  async () => {
    const { database, receiver } = await makeParts()
    const [kept, fresh] = [await makeFolder(), await makeFolder()]
    const first = await start({ DATABASE_URL: database.url, TALLYSTICK_DATA_DIR: kept })
    const endpoint = await createEndpoint(createApi(first.address, managerKey), { url: receiver.url })
    expect(first.output()).toContain(
      'Local trial, because it listens on 127.0.0.1 alone and NODE_ENV is not production',
    )
    await first.end('SIGTERM')

    const env = { DATABASE_URL: database.url, TALLYSTICK_DATA_DIR: fresh }
    const lost = await start(env)
    expect(lost.output()).toMatch(/does not have the master key [0-9a-f]{16}/)
    expect(lost.output()).toContain(`The secrets of 1 webhook endpoints cannot be decrypted: ${endpoint.id}`)
    const api = createApi(lost.address, managerKey)
    expect((await api.get('/v1/keys')).status).toBe(200)

    // Both ways back, while it serves: another key, or the old one.
    const replaced = await runCommand(['master-key', 'replace'], env)
    expect(replaced.exitCode).toBe(0)
    const rotated = await api.post(`/v1/webhook-endpoints/${endpoint.id}/rotate-secret`, { overlapHours: 1 })
    expect(rotated.body).toMatchObject({ secretStatus: 'ok' })
    expect((await api.post(`/v1/webhook-endpoints/${endpoint.id}/test`)).body.delivered).toBe(true)
    expect(receiver.seen[0]?.headers['x-tallystick-signature']).toMatch(/^t=\d+,v1=[0-9a-f]+$/)

    const keys = `${await readFile(join(fresh, 'master-key'), 'utf8')}${await readFile(join(kept, 'master-key'), 'utf8')}`
    await writeFile(join(fresh, 'master-key'), keys)
    await lost.end('SIGTERM')
    const found = await start(env)
    expect(found.output()).not.toContain('master key')
    expect(
      (await createApi(found.address, managerKey).post(`/v1/webhook-endpoints/${endpoint.id}/test`)).body
        .delivered,
    ).toBe(true)
    // The secret that could not be opened signs again, for as long as it overlaps.
    expect(receiver.seen[1]?.headers['x-tallystick-signature']).toMatch(/^t=\d+,v1=[0-9a-f]+,v1=[0-9a-f]+$/)
  },
)

anyTest('a key in the data directory is rotated while the service runs', async () => {
  const { database, receiver } = await makeParts()
  const env = { DATABASE_URL: database.url, TALLYSTICK_DATA_DIR: await makeFolder() }
  const service = await start(env)
  const api = createApi(service.address, managerKey)
  const { id } = await createEndpoint(api, { url: receiver.url })
  expect((await runCommand(['master-key', 'rotate'], env)).exitCode).toBe(0)
  const { id: later } = await createEndpoint(api, { url: receiver.url })
  for (const endpointId of [id, later])
    expect((await api.post(`/v1/webhook-endpoints/${endpointId}/test`)).body.delivered).toBe(true)
  expect(
    (await readFile(join(env.TALLYSTICK_DATA_DIR, 'master-key'), 'utf8')).trim().split('\n'),
  ).toHaveLength(2)
  const { stdout } = await runCommand(['master-key', 'status'], env)
  expect(stdout).toMatch(/^\w{16}\tcurrent\there\t2 data keys\n\w{16}\tearlier\there\t0 data keys\n$/)
})
