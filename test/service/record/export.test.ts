import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ExportVerifier } from '../../../packages/record/src/verify/export-verifier.js'
import { connectionSettings } from '../../../packages/service/src/db/connection/database.js'
import { type Tables, withoutReplica } from '../../../packages/service/src/db/index.js'
import { createServer, type Principal, registerManagement } from '../../../packages/service/src/http/index.js'
import { registerExportRoutes } from '../../../packages/service/src/resources/compliance/index.js'
import { createSliceQueue } from '../../../packages/service/src/shared/slice-queue.js'
import { fillRecord } from '../../harness/record/fill-record.js'
import { waitFor } from '../../harness/run/wait.js'
import type { TestService } from '../../harness/service/service.js'
import { shareTestService } from '../../harness/service/shared-service.js'
import { addTenant, type TestTenant } from '../../harness/service/tenant.js'

const groups = [1, 3, 256, 40, 1, 300]
const size = 601

let service: TestService
let tenant: TestTenant

beforeAll(async () => {
  service = await shareTestService()
  tenant = await addTenant(service, 'acme')
  await fillRecord({ ...service, tenantId: tenant.id, groups })
})
afterAll(() => service.stop())

async function readExport(query = '') {
  const { status, headers, body } = await tenant.api.get(`/v1/compliance/export${query}`)
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
  expect(body.endsWith('\n')).toBe(true)
  const texts: string[] = body.slice(0, -1).split('\n')
  return { texts, lines: texts.map((text) => JSON.parse(text)), name: headers.get('content-disposition') }
}

function verify(texts: readonly string[]) {
  const verifier = new ExportVerifier()
  for (const text of texts) verifier.addLine(text)
  return verifier.finish()
}

describe('an export', () => {
  test('is a header, the entries in order with a seal after each group, and an end', async () => {
    const { lines, name } = await readExport()
    const keys = (await service.api.get('/.well-known/tallystick/jwks.json')).body
    expect(lines[0]).toEqual({
      type: 'tallystick-export',
      v: 1,
      tenant: tenant.id,
      fromSeq: 1,
      toSeq: size,
      prev: JSON.parse(lines[1].canonical).prev,
      frontier: [],
      keys,
    })
    expect(Object.keys(lines[0])).toEqual([
      'type',
      'v',
      'tenant',
      'fromSeq',
      'toSeq',
      'prev',
      'frontier',
      'keys',
    ])
    expect(lines.at(-1)).toEqual({ type: 'end', entries: size, seals: groups.length })
    const places = lines.slice(1, -1).map((line) => (line.type === 'seal' ? `seal ${line.size}` : line.seq))
    let seq = 0
    const expected = groups.flatMap((count) => [...Array.from({ length: count }, () => ++seq), `seal ${seq}`])
    expect(places).toEqual(expected)
    expect(Object.keys(lines[1])).toEqual(['type', 'seq', 'canonical'])
    expect(name).toBe(`attachment; filename="${tenant.id}-1-${size}.jsonl"`)
  })

  test('of any span verifies by itself, from whichever entry it begins', async () => {
    for (const fromSeq of [1, 2, 4, 5, 100, 256, 257, 258, 261, 301, 302, 600, 601]) {
      const { texts } = await readExport(`?fromSeq=${fromSeq}`)
      expect(verify(texts)).toMatchObject({
        fault: null,
        header: { fromSeq, toSeq: size },
        entries: size - fromSeq + 1,
        sealed: size - fromSeq + 1,
      })
    }
  })

  test('that would end inside a group goes on to the end of it, where the seal is', async () => {
    for (const [toSeq, end] of [
      [1, 1],
      [2, 4],
      [4, 4],
      [260, 260],
      [261, 300],
      [601, 601],
    ]) {
      const { texts } = await readExport(`?fromSeq=1&toSeq=${toSeq}`)
      expect(verify(texts)).toMatchObject({ fault: null, header: { toSeq: end }, sealed: end })
    }
  })

  test('goes on where another ended', async () => {
    const first = verify((await readExport('?toSeq=260')).texts)
    const second = verify((await readExport('?fromSeq=261')).texts)
    expect(second.header.prev).toBe(first.end.prev.toString('hex'))
    expect(second.header.frontier).toEqual(first.end.range.hashes.map((hash) => hash.toString('hex')))
  })

  test('of what is not there yet is empty; of an empty record too', async () => {
    const { texts } = await readExport(`?fromSeq=${size + 1}`)
    expect(texts).toHaveLength(2)
    expect(verify(texts)).toMatchObject({
      fault: null,
      entries: 0,
      header: { fromSeq: size + 1, toSeq: size },
    })
    const { body } = await service.api.get('/v1/compliance/export')
    expect(verify(body.trimEnd().split('\n'))).toMatchObject({ fault: null, entries: 0, seals: 0 })
  })

  test('past the end of the record is a 404, backwards a 400, with words', async () => {
    const ask = async (query: string) => (await tenant.api.get(`/v1/compliance/export${query}`)).status
    expect(await ask(`?fromSeq=${size + 2}`)).toBe(404)
    expect(await ask(`?toSeq=${size + 1}`)).toBe(404)
    expect(await ask('?fromSeq=3&toSeq=2')).toBe(400)
    expect(await ask('?fromSeq=0')).toBe(400)
  })

  test('shows what was tampered with as it is, so that the verifier can name it', async () => {
    await service.database.query(
      `create table kept as select * from receipts where tenant_id = '${tenant.id}' and seq = 30`,
    )
    await service.database.query('delete from receipts where tenant_id = $1 and seq = 30', [tenant.id])
    expect(verify((await readExport()).texts).fault).toMatchObject({ kind: 'gap', seq: 30 })
    await service.database.query('insert into receipts select * from kept')
    await service.database.query('delete from seals where tenant_id = $1 and size = $2', [tenant.id, size])
    expect(verify((await readExport()).texts).fault).toMatchObject({ kind: 'unsealed', seq: 302 })
  })
})

describe('a caller that does not read', () => {
  /** The route on a server of its own, with a database that counts what it is asked. */
  async function serveCounted() {
    let queries = 0
    const db = new Kysely<Tables>({
      dialect: new PostgresDialect({ pool: new pg.Pool(connectionSettings(service.database.url)) }),
      log: () => void queries++,
    })
    const app = await createServer({ log: pino({ level: 'silent' }), yieldToEventLoop: createSliceQueue() })
    const principal: Principal = {
      tenantId: long.id,
      role: 'auditor',
      userId: null,
      keyId: 'key',
      sessionId: null,
      suspended: false,
    }
    const anyone = { read: () => 'key', verify: async () => principal }
    await registerManagement(app, [anyone], (scope) =>
      registerExportRoutes(scope, { db, reads: withoutReplica(db) }),
    )
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    return {
      port,
      queries: () => queries,
      close: async () => {
        await app.close()
        await db.destroy()
      },
    }
  }

  let long: TestTenant
  beforeAll(async () => {
    long = await addTenant(service, 'long')
    const user = 'x'.repeat(4_000)
    await fillRecord({ ...service, tenantId: long.id, groups: Array(20).fill(512), draft: { user } })
  })

  test('is not read for, and what it began ends when it hangs up', async () => {
    const server = await serveCounted()
    const call = request({
      port: server.port,
      path: '/v1/compliance/export',
      headers: { authorization: 'Bearer x' },
    })
    call.end()
    const [response] = await once(call, 'response')
    response.pause()
    // Forty pages of a good megabyte each. The buffers of both sockets take a few; then nothing moves.
    let before = -1
    await waitFor('the export to stand still', async () => {
      const still = server.queries() === before
      before = server.queries()
      await new Promise((resolve) => setTimeout(resolve, 200))
      return still
    })
    expect(before).toBeLessThan(50)
    call.destroy()
    await server.close()
    expect(server.queries()).toBeLessThanOrEqual(before + 4)
  })

  test('reads all of it in the end, when it is only slow', async () => {
    const server = await serveCounted()
    const response = await fetch(`http://127.0.0.1:${server.port}/v1/compliance/export`, {
      headers: { authorization: 'Bearer x' },
    })
    const verifier = new ExportVerifier()
    let rest = ''
    const decoder = new TextDecoder()
    for await (const piece of response.body ?? []) {
      const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) verifier.addLine(line)
    }
    expect(verifier.finish()).toMatchObject({ fault: null, sealed: 20 * 512, seals: 20 })
    await server.close()
  })

  test('of whom one key opens as many as it likes is refused beyond four, and others are served', async () => {
    const auditor = await long.api.post('/v1/keys', { name: 'auditor', role: 'auditor' })
    const { hostname, port } = new URL(service.address)
    const open = async (key: string) => {
      const call = request({
        ...{ hostname, port, path: '/v1/compliance/export', agent: false },
        headers: { authorization: `Bearer ${key}` },
      })
      call.end()
      const [response] = await once(call, 'response')
      response.pause()
      onTestFinished(() => void call.destroy())
      return { call, response }
    }
    const unread = await Promise.all(Array.from({ length: 30 }, () => open(auditor.body.key)))
    const served = unread.filter(({ response }) => response.statusCode === 200)
    expect(served).toHaveLength(4)
    const refused = unread.find(({ response }) => response.statusCode === 429)?.response
    expect(refused?.headers['retry-after']).toBe('5')
    expect(JSON.parse(await text(refused)).error).toMatchObject({
      type: 'rate_limit_exceeded',
      message:
        'This key has 4 downloads open on this replica, which is the limit: read one to its end, or close it',
    })
    expect((await open(long.managerKey)).response.statusCode).toBe(200)
    served[0]?.call.destroy()
    await waitFor('the place to be free again', async () => {
      const { call, response } = await open(auditor.body.key)
      if (response.statusCode !== 200) call.destroy()
      return response.statusCode === 200
    })
  })
})
