import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Pool } from 'undici'
import { afterAll, test as anyTest, beforeAll, expect } from 'vitest'
import { type ServiceProcess, startServiceProcess } from '../harness/processes/process.js'
import { hasRedis, type RedisServer, startRedis } from '../harness/processes/redis.js'
import { startUpstream, type Upstream } from '../harness/providers/upstream.js'
import { verifyRecord } from '../harness/record/record.js'
import { isSoak } from '../harness/run/soak.js'
import { waitFor } from '../harness/run/wait.js'
import { createTestDatabase, type TestDatabase } from '../harness/service/database.js'
import { answerChat, chatCall } from '../harness/service/traffic.js'

const test = anyTest.skipIf(!hasRedis)
const key = 'tallystick_sk_0123456789abcdefghijKLMNOPQRSTUVWXYZ'

let upstream: Upstream
let database: TestDatabase
let redis: RedisServer
let dataDir: string

beforeAll(async () => {
  upstream = await startUpstream(async (seen, response) => {
    await pause(20)
    answerChat(seen, response)
  })
  database = await createTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'tallystick-stops-'))
  if (hasRedis) redis = await startRedis()
})
afterAll(async () => {
  await upstream.close()
  await redis?.close()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

interface Replica {
  options: string[]
  process: ServiceProcess
  ready: boolean
}

async function startReplica(options: string[]): Promise<Replica> {
  const env = {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    TALLYSTICK_DATA_DIR: dataDir,
    TALLYSTICK_BOOTSTRAP_KEY: key,
    // Longer than a machine stands still: the balancer must have noticed by then.
    TALLYSTICK_DRAIN_MS: '15000',
    OPENAI_API_KEY: 'sk-upstream',
    OPENAI_BASE_URL: `${upstream.url}/v1`,
  }
  return { options, process: await startServiceProcess(env, options), ready: true }
}

const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
const path = '/v1/chat/completions'

/** Sends a call on connections that are kept, and resolves with its id. */
type Send = (address: string, body: string) => Promise<{ status: number; id: unknown; text: string }>

function undiciCaller(): Send {
  const pools = new Map<string, Pool>()
  return async (address, body) => {
    const pool = pools.get(address) ?? new Pool(address, { connections: 2 })
    pools.set(address, pool)
    const answer = await pool.request({ method: 'POST', path, headers, body })
    return {
      status: answer.statusCode,
      id: answer.headers['x-tallystick-request-id'],
      text: await answer.body.text(),
    }
  }
}

function agentCaller(): Send {
  const agent = new Agent({ keepAlive: true })
  return async (address, body) => {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      httpRequest(address + path, { method: 'POST', agent, headers }, resolve)
        .on('error', reject)
        .end(body)
    })
    let text = ''
    for await (const piece of answer) text += piece
    return { status: answer.statusCode ?? 0, id: answer.headers['x-tallystick-request-id'], text }
  }
}

test('a stop under load resets nobody: callers who follow /readyz see no failure, and each answer has its receipt', async () => {
  const replicas = [await startReplica([]), await startReplica(['--workers', '2'])]
  const answered: unknown[] = []
  const failures: string[] = []
  let running = true

  // As a balancer does: it asks each of them, and sends calls to those that are ready.
  const balancer = (async () => {
    while (running) {
      for (const replica of replicas) {
        const { status } = await fetch(`${replica.process.address}/readyz`).catch(() => ({ status: 0 }))
        replica.ready = status === 200
      }
      await pause(50)
    }
  })()
  const callers = [undiciCaller, undiciCaller, agentCaller, agentCaller, agentCaller].map(
    async (create, caller) => {
      const send = create()
      for (let call = caller; running; call++, await pause(30)) {
        const ready = replicas.filter((replica) => replica.ready)
        const address = ready[call % ready.length]?.process.address
        if (address === undefined) await pause(10)
        else
          await send(address, JSON.stringify(chatCall(call % 2 === 0))).then(
            ({ status, id, text }) => {
              if (status !== 200 || !/"total_tokens":10|data: \[DONE\]/.test(text))
                failures.push(`${status} ${text}`)
              else answered.push(id)
            },
            (error) => failures.push(`${error.code} ${error.message}`),
          )
      }
    },
  )

  for (let stop = 0; stop < (isSoak ? 20 : 3); stop++) {
    const replica = replicas[stop % 2]
    if (!replica) throw new Error('no replica')
    const before = answered.length
    await waitFor('calls', () => answered.length > before + 20)
    expect(await replica.process.end('SIGTERM')).toBe(0)
    expect(failures).toEqual([])
    if (stop < 2 || isSoak) Object.assign(replica, await startReplica(replica.options))
  }
  running = false
  await Promise.all([balancer, ...callers])
  await Promise.all(replicas.map((replica) => replica.process.end('SIGTERM')))

  expect(failures).toEqual([])
  const { fault, entries } = await verifyRecord(database)
  expect(fault).toBeNull()
  const recorded = new Set<unknown>(entries.map(({ id }) => id))
  expect(answered.filter((id) => !recorded.has(id))).toEqual([])
})
