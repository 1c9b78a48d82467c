import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { blockThread } from '../../../../../test/harness/run/block-thread.js'
import { propertyRuns } from '../../../../../test/harness/run/property-runs.js'
import { connectPipelined, type PipelinedConnection } from './pipelined-connection.js'

let connection: PipelinedConnection
beforeAll(async () => {
  connection = await connectPipelined(inject('postgresUrl'), {
    answerTimeoutMs: 20_000,
    signal: new AbortController().signal,
    onLost: () => undefined,
  })
  await connection.read({
    text: 'create temporary table things (place integer primary key, said text)',
    values: [],
  })
})
afterAll(() => connection.close())

const insert = (place: number, said: string | null = null) => ({
  name: 'insert_thing',
  text: 'insert into things values ($1, $2)',
  values: [place, said],
})
const readAll = () =>
  connection.read<{ place: number; said: string | null }>({
    name: 'read_things',
    text: 'select place, said from things order by place',
    values: [],
  })
const empty = () => connection.transact([{ text: 'delete from things', values: [] }])

const texts = fc.array(
  fc.option(fc.string({ unit: 'binary', maxLength: 5_000 }).map((text) => text.replaceAll('\0', ''))),
  { maxLength: 20 },
)

test('whatever is sent in one batch comes back as it was, however long it is', async () => {
  await fc.assert(
    fc.asyncProperty(texts, fc.uint8Array({ maxLength: 20_000 }), async (said, bytes) => {
      await empty()
      await connection.transact(said.map((text, place) => insert(place, text)))
      expect(await readAll()).toEqual(said.map((text, place) => ({ place, said: text })))
      const rows = await connection.read({ text: 'select $1::bytea as bytes', values: [Buffer.from(bytes)] })
      expect(rows).toEqual([{ bytes: Buffer.from(bytes) }])
    }),
    { numRuns: propertyRuns / 2 },
  )
})

test('a transaction in one round trip is all or nothing, and the connection goes on after a fault', async () => {
  await empty()
  await expect(connection.transact([insert(1), insert(2), insert(1), insert(3)])).rejects.toMatchObject({
    constraint: 'things_pkey',
  })
  expect(await readAll()).toEqual([])
  await connection.transact([insert(1), insert(2)])
  expect(await readAll()).toHaveLength(2)
})

test('a statement whose text the server refuses is sent anew under its name', async () => {
  const wrong = { name: 'count_things', text: 'select count(*)::integer from nothing_like_it', values: [] }
  await expect(connection.read(wrong)).rejects.toThrow('nothing_like_it')
  expect(await connection.read({ ...wrong, text: 'select 1 as count' })).toEqual([{ count: 1 }])
})

test('whoever waits for the commit gets the rows of its own statement, and after a fault nothing', async () => {
  await empty()
  const given: unknown[] = []
  const tell = (place: number) => ({
    ...insert(place, 'told'),
    name: 'tell_thing',
    text: 'insert into things values ($1, $2) returning place, said',
    onCommitted: (rows: unknown[]) => void given.push(...rows),
  })
  await connection.transact([insert(1), tell(2), insert(3), tell(4)])
  expect(given.splice(0)).toEqual([
    { place: 2, said: 'told' },
    { place: 4, said: 'told' },
  ])
  await expect(connection.transact([tell(5), insert(1)])).rejects.toThrow('things_pkey')
  expect(given).toEqual([])
})

test('a process that was blocked itself reads what came in the meantime before it calls the server silent', async () => {
  const impatient = await connectPipelined(inject('postgresUrl'), {
    answerTimeoutMs: 6_000,
    signal: new AbortController().signal,
    onLost: () => undefined,
  })
  const reading = impatient.read({ text: 'select 1 as one', values: [] })
  // The question leaves; then the process does nothing for longer than it would wait, and leaves the processor to the server.
  await new Promise(setImmediate)
  blockThread(8_000)
  expect(await reading).toEqual([{ one: 1 }])
  await impatient.close()
})

test('a connection that breaks while it is made is an error of making it, and nothing that was lost', async () => {
  // Lets the client in, and breaks off when it asks for something.
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write(Buffer.from('520000000800000000' + '5a0000000549', 'hex'))
      socket.once('data', () => socket.resetAndDestroy())
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const lost: unknown[] = []
  const connecting = connectPipelined(`postgres://u@127.0.0.1:${port}/d`, {
    answerTimeoutMs: 20_000,
    signal: new AbortController().signal,
    onLost: (error) => lost.push(error),
  })
  await expect(connecting).rejects.toThrow()
  server.close()
  await once(server, 'close')
  expect(lost).toEqual([])
})
