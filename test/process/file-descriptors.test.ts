import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../harness/database.js'
import { type ServiceProcess, startServiceProcess } from '../harness/process.js'
import { verifyRecord } from '../harness/record.js'
import { answerChat, chatCall } from '../harness/traffic.js'
import { startUpstream, type Upstream } from '../harness/upstream.js'
import { waitFor } from '../harness/wait.js'

const key = 'tallystick_sk_0123456789abcdefghijKLMNOPQRSTUVWXYZ'
const maxOpenFiles = 200

let upstream: Upstream
let database: TestDatabase
let service: ServiceProcess

// Opened before there are too many others.
const kept = new Agent({ keepAlive: true, maxSockets: 1 })

beforeAll(async () => {
  upstream = await startUpstream((seen, response) => {
    // So that each call needs a descriptor of its own.
    response.setHeader('connection', 'close')
    answerChat(seen, response)
  })
  database = await createTestDatabase()
  service = await startServiceProcess(
    {
      DATABASE_URL: database.url,
      TALLYSTICK_BOOTSTRAP_KEY: key,
      OPENAI_API_KEY: 'sk-upstream',
      OPENAI_BASE_URL: `${upstream.url}/v1`,
    },
    [],
    undefined,
    maxOpenFiles,
  )
})
afterAll(async () => {
  kept.destroy()
  await service.end('SIGKILL')
  await upstream.close()
  await database.drop()
})

async function call(agent: Agent) {
  const sent = request(`${service.address}/v1/chat/completions`, {
    ...{ agent, method: 'POST' },
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  })
  sent.end(JSON.stringify(chatCall(false)))
  const [response] = await once(sent, 'response')
  const id = String(response.headers['x-tallystick-request-id'])
  return { status: response.statusCode, id, body: await text(response) }
}

/** Takes every descriptor that is free, now and later. */
function takeDescriptors() {
  const opened = new Set<Socket>()
  let turnedAway = 0
  let taking = true
  const open = () => {
    const socket = connect(Number(new URL(service.address).port), '127.0.0.1').resume()
    opened.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      opened.delete(socket)
      turnedAway++
      if (taking) setTimeout(open, 100)
    })
  }
  for (let count = 0; count < maxOpenFiles; count++) open()
  return {
    turnedAway: () => turnedAway,
    letGo() {
      taking = false
      for (const socket of opened) socket.destroy()
    },
  }
}

test('a process without file descriptors says so, to its operator and to callers, and serves again once it has some', async () => {
  const calls = [await call(kept)]
  expect(calls[0]?.status).toBe(200)

  const taken = takeDescriptors()
  onTestFinished(taken.letGo)
  await waitFor('connections to be turned away', () => taken.turnedAway() > 0)
  const words = `no file descriptors left of the ${maxOpenFiles} that it may have (EMFILE): raise its limit of open files (ulimit -n`
  await waitFor('the warning', () => service.output().includes(words))
  const refused = await waitFor('a call that cannot be sent', async () => {
    const answer = await call(kept)
    calls.push(answer)
    return answer.body.includes('Provider openai could not be called') && answer
  })
  expect(refused.status).toBe(503)
  expect(refused.body).toContain(words)

  taken.letGo()
  await waitFor('calls on new connections to be answered', async () => {
    const answer = await call(new Agent()).catch(() => null)
    if (answer) calls.push(answer)
    return answer?.status === 200
  })
  expect(await service.end('SIGTERM')).toBe(0)
  const { fault, receipts } = await verifyRecord(database)
  expect(fault).toBeNull()
  const recorded = receipts.map(({ id, status }) => ({ id, status }))
  expect(recorded).toEqual(expect.arrayContaining(calls.map(({ id, status }) => ({ id, status }))))
})
