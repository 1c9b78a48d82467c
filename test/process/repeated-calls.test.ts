import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, test as anyTest, beforeAll, expect } from 'vitest'
import { startServiceProcess } from '../harness/processes/process.js'
import { hasRedis, startRedis } from '../harness/processes/redis.js'
import { startReplicas } from '../harness/processes/replicas.js'
import { startUpstream, type Upstream } from '../harness/providers/upstream.js'
import { verifyRecord } from '../harness/record/record.js'
import { waitFor } from '../harness/run/wait.js'
import { createTestDatabase } from '../harness/service/database.js'
import { makeGate } from '../harness/service/gateway.js'
import { answerChat, chatCall } from '../harness/service/traffic.js'

const managerKey = 'tallystick_sk_0123456789abcdefghijKLMNOPQRSTUVWXYZ'

let upstream: Upstream

beforeAll(async () => {
  upstream = await startUpstream(answerChat)
})
afterAll(() => upstream.close())

const send = (address: string, idempotencyKey: string, body: object = chatCall(false), key = managerKey) =>
  fetch(`${address}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
    },
    body: JSON.stringify(body),
  })

const providers = () => ({ OPENAI_API_KEY: 'sk-upstream', OPENAI_BASE_URL: `${upstream.url}/v1` })

anyTest.skipIf(!hasRedis)('50 twins at two replicas make one call, and all get its bytes', async () => {
  const replicas = await startReplicas(providers(), providers())
  const gate = makeGate()
  upstream.seen.length = 0
  upstream.answerWith(async (request, response) => {
    await gate.passed
    answerChat(request, response)
  })
  const { one, other } = replicas
  const twins = Array.from({ length: 50 }, async (_, number) => {
    const { address } = number % 2 === 0 ? one : other
    const response = await send(address, 'twins', chatCall(true), one.managerKey)
    return { status: response.status, text: await response.text() }
  })
  await waitFor('the call at the provider', () => upstream.seen.length > 0)
  gate.open()
  const answers = await Promise.all(twins)
  expect(upstream.seen).toHaveLength(1)
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(answers[0]).toMatchObject({ status: 200, text: expect.stringContaining('[DONE]') })
  const { fault, receipts } = await verifyRecord(replicas.database)
  expect(fault).toBeNull()
  expect(receipts).toHaveLength(1)
  await replicas.stop()
})

anyTest('a call in the middle of which the process dies is not made again under its key', async () => {
  const database = await createTestDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'tallystick-repeated-'))
  const start = () =>
    startServiceProcess({
      DATABASE_URL: database.url,
      TALLYSTICK_DATA_DIR: dataDir,
      TALLYSTICK_BOOTSTRAP_KEY: managerKey,
      ...providers(),
    })
  upstream.seen.length = 0
  upstream.answerWith(() => undefined)
  let service = await start()
  const call = expect(send(service.address, 'dies')).rejects.toThrow()
  await waitFor('the call at the provider', () => upstream.seen.length === 1)
  await service.end('SIGKILL')
  await call

  upstream.answerWith(answerChat)
  service = await start()
  const again = await send(service.address, 'dies')
  expect(again.status).toBe(409)
  expect(await again.json()).toMatchObject({ error: { message: expect.stringContaining('interrupted') } })
  expect(upstream.seen).toHaveLength(1)
  expect((await send(service.address, 'another key')).status).toBe(200)

  const { fault, receipts } = await verifyRecord(database)
  expect(fault).toBeNull()
  expect(receipts.map(({ outcome }) => outcome)).toEqual(['interrupted', 'ok'])
  await service.end('SIGKILL')
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

anyTest.skipIf(!hasRedis)('a twin at another replica is told when the process that calls dies', async () => {
  const database = await createTestDatabase()
  const redis = await startRedis()
  const dataDir = await mkdtemp(join(tmpdir(), 'tallystick-repeated-'))
  const start = () =>
    startServiceProcess({
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      TALLYSTICK_DATA_DIR: dataDir,
      TALLYSTICK_BOOTSTRAP_KEY: managerKey,
      ...providers(),
    })
  upstream.seen.length = 0
  upstream.answerWith(() => undefined)
  const one = await start()
  const other = await start()
  const call = expect(send(one.address, 'dies alone')).rejects.toThrow()
  await waitFor('the call at the provider', () => upstream.seen.length === 1)
  const twin = send(other.address, 'dies alone')
  await one.end('SIGKILL')
  await call
  const told = await twin
  expect(told.status).toBe(409)
  expect(await told.json()).toMatchObject({ error: { message: expect.stringContaining('interrupted') } })
  expect(upstream.seen).toHaveLength(1)
  await other.end('SIGKILL')
  await redis.close()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})
