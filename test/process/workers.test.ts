import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServiceProcess } from '../harness/processes/process.js'
import { listCommandLines } from '../harness/processes/process-list.js'
import { hasRedis, type RedisServer, startRedis } from '../harness/processes/redis.js'
import { waitFor } from '../harness/run/wait.js'
import { createApi } from '../harness/service/api.js'
import { createTestDatabase, type TestDatabase } from '../harness/service/database.js'
import { chatCall } from '../harness/service/traffic.js'

const key = 'tallystick_sk_0123456789abcdefghijKLMNOPQRSTUVWXYZ'

// The supervisor counts limits, unless Redis does.
describe.each(hasRedis ? ['the supervisor', 'Redis'] : ['the supervisor'])('with limits in %s', (place) => {
  let database: TestDatabase
  let redis: RedisServer | null = null
  let dataDir: string

  beforeAll(async () => {
    database = await createTestDatabase()
    dataDir = await mkdtemp(join(tmpdir(), 'tallystick-workers-'))
    if (place === 'Redis') redis = await startRedis()
  })
  afterAll(async () => {
    await redis?.close()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  })

  const start = (env: Record<string, string> = {}) =>
    startServiceProcess(
      {
        DATABASE_URL: database.url,
        ...(redis && { REDIS_URL: redis.url }),
        TALLYSTICK_DATA_DIR: dataDir,
        TALLYSTICK_BOOTSTRAP_KEY: key,
        ...env,
      },
      ['--workers', '2'],
    )

  test('workers count as one, answer for each other, are replaced when they hang, and stop together', async () => {
    const service = await start({ TALLYSTICK_WORKER_SILENCE_MS: '30000' })
    // Each request on a connection of its own: those that are kept stay with one worker, also while it is stopped.
    const apart = { connection: 'close' }
    const api = createApi(service.address, key, apart)
    expect(await database.query('select from processes')).toHaveLength(2)
    const { body: limited } = await api.post('/v1/keys', { name: 'limited', rpmLimit: 10 })
    const call = () =>
      createApi(service.address, limited.key, apart).post('/v1/chat/completions', {
        ...chatCall(false),
        model: 'mock/echo',
      })
    const statuses = (await Promise.all(Array.from({ length: 30 }, call))).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(20)
    const hasAll = (page: string) =>
      /tallystick_calls_total\{[^}]*outcome="ok"[^}]*\} 10\n/.test(page) &&
      /tallystick_rate_limited_total\{[^}]*\} 20\n/.test(page)
    // Whichever of them is asked. One that does not answer the other within three seconds is left out for once.
    for (let i = 0; i < 4; i++)
      await waitFor('the figures of both', async () => hasAll((await api.get('/metrics')).body))

    const [killed = 0] = await service.workers()
    // One that is stuck keeps the page from nobody, and what it had counted stays on it. Of several requests at once some reach the
    // other worker.
    process.kill(killed, 'SIGSTOP')
    const any = <T>(send: () => Promise<T>) => Promise.any(Array.from({ length: 4 }, send))
    await any(() => api.post('/v1/chat/completions', { ...chatCall(false), model: 'nobody/knows' }))
    await waitFor('a page without its answer', async () => {
      const { body } = await any(() => api.get('/metrics'))
      return (
        body.includes('type="model_not_found"') && /tallystick_rate_limited_total\{[^}]*\} 20\n/.test(body)
      )
    })
    // The other one answers for both.
    await waitFor('the probe to say so', async () => {
      const { status, body } = await any(() => api.get('/readyz'))
      return status === 200 && body.checks.workers.cause === 'worker_silent' && body.status === 'degraded'
    })
    // Nobody else ends it: it was silent for too long.
    await waitFor('another worker', async () => {
      const now = await service.workers()
      return now.length === 2 && !now.includes(killed)
    })
    await waitFor('both to serve', async () => (await api.get('/readyz')).body.status === 'ready')
    expect((await api.get('/v1/keys')).status).toBe(200)
    // What it had counted stays counted: a sum that falls looks like a restart of all.
    const { body: after } = await api.get('/metrics')
    expect(after).toMatch(/tallystick_calls_total\{[^}]*outcome="ok"[^}]*\} 10\n/)
    expect(after).toMatch(/tallystick_rate_limited_total\{[^}]*\} 20\n/)
    if (redis)
      await waitFor('Redis to be seen', async () =>
        (await api.get('/metrics')).body.includes('tallystick_redis_up 1\n'),
      )

    expect(await service.end('SIGTERM')).toBe(0)
    expect(service.output()).toMatch(/did not respond for 30 s and is killed[\s\S]*and is replaced/)
    await expect(fetch(`${service.address}/healthz`)).rejects.toThrow()
  })

  test('none of its processes ever has a secret in its command line', async () => {
    const secrets = {
      TALLYSTICK_MASTER_KEY: randomBytes(32).toString('base64'),
      OPENAI_API_KEY: `sk-${randomBytes(16).toString('hex')}`,
    }
    const seen = new Set<string>()
    const look = () => {
      for (const line of listCommandLines()) seen.add(line)
    }
    const looking = setInterval(look, 10)
    const service = await start({ ...secrets, TALLYSTICK_DATA_DIR: join(dataDir, 'apart') })
    clearInterval(looking)
    look()
    await service.end('SIGTERM')
    expect([...seen].some((line) => line.includes('serve --workers 2'))).toBe(true)
    const hidden = [key, database.url, ...(redis ? [redis.url] : []), ...Object.values(secrets)]
    expect([...seen].filter((line) => hidden.some((secret) => line.includes(secret)))).toEqual([])
  })
})
