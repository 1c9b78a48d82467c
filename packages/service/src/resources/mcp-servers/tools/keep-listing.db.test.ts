import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../../../test/harness/service/database.js'
import type { JsonObject } from '../../../../../record/src/json/index.js'
import { type Database, openDatabase } from '../../../db/index.js'
import { listTools, pinOf } from '../store.js'
import { keepListing, type ListedServer, noteFailure } from './keep-listing.js'
import { stateOf } from './pins.js'

let database: TestDatabase
let opened: Database
let made = 0
let server: ListedServer

beforeAll(async () => {
  database = await createTestDatabase()
  opened = openDatabase(database.url, () => undefined)
  await database.query(`insert into tenants (id, name) values ('t', 't'), ('other', 'other')`)
})
afterAll(async () => {
  await opened.close()
  await database.drop()
})
beforeEach(async () => {
  const name = `s${++made}`
  const url = `https://${name}.example/mcp`
  server = { id: `mcp_${name}`, tenantId: 't', name, transport: { type: 'http', url }, pinning: 'block' }
  await database.query(
    `insert into mcp_servers (id, tenant_id, name, url, timeout_ms, max_result_bytes) values ($1, 't', $2, $3, 1000, 1000)`,
    [server.id, name, url],
  )
})

const tool = (name: string, description = ''): JsonObject => ({
  ...{ name, description, inputSchema: { type: 'object' } },
})
const listing = (...tools: JsonObject[]) => ({
  ...{ protocolVersion: '2025-11-25', serverInfo: { name: 's', version: '1' }, capabilities: {} },
  ...{ instructions: null, tools },
})
const keep = (...tools: JsonObject[]) => keepListing(opened.db, server, listing(...tools))
const states = async () =>
  Object.fromEntries(
    (await listTools(opened.db, 't', server.id)).map((row) => [
      row.name,
      row.gone_at === null ? stateOf(pinOf(row)) : 'gone',
    ]),
  )
const approveAll = () =>
  database.query(
    `update mcp_tools set approved_hash = seen_hash, approved_definition = seen_definition, approved_at = now(), approved_by = '{}'
     where server_id = $1`,
    [server.id],
  )
const alerts = async () =>
  (
    await database.query<{ data: string }>(
      `select data from alerts where tenant_id = 't' and starts_with(key, $1) order by id`,
      [`mcp_tool:${server.id}:`],
    )
  ).map(({ data }) => JSON.parse(data))
const status = async () =>
  (
    await database.query<{ status: string; status_message: string | null }>(
      'select status, status_message from mcp_listings where server_id = $1',
      [server.id],
    )
  )[0]

describe('a listing', () => {
  test('the first of a server is told to nobody; what is new or changed later is, once', async () => {
    await keep(tool('a'), tool('b'))
    expect(await alerts()).toEqual([])
    await approveAll()
    await keep(tool('a', 'changed'), tool('b'), tool('c'))
    await keep(tool('a', 'changed'), tool('b'), tool('c'))
    expect(await states()).toEqual({ a: 'changed', b: 'approved', c: 'new' })
    expect((await alerts()).map(({ tool, state }) => [tool, state])).toEqual([
      ['a', 'changed'],
      ['c', 'new'],
    ])
    expect((await alerts())[0]).toEqual({
      message: expect.stringContaining('The tool a of the MCP server'),
      server: { id: server.id, name: server.name },
      tool: 'a',
      state: 'changed',
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      previous_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    // To and fro: the same definition is not told a second time.
    await keep(tool('a'), tool('b'))
    expect(await states()).toEqual({ a: 'approved', b: 'approved' })
    await keep(tool('a', 'changed'), tool('b'), tool('c'))
    expect(await alerts()).toHaveLength(2)
  })

  test('a renamed tool is one that is gone and one that is new; it comes back as approved', async () => {
    await keep(tool('old'))
    await approveAll()
    await keep(tool('new'))
    expect(await states()).toEqual({ new: 'new', old: 'gone' })
    expect((await alerts()).map(({ tool, state }) => [tool, state])).toEqual([
      ['new', 'new'],
      ['old', 'gone'],
    ])
    await keep(tool('old'))
    expect(await states()).toEqual({ old: 'approved' })
    await keep(tool('old', 'otherwise'))
    expect(await states()).toEqual({ old: 'changed' })
  })

  test('while a name is listed twice it cannot be called, and is as before when it is not', async () => {
    await keep(tool('a'))
    await approveAll()
    await keep(tool('a'), tool('a', 'second'))
    expect(await states()).toEqual({ a: 'changed' })
    expect((await alerts()).map(({ tool, state }) => [tool, state])).toEqual([['a', 'changed']])
    await keep(tool('a'))
    expect(await states()).toEqual({ a: 'approved' })
  })

  test('two at once leave what one of them said, and tell of it once', async () => {
    await keep(tool('a'))
    await approveAll()
    const changed = [tool('a', 'changed'), tool('b')]
    await Promise.all(Array.from({ length: 8 }, () => keep(...changed)))
    expect(await states()).toEqual({ a: 'changed', b: 'new' })
    expect(await alerts()).toHaveLength(2)
    await Promise.all(Array.from({ length: 8 }, (_, index) => keep(tool('a', `${index}`), tool(`c${index}`))))
    const after = await states()
    expect(Object.keys(after)).toHaveLength(2)
    expect(after.a).toBe('changed')
  })

  test('a server with other tools each time fills neither the table nor the mail', async () => {
    await keep(tool('a'))
    for (let round = 0; round < 5; round++)
      await keep(...Array.from({ length: 100 }, (_, index) => tool(`t${round}_${index}`)))
    expect(Object.keys(await states())).toHaveLength(100)
    expect(await alerts()).toHaveLength(100)
  })

  test('what cannot be kept is said, and what was known stays', async () => {
    await keep(tool('a'))
    await approveAll()
    await keep(...Array.from({ length: 1_001 }, (_, index) => tool(`t${index}`)))
    expect(await status()).toEqual({
      ...{ status: 'failing', status_message: 'It lists 1001 tools; at most 1000 can be kept' },
    })
    expect(await states()).toEqual({ a: 'approved' })
    await keep(tool('a'), tool('a b'))
    expect(await status()).toMatchObject({
      ...{ status: 'ok', status_message: expect.stringContaining('Tools that are left out: 1') },
    })
  })

  test('a thousand tools are kept, with whatever JSON can say', async () => {
    const many = Array.from({ length: 998 }, (_, index) => tool(`t${index}`, `Nr. ${index} \u0000 \ud800`))
    const odd = JSON.parse('{"name":"__proto__","inputSchema":{"type":"object","__proto__":{"x":0.5}}}')
    await keepListing(opened.db, server, {
      ...listing(...many, odd, tool('constructor')),
      serverInfo: { name: 'x\u0000\u202e\ud800y', version: 5 },
      capabilities: { experimental: { '\u0000': '\ud800' } },
      instructions: 'Be \u0000 good',
    })
    expect(Object.keys(await states())).toHaveLength(1_000)
    const [proto] = (await listTools(opened.db, 't', server.id)).filter(({ name }) => name === '__proto__')
    expect(JSON.parse(proto?.seen_definition ?? '')).toEqual(odd)
  })

  test('of a server that is deleted, or elsewhere by now, nothing is kept', async () => {
    await keep(tool('a'))
    await keepListing(
      opened.db,
      { ...server, transport: { type: 'http', url: 'https://before.example/' } },
      listing(),
    )
    expect(await states()).toEqual({ a: 'new' })
    await database.query('update mcp_servers set deleted_at = now() where id = $1', [server.id])
    await keep(tool('b'))
    await noteFailure(opened.db, server, 'It does not answer')
    expect(await states()).toEqual({})
    expect(await status()).toBeUndefined()
  })

  test('under warn it is told of; under off nobody is', async () => {
    server = { ...server, pinning: 'warn' }
    await keep(tool('a'))
    await keep(tool('a', 'changed'))
    expect(await alerts()).toHaveLength(1)
    server = { ...server, pinning: 'off' }
    await keep(tool('a', 'changed again'))
    expect(await alerts()).toHaveLength(1)
  })

  test('one of the file is kept for each tenant by itself', async () => {
    const ofFile = (tenantId: string): ListedServer => ({
      ...{ id: 'file:tools', tenantId, name: 'tools', pinning: 'block' },
      transport: { type: 'stdio', command: 'x', args: [], env: {}, cwd: null },
    })
    await keepListing(opened.db, ofFile('t'), listing(tool('a')))
    await keepListing(opened.db, ofFile('other'), listing(tool('b')))
    expect((await listTools(opened.db, 't', 'file:tools')).map(({ name }) => name)).toEqual(['a'])
    expect((await listTools(opened.db, 'other', 'file:tools')).map(({ name }) => name)).toEqual(['b'])
  })

  test('a failure leaves what is known, in a line that can be read', async () => {
    await keep(tool('a'))
    await noteFailure(opened.db, server, `It did not\nanswer\u0000 ${'x'.repeat(1_000)}`)
    const { status_message, status: state } = (await status()) ?? {}
    expect(state).toBe('failing')
    expect(status_message).toMatch(/^It did not answer x+$/)
    expect(status_message?.length).toBeLessThanOrEqual(500)
    expect(await states()).toEqual({ a: 'new' })
  })
})
