import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { masterKey } from '../harness/processes/master-key.js'
import { type RedisServer, startRedis } from '../harness/processes/redis.js'
import { waitFor } from '../harness/run/wait.js'
import { type Api, createApi } from '../harness/service/api.js'
import { readHostsTls } from '../harness/tls/files.js'
import { Callers } from './callers.js'
import { type PostgresServer, startPostgres } from './postgres.js'
import { startProvider } from './provider.js'
import { Replicas } from './replicas.js'

const managerKey = `tallystick_sk_${'c'.repeat(40)}`

/** Real parts on loopback: Postgres, Redis, a provider, replicas of the built program behind a balancer, and callers. */
export interface Deployment {
  postgres: PostgresServer
  redis: RedisServer
  provider: Awaited<ReturnType<typeof startProvider>>
  replicas: Replicas
  callers: Callers
  /** The key that callers have. */
  key: string
  /** A manager, at whichever replica runs. */
  api: Api
  /** The settings that all replicas have. */
  env: Record<string, string>
  /** For files of faults. */
  folder: string
  /** A call that a list of models blocks. */
  blockedCall(): Promise<unknown>
  /** Resolves when the fault has lasted long enough. */
  lasts(): Promise<void>
  /** Resolves once every replica answers. */
  recovered(): Promise<void>
  close(): Promise<void>
}

export interface DeploymentOptions {
  replicas: number
  callers: number
  /** How long a fault lasts that lasts. */
  lasts(replicas: Replicas): Promise<void>
}

export async function openDeployment(options: DeploymentOptions): Promise<Deployment> {
  const closing: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const each of closing.splice(0).toReversed()) await each()
  }
  try {
    const folder = await mkdtemp(join(tmpdir(), 'tallystick-chaos-'))
    closing.push(() => rm(folder, { recursive: true, force: true }))
    const postgres = await startPostgres()
    closing.push(postgres.close)
    const redis = await startRedis()
    closing.push(redis.close)
    const provider = await startProvider()
    closing.push(provider.close)
    const untrusted = createServer(readHostsTls()).listen(0, '127.0.0.1')
    await once(untrusted, 'listening')
    closing.push(async () => untrusted.close())
    const env = {
      DATABASE_URL: postgres.url,
      REDIS_URL: redis.url,
      TALLYSTICK_BOOTSTRAP_KEY: managerKey,
      TALLYSTICK_MASTER_KEY: masterKey,
      OPENAI_API_KEY: 'sk-upstream',
      OPENAI_BASE_URL: `${provider.url}/v1`,
      TALLYSTICK_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
      TALLYSTICK_CLIENT_STALL_MS: '3000',
      // The balancer asks four times a second.
      TALLYSTICK_DRAIN_MS: '2000',
      TALLYSTICK_LOG_LEVEL: 'error',
    }
    const replicas = new Replicas(env)
    closing.push(() => replicas.close())
    await replicas.start(options.replicas)
    const api = createApi(replicas.addresses()[0] ?? '', managerKey)
    const key = await makeKey(api, { name: 'chaos', rpmLimit: 1_000_000, tpmLimit: 1_000_000_000 })
    await made(
      api.post('/v1/budgets', {
        ...{ name: 'chaos', scope: { type: 'tenant' }, amountUsd: 1_000_000, period: 'monthly' },
      }),
    )
    const blockedKey = await makeKey(api, { name: 'blocked', allowedModels: ['openai/gpt-4o'] })
    for (const [name, baseUrl] of [
      ['untrusted', `https://127.0.0.1:${(untrusted.address() as AddressInfo).port}`],
      ['nowhere', 'https://provider.invalid'],
    ])
      await made(
        api.post('/v1/providers', {
          ...{ name, type: 'openai', baseUrl: `${baseUrl}/v1`, pricesOf: 'openai' },
          credentials: [{ name: 'a', value: 'sk-upstream' }],
        }),
      )
    const callers = new Callers(replicas, key, options.callers)
    closing.push(() => callers.stop())
    await waitFor('calls', () => callers.count > 10)
    return {
      ...{ postgres, redis, provider, replicas, callers, key, env, folder, close },
      get api() {
        return createApi(replicas.address() ?? '', managerKey)
      },
      blockedCall: () => call(replicas.address() ?? '', blockedKey),
      lasts: () => options.lasts(replicas),
      async recovered() {
        for (const address of replicas.addresses())
          await waitFor(`${address} to answer`, async () => (await call(address, key)) === 200, 120_000)
        const before = callers.count
        await waitFor('callers to be answered', () => callers.count > before + 5, 120_000)
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function made(answer: Promise<{ status: number; body: Record<string, unknown> }>) {
  const { status, body } = await answer
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body
}

async function makeKey(api: Api, fields: object): Promise<string> {
  const body = await made(api.post('/v1/keys', fields))
  return String(body.value ?? body.key)
}

/** Null when there was no answer. */
async function call(address: string, key: string): Promise<number | null> {
  const answer = createApi(address, key).post('/v1/chat/completions', {
    ...{ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'ready?' }], max_tokens: 5 },
  })
  return await answer.then(
    ({ status }) => status,
    () => null,
  )
}
