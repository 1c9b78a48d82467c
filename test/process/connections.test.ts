import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type ServiceProcess, startServiceProcess } from '../harness/processes/process.js'
import { startUpstream, type Upstream } from '../harness/providers/upstream.js'
import { verifyRecord } from '../harness/record/record.js'
import { readMetrics } from '../harness/reporting/metrics.js'
import { waitFor } from '../harness/run/wait.js'
import { createTestDatabase, type TestDatabase } from '../harness/service/database.js'
import { answerChat, chatCall } from '../harness/service/traffic.js'

const key = 'tallystick_sk_0123456789abcdefghijKLMNOPQRSTUVWXYZ'

// More than Node lets wait by itself (511), fewer than Linux does unless it is told otherwise (4,096).
const burst = 1_500
const maxOpenFiles = 2_000
const smallBacklog = 16

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
})
afterAll(async () => {
  kept.destroy()
  await service.end('SIGKILL')
  await upstream.close()
  await database.drop()
})

async function start(env: Record<string, string> = {}): Promise<void> {
  service = await startServiceProcess(
    {
      DATABASE_URL: database.url,
      TALLYSTICK_BOOTSTRAP_KEY: key,
      OPENAI_API_KEY: 'sk-upstream',
      OPENAI_BASE_URL: `${upstream.url}/v1`,
      ...env,
    },
    [],
    undefined,
    maxOpenFiles,
  )
}

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

/** Connections that ask for something as soon as they are accepted by the system. */
function openConnections(count: number) {
  const seen = { connected: 0, answered: 0 }
  for (let opened = 0; opened < count; opened++) {
    const socket = connect(Number(new URL(service.address).port), '127.0.0.1')
    socket.on('error', () => undefined).on('connect', () => seen.connected++)
    socket.write('GET /healthz HTTP/1.1\r\nhost: test\r\n\r\n')
    socket.once('data', (answer) => {
      if (answer.includes('200 OK')) seen.answered++
      socket.destroy()
    })
    onTestFinished(() => void socket.destroy())
  }
  return seen
}

test('a burst of connections waits for a process that is busy, and all are answered', async () => {
  await start()
  process.kill(service.pid, 'SIGSTOP')
  const seen = openConnections(burst)
  await waitFor('all of them to be taken in', () => seen.connected === burst)
  expect(seen.answered).toBe(0)
  process.kill(service.pid, 'SIGCONT')
  await waitFor('answers', () => seen.answered === burst)
})

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

test('what the system turns away is counted and said', async () => {
  await start({ TALLYSTICK_LISTEN_BACKLOG: String(smallBacklog) })
  process.kill(service.pid, 'SIGSTOP')
  const seen = openConnections(4 * smallBacklog)
  await waitFor('as many as may wait', () => seen.connected >= smallBacklog)
  process.kill(service.pid, 'SIGCONT')
  // The system of the caller tries again.
  await waitFor('answers', () => seen.answered === 4 * smallBacklog)
  await waitFor('the warning', () => /turned away \d+ connections/.test(service.output()))
  const metrics = await readMetrics(service.address)
  expect(metrics.one('tallystick_connections_turned_away_total')).toBeGreaterThan(0)
})
