import pg from 'pg'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { blockThread } from '../../../../../test/harness/run/block-thread.js'
import { startDatabaseProxy } from '../../../../../test/harness/service/database-proxy.js'
import { requireAnswer } from './liveness.js'

let proxy: Awaited<ReturnType<typeof startDatabaseProxy>>
let client: pg.Client
beforeEach(async () => {
  proxy = await startDatabaseProxy(inject('postgresUrl'))
  client = new pg.Client(proxy.url)
  client.on('error', () => undefined)
  await client.connect()
})
afterEach(async () => {
  await proxy.close()
  await client.end().catch(() => undefined)
})

test('a server that answers is alive', async () => {
  await requireAnswer(client, 60_000)
})

test('one that is silent is not', async () => {
  proxy.hang()
  await expect(requireAnswer(client, 50)).rejects.toThrow('The database does not answer')
})

test('a connection that breaks tells so at once', async () => {
  const asking = requireAnswer(client, 60_000)
  await Promise.all([expect(asking).rejects.toThrow(), proxy.cut()])
})

test('a process that was blocked itself reads what came in the meantime before it calls the server silent', async () => {
  const direct = new pg.Client(inject('postgresUrl'))
  await direct.connect()
  const asking = requireAnswer(direct, 6_000)
  // The question leaves with the next turn; then the process does nothing for longer than it would wait.
  await new Promise(setImmediate)
  blockThread(8_000)
  await asking
  await direct.end()
})

test('and waits again for an answer that takes more than one turn to arrive', async () => {
  // The proxy runs in this process, so the question has not even reached the server when the time is over.
  const asking = requireAnswer(client, 6_000)
  blockThread(8_000)
  await asking
})
