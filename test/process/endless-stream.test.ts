import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ServiceProcess, startServiceProcess } from '../harness/processes/process.js'
import { createTestDatabase, type TestDatabase } from '../harness/service/database.js'

const key = 'tallystick_sk_0123456789abcdefghijKLMNOPQRSTUVWXYZ'
const mebibyte = 1024 * 1024
// More than twice the heap that the process has.
const streamedBytes = 300 * mebibyte

let database: TestDatabase
let service: ServiceProcess
const others: ServerResponse[] = []

const eventOf = (content: string) =>
  Buffer.from(
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`,
  )
const piece = eventOf('word '.repeat(3_000))
const provider = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (!Buffer.concat(chunks).includes('endless')) {
      response.write(eventOf('first'))
      others.push(response)
      return
    }
    const write = () => {
      while (!response.destroyed && response.write(piece));
    }
    response.on('drain', write)
    write()
  })
})

beforeAll(async () => {
  provider.listen(0, '127.0.0.1')
  await once(provider, 'listening')
  database = await createTestDatabase()
  service = await startServiceProcess({
    DATABASE_URL: database.url,
    TALLYSTICK_BOOTSTRAP_KEY: key,
    OPENAI_API_KEY: 'sk-upstream',
    OPENAI_BASE_URL: `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`,
    NODE_OPTIONS: '--max-old-space-size=128',
  })
})
afterAll(async () => {
  await service.end('SIGKILL')
  provider.closeAllConnections()
  provider.close()
  await database.drop()
})

const ask = (content: string) =>
  fetch(`${service.address}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ model: 'gpt-4o', stream: true, max_tokens: 100 },
      messages: [{ role: 'user', content }],
    }),
  })

test('a stream of more than the heap can hold goes by, and another one goes on meanwhile', async () => {
  const other = await ask('hi')
  const endless = await ask('endless')
  const reader = endless.body?.getReader()
  let read = 0
  let said = 0
  while (read < streamedBytes) {
    // A stream that says nothing for two minutes is ended.
    if (read >= said * 10 * mebibyte) {
      said++
      for (const response of others) response.write(eventOf('more'))
    }
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
    if (done) break
    read += value?.length ?? 0
  }
  expect(read).toBeGreaterThanOrEqual(streamedBytes)
  await reader?.cancel()
  for (const response of others) response.end('data: [DONE]\n\n')
  expect(await other.text()).toMatch(/first[\s\S]*\[DONE\]/)
})
