import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { startOfficialMcpServer } from '../harness/mcp/mcp-server.js'
import { masterKey } from '../harness/processes/master-key.js'
import { type ServiceProcess, startServiceProcess } from '../harness/processes/process.js'
import { startRedis } from '../harness/processes/redis.js'
import { verifyRecord } from '../harness/record/record.js'
import { random } from '../harness/run/seed.js'
import { waitFor } from '../harness/run/wait.js'
import { createApi } from '../harness/service/api.js'
import { createTestDatabase } from '../harness/service/database.js'

const managerKey = `tallystick_sk_${'m'.repeat(40)}`
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const priceNanos = 1_000_000
const paidCalls = 400
const kills = 3

/** One call by raw HTTP. Resolves with the text of the answer; null where there was none. */
async function callTool(address: string, key: string, n: number): Promise<string | null> {
  try {
    const response = await fetch(`${address}/mcp/counter`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-06-18',
        'x-tallystick-session': `call-${n}`,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: n,
        method: 'tools/call',
        params: { name: 'count', arguments: { n } },
      }),
    })
    return await response.text()
  } catch {
    return null
  }
}

test(`two replicas, ${kills} kills in the middle: one receipt for each call that the server saw, and no budget is passed`, async () => {
  const seen: number[] = []
  const server = await startOfficialMcpServer({
    era: 'modern',
    build(mcp) {
      mcp.registerTool(
        'count',
        { description: 'Counts', inputSchema: z.object({ n: z.number() }) },
        async ({ n }) => {
          seen.push(n)
          await new Promise((resolve) => setTimeout(resolve, random() * 60))
          return { content: [{ type: 'text', text: `counted ${n}` }] }
        },
      )
    },
  })
  closing.push(server.close)
  const database = await createTestDatabase()
  closing.push(database.drop)
  const redis = await startRedis()
  closing.push(redis.close)
  const start = async (): Promise<ServiceProcess> => {
    const dataDir = await mkdtemp(join(tmpdir(), 'tallystick-mcp-'))
    const replica = await startServiceProcess({
      ...{ DATABASE_URL: database.url, REDIS_URL: redis.url, TALLYSTICK_DATA_DIR: dataDir },
      ...{ TALLYSTICK_BOOTSTRAP_KEY: managerKey, TALLYSTICK_MASTER_KEY: masterKey },
    })
    closing.push(() => rm(dataDir, { recursive: true, force: true }))
    closing.push(() => replica.end('SIGKILL'))
    return replica
  }
  const replicas = [await start()]
  replicas.push(await start())
  const [first] = replicas
  const api = createApi(first?.address ?? '', managerKey)
  const settings = { name: 'counter', url: server.url, open: true, pricePerCallUsd: priceNanos / 1e9 }
  const { id } = (await api.post('/v1/mcp-servers', settings)).body
  expect((await api.post(`/v1/mcp-servers/${id}/refresh`)).body.status).toBe('ok')
  expect((await api.post(`/v1/mcp-servers/${id}/tools/count/approve`)).status).toBe(200)
  const caller = (await api.post('/v1/keys', { name: 'caller' })).body
  const amountUsd = (paidCalls * priceNanos) / 1e9
  const scope = { type: 'key', id: caller.id }
  expect((await api.post('/v1/budgets', { name: 'all', amountUsd, scope })).status).toBe(201)

  let next = 0
  let isOver = false
  // Open but while a replica starts, which may take long: the budget would be spent before the next kill.
  let gate = Promise.resolve()
  const answered = new Set<number>()
  async function callAgainAndAgain(at: number): Promise<void> {
    while (!isOver) {
      await gate
      const n = next++
      const address = replicas[at % 2]?.address ?? ''
      const answer = await callTool(address, caller.key, n)
      if (answer?.includes(`counted ${n}`)) answered.add(n)
      if (answer === null) await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  const callers = Array.from({ length: 8 }, (_, at) => callAgainAndAgain(at))
  for (let kill = 0; kill < kills; kill++) {
    const target = seen.length + 20 + Math.floor(random() * 20)
    await waitFor('the server sees more calls', async () => seen.length > target)
    await replicas[kill % 2]?.end('SIGKILL')
    const started = start()
    gate = started.then(() => undefined)
    replicas[kill % 2] = await started
  }
  // The budget is spent, by receipts or by what the dead had reserved.
  const isBlocked = async () =>
    (await database.query(`select from receipts where canonical::json ->> 'outcome' = 'blocked' limit 1`))
      .length > 0
  await waitFor('the budget is spent', async () => next > paidCalls + 200 && (await isBlocked()))
  isOver = true
  await Promise.all(callers)
  await waitFor('calls that the dead left are recorded', async () => {
    const [row] = await database.query<{ open: number }>('select count(*)::int as open from open_calls')
    return row?.open === 0
  })

  const { fault, entries } = await verifyRecord(database)
  expect(fault).toBeNull()
  const ofTools = entries.filter(({ kind }) => kind === 'tool')
  const sessions = ofTools.map(({ session }) => session)
  expect(new Set(sessions).size).toBe(sessions.length)
  const recorded = new Map(ofTools.map((entry) => [entry.session, entry]))
  expect(new Set(seen).size).toBe(seen.length)
  expect(seen.filter((n) => !recorded.has(`call-${n}`))).toEqual([])
  for (const n of seen) expect(recorded.get(`call-${n}`)?.costNanos).toBe(priceNanos)
  for (const n of answered) expect(recorded.get(`call-${n}`)?.outcome).toBe('ok')
  expect(ofTools.some(({ outcome }) => outcome === 'interrupted')).toBe(true)
  expect(ofTools.some(({ outcome }) => outcome === 'blocked')).toBe(true)
  const spent = ofTools.reduce((sum, { costNanos = 0 }) => sum + costNanos, 0)
  expect(spent).toBeLessThanOrEqual(paidCalls * priceNanos)
  expect(seen.length).toBeLessThanOrEqual(paidCalls)
})
