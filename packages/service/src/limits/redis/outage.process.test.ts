import { afterEach, describe, expect, it } from 'vitest'
import { hasRedis, type RedisServer, startRedis } from '../../../../../test/harness/processes/redis.js'
import { waitFor } from '../../../../../test/harness/run/wait.js'
import type { SpendAccount } from '../../shared/spend-account.js'
import type { AdmissionStore, Admitted, WindowClaim } from '../contract.js'
import { InMemoryUsageLoader } from '../contract-suite/in-memory-usage-loader.js'
import { createRedisAdmission } from './admission.js'

// A real server that dies, hangs, forgets and runs out of memory, on its own clock.

const user: SpendAccount = { scopeType: 'user', scopeId: 'ada', startMs: 0, endMs: null }
const scopes = [['user', 'ada']] as const
const rpm: WindowClaim = { id: 'key_a/rpm', unit: 'requests', limit: 3, amount: 1, windowMs: 3_600_000 }
const tenantId = 'tenant_1'
// A server that runs is never given up, however busy the machine is. One that hangs is, after the shorter time.
const patientMs = 120_000
const hangingMs = 10_000
const unavailable = { status: 503, type: 'unavailable' }

interface OutageBench {
  redis: RedisServer
  store: AdmissionStore
  usageLoader: InMemoryUsageLoader
  warnings: string[]
  connect(): Promise<AdmissionStore>
}

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** Whether a timer of this length has run out: on a slow machine it is as late as what it is held against. */
function watchFor(ms: number): () => boolean {
  let isOver = false
  const timer = setTimeout(() => {
    isOver = true
  }, ms)
  return () => {
    clearTimeout(timer)
    return isOver
  }
}

function build(...options: string[]): Promise<OutageBench> {
  return buildWith(patientMs, ...options)
}

async function buildWith(commandTimeoutMs: number, ...options: string[]): Promise<OutageBench> {
  const redis = await startRedis(...options)
  closing.push(redis.close)
  const usageLoader = new InMemoryUsageLoader()
  const warnings: string[] = []
  const log = { info: () => undefined, warn: (message: string) => warnings.push(message) }
  async function connect(): Promise<AdmissionStore> {
    const store = await createRedisAdmission({ url: redis.url, usageLoader, log, commandTimeoutMs })
    closing.push(() => store.close())
    return store
  }
  return { redis, store: await connect(), usageLoader, warnings, connect }
}

let calls = 0
const ask = (store: AdmissionStore, attemptId = `req_${++calls}`) =>
  store.admit({
    tenantId,
    attemptId,
    claims: [rpm],
    spend: { scopes, accountLimits: [{ account: user, limitNanos: 100 }], maxNanos: 30, minNanos: 30 },
  })

async function begin({ store, usageLoader }: OutageBench): Promise<Admitted & { attemptId: string }> {
  const attemptId = `req_${++calls}`
  const decision = await ask(store, attemptId)
  if (!decision.admitted) throw new Error(`refused for ${decision.reason}`)
  const { atMs, generation } = decision
  usageLoader.openCall(tenantId, { attemptId, atMs, claims: [rpm], scopes, nanos: 30 }, generation)
  return { ...decision, attemptId }
}

const recovered = (store: AdmissionStore) =>
  waitFor('Redis to be used again', () =>
    store.check().then(
      () => true,
      () => false,
    ),
  )

describe.skipIf(!hasRedis)('shared admission when Redis fails', () => {
  it('refuses at once while the server is down, and recovers with all that counted before', async () => {
    const bench = await build()
    const { redis, store } = bench
    await begin(bench)
    await begin(bench)
    await redis.kill()
    await waitFor('the loss to be noticed', () => bench.warnings.length > 0)
    const hasWaited = watchFor(patientMs)
    await expect(ask(store)).rejects.toMatchObject(unavailable)
    await expect(store.check()).rejects.toThrow('Redis is unavailable')
    expect(hasWaited()).toBe(false)
    await redis.restart()
    await recovered(store)
    expect(await store.readReservedNanos(tenantId, user)).toBe(60)
    expect(await ask(store)).toMatchObject({ admitted: true })
    expect(await ask(store)).toMatchObject({ admitted: false, reason: 'window' })
  })

  it('starts while the server is away, and works when it comes', async () => {
    const { redis, connect } = await build()
    await redis.kill()
    const store = await connect()
    await expect(ask(store)).rejects.toMatchObject(unavailable)
    await redis.restart()
    await recovered(store)
    expect(await ask(store)).toMatchObject({ admitted: true })
  })

  it('does not believe a server that restarted with what it had saved', async () => {
    const bench = await build('--appendonly', 'yes', '--appendfsync', 'always')
    const { redis, store, usageLoader } = bench
    const call = await begin(bench)
    await redis.kill()
    await redis.restart()
    expect(await redis.client.exists(`tallystick:{${tenantId}}:generation`)).toBe(1)
    const { atMs, attemptId } = call
    usageLoader.appendReceipt({ tenantId, attemptId, nanos: 20, tokens: 0, atMs, scopes })
    await recovered(store)
    expect(await store.readReservedNanos(tenantId, user)).toBe(0)
    expect(await ask(store)).toMatchObject({ generation: 2 })
  })

  it('loses no settlement and no receipt that could not be delivered', async () => {
    const bench = await buildWith(hangingMs)
    const { redis, store, usageLoader } = bench
    const other = await bench.connect()
    const settled = await begin(bench)
    const finished = await begin(bench)
    redis.halt()
    const { attemptId, atMs } = finished
    await store.settle(settled.hold, { tokens: 0 })
    await store.countReceipts([
      usageLoader.appendReceipt({ tenantId, attemptId, nanos: 20, tokens: 0, atMs, scopes }),
    ])
    await expect(ask(store)).rejects.toMatchObject(unavailable)
    redis.continue()
    // The same server, which never restarted: only the store knows that something is missing there.
    await waitFor('the other replica to agree with the record', async () => {
      const held = await other.readReservedNanos(tenantId, user).catch(() => null)
      return held === 30
    })
    expect(await ask(other)).toMatchObject({ admitted: true })
  })

  it('gives back what it took for a call that was reported to be refused', async () => {
    const bench = await buildWith(hangingMs)
    const { redis, store } = bench
    await begin(bench)
    redis.halt()
    await Promise.all(
      [ask(store), ask(store)].map((asked) => expect(asked).rejects.toMatchObject(unavailable)),
    )
    const hasWaited = watchFor(hangingMs)
    await expect(ask(store)).rejects.toMatchObject(unavailable)
    expect(hasWaited()).toBe(false)
    redis.continue()
    await recovered(store)
    expect(await ask(store)).toMatchObject({ admitted: true })
    expect(await ask(store)).toMatchObject({ admitted: true })
    expect(await store.readReservedNanos(tenantId, user)).toBe(90)
  })

  it('takes over from a replica that died while it was loading a tenant', async () => {
    const { redis, store } = await build()
    const runId = /run_id:(\w+)/.exec(await redis.client.info('server'))?.[1]
    await redis.client.set(`tallystick:{${tenantId}}:loading`, `someone ${runId}`, 'PX', 200)
    expect(await ask(store)).toMatchObject({ admitted: true })
  })

  it('will not work with a server that may throw limits away, and says why', async () => {
    const { redis, store, connect, warnings } = await build(
      '--maxmemory',
      '100mb',
      '--maxmemory-policy',
      'volatile-lru',
    )
    expect(warnings.join()).toContain('maxmemory-policy volatile-lru')
    await expect(ask(store)).rejects.toMatchObject(unavailable)
    await expect(store.check()).rejects.toThrow('noeviction')
    await redis.client.config('SET', 'maxmemory-policy', 'noeviction')
    expect(await ask(await connect())).toMatchObject({ admitted: true })
    await store.check()
    expect(await ask(store)).toMatchObject({ admitted: true })
  })

  it('lets calls end on a server that is out of memory, and admits none', async () => {
    const bench = await build()
    const { redis, store, usageLoader, warnings } = bench
    const { attemptId, atMs, hold } = await begin(bench)
    await redis.client.config('SET', 'maxmemory', '1')
    await expect(ask(store)).rejects.toMatchObject(unavailable)
    expect(warnings.join()).toContain('OOM')
    await store.settle(hold, { tokens: 0 })
    await store.countReceipts([
      usageLoader.appendReceipt({ tenantId, attemptId, nanos: 20, tokens: 0, atMs, scopes }),
    ])
    await redis.client.config('SET', 'maxmemory', '0')
    expect(await store.readReservedNanos(tenantId, user)).toBe(0)
    expect(await ask(store)).toMatchObject({ admitted: true, generation: 1 })
  })

  it('leaves nothing behind for ever', async () => {
    const bench = await build()
    const { redis, store, usageLoader } = bench
    const tell = async (attemptId: string, atMs: number) =>
      await store.countReceipts([
        usageLoader.appendReceipt({ tenantId, attemptId, nanos: 20, tokens: 0, atMs, scopes }),
      ])
    const first = await begin(bench)
    await tell(first.attemptId, first.atMs)
    await store.forgetTenant(tenantId)
    expect(await store.readReservedNanos(tenantId, user)).toBe(0)
    await expectExpiries(redis)
    const second = await begin(bench)
    usageLoader.beforeReturn = async () => {
      usageLoader.beforeReturn = async () => undefined
      await tell(second.attemptId, second.atMs)
    }
    await store.forgetTenant(tenantId)
    expect(await ask(store)).toMatchObject({ admitted: true })
    await expectExpiries(redis)
  })
})

async function expectExpiries({ client }: RedisServer): Promise<void> {
  const keys = await client.keys('*')
  expect(keys.length).toBeGreaterThan(3)
  for (const key of keys) expect(await client.pttl(key), key).toBeGreaterThan(0)
}

describe.skipIf(!hasRedis)('shared admission by its address', () => {
  const open = async (url: string, warnings: string[] = []) => {
    const log = { info: () => undefined, warn: (message: string) => warnings.push(message) }
    const usageLoader = new InMemoryUsageLoader()
    const store = await createRedisAdmission({ url, usageLoader, log, commandTimeoutMs: patientMs })
    closing.push(() => store.close())
    return store
  }

  it('uses the password and the database that the address names', async () => {
    const redis = await startRedis()
    closing.push(redis.close)
    await redis.client.config('SET', 'requirepass', 'open sesame')
    const { host } = new URL(redis.url)
    const store = await open(`redis://:open%20sesame@${host}/5`)
    expect(await ask(store)).toMatchObject({ admitted: true })
    expect(await redis.client.dbsize()).toBe(0)
    await redis.client.select(5)
    expect(await redis.client.dbsize()).toBeGreaterThan(0)
  })

  it('says what is wrong with the address', async () => {
    const redis = await startRedis()
    closing.push(redis.close)
    await redis.client.config('SET', 'requirepass', 'open sesame')
    const warnings: string[] = []
    const store = await open(redis.url.replace('//', '//:wrong@'), warnings)
    await expect(ask(store)).rejects.toMatchObject(unavailable)
    await expect(store.check()).rejects.toThrow('WRONGPASS')
    expect(warnings.join()).toContain('WRONGPASS')
  })
})

describe.skipIf(!hasRedis)('shared admission on a node of a cluster', () => {
  it('never touches two slots in one step', async () => {
    const bench = await build('--cluster-enabled', 'yes')
    await bench.redis.client.cluster('ADDSLOTSRANGE', 0, 16383)
    await waitFor('the cluster to be up', async () =>
      (await bench.redis.client.cluster('INFO')).includes('cluster_state:ok'),
    )
    const { store, usageLoader } = bench
    const first = await begin(bench)
    await store.settle(first.hold, { tokens: 0 })
    await begin(bench)
    const { attemptId, atMs } = first
    await store.countReceipts([
      usageLoader.appendReceipt({ tenantId, attemptId, nanos: 20, tokens: 0, atMs, scopes }),
    ])
    expect(await store.readReservedNanos(tenantId, user)).toBe(30)
    await store.forgetTenant(tenantId)
    expect(await store.readReservedNanos(tenantId, user)).toBe(30)
  })
})
