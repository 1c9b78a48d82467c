import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ServiceProcess, startServiceProcess } from '../harness/processes/process.js'
import {
  bytesOf,
  type HostileBody,
  heavyBodies,
  hostileBodies,
  overfullBodies,
} from '../harness/providers/hostile-bodies.js'
import { shuffled } from '../harness/run/seed.js'
import { isSoak } from '../harness/run/soak.js'
import { createTestDatabase, type TestDatabase } from '../harness/service/database.js'

const key = 'tallystick_sk_0123456789abcdefghijKLMNOPQRSTUVWXYZ'

let database: TestDatabase
let service: ServiceProcess

beforeAll(async () => {
  database = await createTestDatabase()
  service = await startServiceProcess({ DATABASE_URL: database.url, TALLYSTICK_BOOTSTRAP_KEY: key })
})
afterAll(async () => {
  await service.end('SIGKILL')
  await database.drop()
})

interface Answered {
  status: number
  text: string
}

/** With the length in front, or in chunks of unknown length. */
function post({ path }: Pick<HostileBody, 'path'>, bytes: Buffer, announced: boolean): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const length = announced ? { 'content-length': bytes.length } : {}
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...length }
    const sent = request(
      `${service.address}${path}`,
      { method: 'POST', agent: false, headers },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
        )
      },
    )
    sent.on('error', reject)
    sent.end(bytes)
  })
}

async function manage(path: string, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const response = await fetch(`${service.address}${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  expect(response.status, await response.text()).toBe(201)
}

/** Asks for the health of the service, again and again, one request after the other. */
function watchHealth() {
  let stopped = false
  let answers = 0
  const over = (async () => {
    while (!stopped) {
      const response = await fetch(`${service.address}/healthz`)
      await response.arrayBuffer()
      expect(response.status).toBe(200)
      answers += 1
    }
  })()
  return async () => {
    stopped = true
    await over
    return answers
  }
}

const refusals = new Set([400, 413, 429])

/** What a call can never have is refused. Long texts may pass, or take a policy too long on a slow machine, which blocks. */
function expectAnswer({ name }: HostileBody, { status, text }: Answered): void {
  const isOverfull = overfullBodies.some((each) => each.name === name)
  const isFine = refusals.has(status) || (!isOverfull && (status === 200 || status === 403))
  expect(isFine, `${name}: ${status} ${text.slice(0, 200)}`).toBe(true)
  if (status !== 200) expect(JSON.parse(text).error.message.length).toBeGreaterThan(20)
}

/** Half of them, another one in each run; all of them in `npm run soak`. */
const chosenBodies = shuffled(hostileBodies).slice(
  0,
  isSoak ? hostileBodies.length : hostileBodies.length / 2,
)

/** A part of what takes a policy a while: the test need not wait for all of it. */
const bytesFor = (each: HostileBody) => bytesOf(each, heavyBodies.includes(each) ? 1 / 16 : 1)

test('bodies that were made to stall the service are answered, and so is everyone else', async () => {
  await manage('/v1/budgets', { name: 'Budget', scope: { type: 'tenant' }, amountUsd: 1_000 })
  const policies = [
    { kind: 'pii', config: { entities: ['email', 'credit_card'] }, action: 'redact' },
    { kind: 'secrets', config: {}, action: 'block' },
    { kind: 'keywords', config: { words: ['nightfall seven'] }, action: 'block' },
    { kind: 'pattern', config: { patterns: [{ name: 'badge', regex: 'EMP-[0-9]{6}' }] }, action: 'block' },
  ]
  for (const policy of policies) await manage('/v1/policies', { name: policy.kind, phase: 'both', ...policy })

  const stop = watchHealth()
  const waiting = [...chosenBodies]
  const take = async (announced: boolean) => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      expectAnswer(next, await post(next, bytesFor(next), announced))
  }
  await Promise.all([take(true), take(true), take(false), take(false)])
  // A number of answers, not a time: how long a body may keep others waiting is measured by `npm run bench:hostile`.
  expect(await stop()).toBeGreaterThan(chosenBodies.length)

  // All of them at once: what does not fit is told to come again.
  const stopAgain = watchHealth()
  const together = await Promise.all(hostileBodies.map((each, n) => post(each, bytesFor(each), n % 2 === 0)))
  await stopAgain()
  for (const [n, each] of hostileBodies.entries()) expectAnswer(each, together[n] ?? { status: 0, text: '' })
  expect(together.filter(({ status }) => status === 429).length).toBeGreaterThan(0)

  const ordinary = Buffer.from('{"model":"mock/echo","messages":[{"role":"user","content":"still here"}]}')
  const last = await post({ path: '/v1/chat/completions' }, ordinary, true)
  expect(last.status, last.text).toBe(200)
})

/** A body in chunks of one byte each: six bytes on the wire. */
async function postByteByByte(address: string, path: string, bytes: number): Promise<string> {
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  const closed = once(socket, 'close').catch(() => undefined)
  socket.on('error', () => undefined)
  const headers = [
    `POST ${path} HTTP/1.1`,
    'host: here',
    'connection: close',
    `authorization: Bearer ${key}`,
    'content-type: application/json',
    'transfer-encoding: chunked',
  ]
  socket.write(`${headers.join('\r\n')}\r\n\r\n`)
  const unit = '1\r\na\r\n'.repeat(32 * 1024)
  for (let sent = 0; sent < bytes && !socket.destroyed; sent += 32 * 1024)
    if (!socket.write(unit)) await Promise.race([once(socket, 'drain').catch(() => undefined), closed])
  socket.write('0\r\n\r\n')
  await closed
  return answer.split('\r\n')[0] ?? ''
}

test.each([
  ['/v1/chat/completions', 1, 1024 * 1024],
  ['/v1/budgets', 4, 200 * 1024],
])('bodies for %s in chunks of one byte take no more memory than others', async (path, count, bytes) => {
  const own = await createTestDatabase()
  const small = await startServiceProcess({
    DATABASE_URL: own.url,
    TALLYSTICK_BOOTSTRAP_KEY: key,
    NODE_OPTIONS: '--max-old-space-size=192',
  })
  const answers = Array.from({ length: count }, () => postByteByByte(small.address, path, bytes))
  expect(new Set(await Promise.all(answers)), small.output()).toEqual(new Set(['HTTP/1.1 400 Bad Request']))
  expect((await fetch(`${small.address}/healthz`)).status).toBe(200)
  await small.end('SIGKILL')
  await own.drop()
})
