import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../harness/gateway.js'
import { startEvents } from '../harness/upstream.js'
import { waitFor } from '../harness/wait.js'

const stallMs = 1_000

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({ env: { TALLYSTICK_CLIENT_STALL_MS: String(stallMs) } })
})
afterAll(() => gateway.stop())

const event = {
  choices: [{ index: 0, delta: { content: 'word '.repeat(4_000) }, finish_reason: null }],
}
const mebibyte = 1024 * 1024

/** A provider that writes as fast as it is read. */
function writeWithoutEnd(): { sent(): number; hasEnded(): boolean } {
  let sent = 0
  let hasEnded = false
  gateway.upstream.answerWith((_, response) => {
    startEvents(response)
    const bytes = Buffer.from(`data: ${JSON.stringify(event)}\n\n`)
    const write = () => {
      while (!hasEnded) {
        sent += bytes.length
        if (!response.write(bytes)) break
      }
    }
    response.on('drain', write)
    response.on('close', () => {
      hasEnded = true
    })
    write()
  })
  return { sent: () => sent, hasEnded: () => hasEnded }
}

async function ask(): Promise<{ caller: ClientRequest; response: IncomingMessage }> {
  const { hostname, port } = new URL(gateway.service.address)
  const caller = request({
    ...{ hostname, port, method: 'POST', path: '/v1/chat/completions', agent: false },
    headers: { authorization: `Bearer ${await gateway.key()}`, 'content-type': 'application/json' },
  })
  caller.on('error', () => undefined)
  const messages = [{ role: 'user', content: 'hi' }]
  caller.end(JSON.stringify({ model: 'gpt-4o', messages, max_tokens: 100, stream: true }))
  const [response] = await once(caller, 'response')
  response.on('error', () => undefined)
  return { caller, response }
}

const metric = async (name: string): Promise<number> => {
  const page = await fetch(`${gateway.service.address}/metrics`)
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(await page.text())?.[1])
}

test('a caller that does not read is cut off, and its call is settled like one that hung up', async () => {
  const provider = writeWithoutEnd()
  const { caller, response } = await ask()
  response.pause()
  const receipt = await gateway.nextReceipt()
  expect(receipt).toMatchObject({ outcome: 'aborted', status: 499 })
  expect(receipt.checks).toContainEqual({
    ...{ name: 'reader', applicable: true, result: 'fail', action: 'block' },
  })
  await waitFor('the provider to be let go', async () => provider.hasEnded() || undefined)
  await waitFor(
    'the metric',
    async () => (await metric('tallystick_stalled_readers_total')) === 1 || undefined,
  )
  expect(await metric('tallystick_streams_open')).toBe(0)
  caller.destroy()
})

test('a caller that reads slowly is waited for, however long it takes', async () => {
  const provider = writeWithoutEnd()
  const { caller, response } = await ask()
  const startedMs = performance.now()
  let read = 0
  // More than the system holds for it on its way, so that something always waits; a pause is far below the limit.
  for await (const chunk of response) {
    const before = read
    read += chunk.length
    if (Math.floor(before / mebibyte) < Math.floor(read / mebibyte)) await pause(stallMs / 10)
    if (read > 20 * mebibyte && performance.now() - startedMs > 2 * stallMs) break
  }
  expect(provider.hasEnded()).toBe(false)
  caller.destroy()
  const receipt = await gateway.nextReceipt()
  expect(receipt.outcome).toBe('aborted')
  expect(receipt.checks?.map(({ name }) => name)).not.toContain('reader')
})
