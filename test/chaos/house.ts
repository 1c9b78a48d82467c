import { setTimeout as pause } from 'node:timers/promises'
import { type RedisServer, startRedis } from '../harness/processes/redis.js'
import { verifyRecord } from '../harness/record/record.js'
import { waitFor } from '../harness/run/wait.js'
import { createApi } from '../harness/service/api.js'
import { Callers } from './callers.js'
import { type PostgresServer, startPostgres } from './postgres.js'
import { startProvider } from './provider.js'
import { Replicas } from './replicas.js'

const managerKey = `tallystick_sk_${'c'.repeat(40)}`

export interface House {
  postgres: PostgresServer
  redis: RedisServer
  provider: Awaited<ReturnType<typeof startProvider>>
  replicas: Replicas
  callers: Callers
  /** The key that callers have. */
  key: string
  /** How long a fault that lasts lasts. */
  lasts(): Promise<void>
  /** Resolves once every replica answers. */
  recovered(): Promise<void>
  /** What is wrong with the record, in words. Empty when nothing was lost. */
  audit(): Promise<string[]>
  close(): Promise<void>
}

export interface HouseOptions {
  replicas: number
  callers: number
  seconds: number
}

/** Real parts on loopback: Postgres, Redis, a provider, replicas of the built program, and callers. */
export async function openHouse(options: HouseOptions): Promise<House> {
  const closing: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const each of closing.splice(0).toReversed()) await each()
  }
  try {
    const postgres = await startPostgres()
    closing.push(postgres.close)
    const redis = await startRedis()
    closing.push(redis.close)
    const provider = await startProvider()
    closing.push(provider.close)
    const replicas = new Replicas({
      DATABASE_URL: postgres.url,
      REDIS_URL: redis.url,
      TALLYSTICK_BOOTSTRAP_KEY: managerKey,
      TALLYSTICK_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      OPENAI_API_KEY: 'sk-upstream',
      OPENAI_BASE_URL: `${provider.url}/v1`,
      TALLYSTICK_CLIENT_STALL_MS: '3000',
      // In a local trial there is none.
      TALLYSTICK_DRAIN_MS: '2000',
      TALLYSTICK_LOG_LEVEL: 'error',
    })
    closing.push(() => replicas.close())
    await replicas.start(options.replicas)
    const api = createApi(replicas.addresses()[0] ?? '', managerKey)
    const made = await api.post('/v1/keys', { name: 'chaos', rpmLimit: 1_000_000, tpmLimit: 1_000_000_000 })
    if (made.status !== 201) throw new Error(JSON.stringify(made.body))
    await api.post('/v1/budgets', {
      ...{ name: 'chaos', scope: { type: 'key', id: made.body.id }, limitUsd: 1_000_000, period: 'monthly' },
    })
    const key: string = made.body.value ?? made.body.key
    const callers = new Callers(replicas, key, options.callers)
    closing.push(() => callers.stop())
    await waitFor('calls', () => callers.count > 10)
    return {
      ...{ postgres, redis, provider, replicas, callers, key, close },
      lasts: () => pause(options.seconds * 1_000),
      async recovered() {
        for (const address of replicas.addresses())
          await waitFor(`${address} to answer`, () => answers(address, key), 120_000)
        const before = callers.count
        await waitFor('callers to be answered', () => callers.count > before + 5, 120_000)
      },
      audit: () => audit({ postgres, provider, callers }),
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function answers(address: string, key: string): Promise<boolean> {
  try {
    const { status } = await createApi(address, key).post('/v1/chat/completions', {
      ...{ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'ready?' }], max_tokens: 5 },
    })
    return status === 200
  } catch {
    return false
  }
}

/** Callers must have stopped. What replicas still hold in their spools is waited for. */
async function audit({ postgres, provider, callers }: Pick<House, 'postgres' | 'provider' | 'callers'>) {
  const faults: string[] = []
  const bySession = async () => {
    const rows = await postgres.query<{ session: string; count: number; ids: string[] }>(
      `select canonical::json ->> 'session' as session, count(*)::int as count, array_agg(request_id) as ids
       from receipts where canonical::json ->> 'session' is not null group by 1`,
    )
    return new Map(rows.map((row) => [row.session, row]))
  }
  const lacking = (recorded: Awaited<ReturnType<typeof bySession>>) =>
    [...provider.seen].filter(
      ([mark, times]) => mark.startsWith('call-') && (recorded.get(mark)?.count ?? 0) < times,
    )
  let recorded = await bySession()
  await waitFor(
    'every call that the provider saw to be recorded',
    async () => {
      recorded = await bySession()
      return lacking(recorded).length === 0
    },
    60_000,
  ).catch(() => undefined)
  for (const [mark, times] of lacking(recorded).slice(0, 5))
    faults.push(
      `${mark} reached the provider ${times} times and has ${recorded.get(mark)?.count ?? 0} receipts`,
    )
  const missing = [...callers.answered].filter(([mark, id]) => !recorded.get(mark)?.ids.includes(id))
  if (missing.length > 0)
    faults.push(`${missing.length} answered calls have no receipt, such as ${missing[0]?.[1]}`)
  const { fault, sealed, entries } = await verifyRecord({
    ...{ url: postgres.url, query: postgres.query, drop: async () => undefined },
  })
  if (fault !== null) faults.push(`the record does not verify: ${JSON.stringify(fault)}`)
  if (sealed !== entries.length) faults.push(`${entries.length - sealed} entries are not sealed`)
  const [sums] = await postgres.query<{ recorded: number; spent: number; counted: number }>(
    `select (select sum((canonical::json ->> 'costNanos')::bigint)::float8 from receipts) as recorded,
       (select sum(cost_nanos)::float8 from spend_days where scope_type = 'tenant') as spent,
       (select sum(cost_nanos)::float8 from usage_hours) as counted`,
  )
  if (sums?.spent !== sums?.recorded || sums?.counted !== sums?.recorded)
    faults.push(`the sums are not those of the record, in nano-dollars: ${JSON.stringify(sums)}`)
  return faults
}
