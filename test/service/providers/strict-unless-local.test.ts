import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../../harness/providers/upstream.js'
import { createEndpoint } from '../../harness/reporting/webhooks.js'
import { createTestDatabase } from '../../harness/service/database.js'
import { startTestService } from '../../harness/service/service.js'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function receive(status: number): Promise<Upstream> {
  const receiver = await startUpstream((_, response) => void response.writeHead(status).end())
  closing.push(receiver.close)
  return receiver
}

async function closedPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}`
}

test('a service that listens beyond loopback is no port scanner of its own machine, and has no mock provider', async () => {
  const database = await createTestDatabase()
  closing.push(database.drop)
  const [open, missing] = [await receive(204), await receive(404)]
  const trial = await startTestService({ database })
  const urls = [open.url, missing.url, await closedPort()]
  const made = []
  for (const url of urls) made.push(await createEndpoint(trial.api, { url, type: 'chat' }))
  const { managerKey } = trial
  await trial.stop()

  const strict = await startTestService({ database, managerKey, env: { TALLYSTICK_HOST: '0.0.0.0' } })
  closing.push(strict.stop)
  const answers = []
  for (const { id } of made) answers.push((await strict.api.post(`/v1/webhook-endpoints/${id}/test`)).body)
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(answers[0]).toEqual({ delivered: false, error: 'The URL is refused: it must be an https URL' })
  expect([...open.seen, ...missing.seen]).toEqual([])

  for (const url of [open.url, open.url.replace('http:', 'https:')]) {
    const refused = await strict.api.post('/v1/policies', { name: url, kind: 'http', config: { url } })
    expect(refused).toMatchObject({ status: 400, body: { error: { type: 'invalid_webhook_url' } } })
  }
  const call = { model: 'mock/echo', messages: [{ role: 'user', content: 'Hi' }] }
  expect((await strict.api.post('/v1/chat/completions', call)).body.error.type).toBe('model_not_found')
})

test('ranges that the operator names are reached all the same, by plain HTTP too', async () => {
  const receiver = await receive(204)
  const service = await startTestService({
    env: { TALLYSTICK_HOST: '0.0.0.0', TALLYSTICK_ALLOW_PRIVATE_TARGETS: '127.0.0.1/32' },
  })
  closing.push(service.stop)
  const { id } = await createEndpoint(service.api, { url: receiver.url })
  expect((await service.api.post(`/v1/webhook-endpoints/${id}/test`)).body).toEqual({
    delivered: true,
    error: null,
  })
  expect(receiver.seen).toHaveLength(1)
  const other = receiver.url.replace('127.0.0.1', '127.0.0.2')
  const refused = await service.api.post('/v1/webhook-endpoints', {
    name: 'x',
    type: 'chat',
    events: ['policy.violation'],
    url: other,
  })
  expect(refused.body.error.message).toContain('must be an https URL')
})
