import { parquetReadObjects } from 'hyparquet'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { readMetrics } from '../../harness/reporting/metrics.js'
import { waitFor } from '../../harness/run/wait.js'
import type { Api } from '../../harness/service/api.js'
import { startTestService, type TestService } from '../../harness/service/service.js'
import { bucket, keys, type ObjectStore, startObjectStore } from '../../harness/sinks/object-store.js'

let service: TestService
let api: Api
let store: ObjectStore

beforeAll(async () => {
  service = await startTestService()
  api = service.api
})
afterAll(() => service.stop())
beforeEach(async () => {
  store = await startObjectStore()
})
afterEach(async () => {
  for (const { id } of (await api.get('/v1/sinks')).body.data) await api.delete(`/v1/sinks/${id}`)
  await store.close()
})

const destination = (fields: object = {}) => ({
  ...{ type: 's3', url: store.url, region: 'eu-central-1', bucket, prefix: 'tally', ...keys },
  ...fields,
})
const create = (fields: object = {}) =>
  api.post('/v1/sinks', {
    name: 'lake',
    data: 'receipts',
    intervalSeconds: 1,
    destination: destination(),
    ...fields,
  })
const read = async (id: string) => (await api.get(`/v1/sinks/${id}`)).body
const call = (content = 'Hi') =>
  api.post('/v1/chat/completions', { model: 'mock/echo', messages: [{ role: 'user', content }] })

/** The canonical text of every receipt, in order. */
const receipts = async (): Promise<Record<string, unknown>[]> =>
  (
    await service.database.query<{ canonical: string }>(
      'select canonical from receipts where tenant_id = $1 order by seq',
      [service.tenantId],
    )
  ).map(({ canonical }) => JSON.parse(canonical))

const untilExported = (id: string) =>
  waitFor('everything to be exported', async () => {
    const { state } = await read(id)
    return state.position === String((await receipts()).length) && state.lagSeconds === 0 && state
  })

test('every receipt is in the bucket, in order and as it was signed, those before the sink included', async () => {
  for (const text of ['one', 'two', 'three']) await call(text)
  const { status, body } = await create()
  expect(status).toBe(201)
  await untilExported(body.id)
  await call('four')
  const state = await untilExported(body.id)
  const rows = await store.rows()
  expect(rows).toEqual(await receipts())
  expect(state).toMatchObject({ exported: rows.length, lastError: null, lastSuccessAt: expect.any(String) })
  const today = String(rows[0]?.ts).slice(0, 10)
  const [first] = await store.list()
  expect(first).toMatch(
    new RegExp(`^tally/receipts/date=${today}/${body.id}-000000000001-\\d{12}\\.jsonl\\.gz$`),
  )
  // Nothing twice.
  expect(new Set(store.puts).size).toBe(store.puts.length)
})

test('calls are exported as the API shows them', async () => {
  await call('shown')
  const { body } = await create({ data: 'calls' })
  await untilExported(body.id)
  const { data } = (await api.get('/v1/calls?limit=200')).body
  expect(await store.rows()).toEqual(data.toReversed())
})

test('Parquet files have the same receipts and calls', async () => {
  await call('in columns')
  const read = async (data: string) => {
    const { body } = await create({ data, name: data, format: 'parquet' })
    await untilExported(body.id)
    const names = (await store.list()).filter((name) => name.startsWith(`tally/${data}/`))
    expect(names.every((name) => name.endsWith('.parquet'))).toBe(true)
    const files = await Promise.all(
      names.map(
        async (name) => await parquetReadObjects({ file: new Uint8Array(await store.read(name)).buffer }),
      ),
    )
    return files.flat()
  }
  const stored = await service.database.query('select canonical from receipts order by seq')
  expect((await read('receipts')).map(({ entry }) => ({ canonical: entry }))).toEqual(stored)
  const { data } = (await api.get('/v1/calls?limit=200')).body
  const calls = await read('calls')
  expect(calls.map(({ requestId, ts }) => [requestId, ts.toISOString()])).toEqual(
    data.map(({ requestId, ts }: { requestId: string; ts: string }) => [requestId, ts]).toReversed(),
  )
  // A column for each field of a call.
  expect(Object.keys(calls[0] ?? {})).toEqual(Object.keys(data[0]))
  const posted = { type: 'http', url: store.url }
  const { body } = await create({ format: 'parquet', destination: posted })
  expect(body.error.details).toEqual([{ path: 'destination.type', message: 'must be s3 for parquet' }])
})

test('secrets are never shown, and are of one address alone', async () => {
  const { body } = await create()
  expect(JSON.stringify(body)).not.toContain('secretAccessKey')
  expect(body.destination.accessKeyId).toBe(keys.accessKeyId)
  const elsewhere = destination({ url: 'http://127.0.0.1:9', secretAccessKey: undefined })
  expect((await api.patch(`/v1/sinks/${body.id}`, { destination: elsewhere })).status).toBe(409)
  const sameHost = destination({ prefix: 'other', secretAccessKey: undefined })
  expect((await api.patch(`/v1/sinks/${body.id}`, { destination: sameHost })).body.destination.prefix).toBe(
    'other',
  )
  const stored = await service.database.query(
    'select * from sinks, audit_log where sinks.id = $1 and subject_id = sinks.id',
    [body.id],
  )
  expect(stored.length).toBeGreaterThan(1)
  expect(JSON.stringify(stored)).not.toContain('secretAccessKey')
})

test('a server that stalls, hangs up or refuses is told of, and nothing is lost or left out', async () => {
  const { body } = await create({ enabled: false })
  const answers: [string, (response: import('node:http').ServerResponse) => void][] = [
    ['The receiver answered 503', (response) => response.writeHead(503).end('a word of the server')],
    [
      'The receiver answered 403 (AccessDenied)',
      (response) => response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>'),
    ],
    ['The connection was closed before the answer was complete', (response) => response.destroy()],
  ]
  for (const [expected, answer] of answers) {
    store.answerWith((request, response, pass) => (request.method === 'PUT' ? answer(response) : pass()))
    await call(expected)
    await api.patch(`/v1/sinks/${body.id}`, { enabled: true })
    await waitFor(expected, async () => (await read(body.id)).state.lastError === expected)
    const { state } = await read(body.id)
    expect(state.lagSeconds).toBeGreaterThan(0)
    await api.patch(`/v1/sinks/${body.id}`, { enabled: false })
  }
  store.answerWith((_request, _response, pass) => pass())
  await api.patch(`/v1/sinks/${body.id}`, { enabled: true })
  await untilExported(body.id)
  expect(await store.rows()).toEqual(await receipts())
  expect((await read(body.id)).state.lastError).toBeNull()
})

test('while a server stalls, calls are made and no second upload begins; the rest follows when it is back', async () => {
  const stalled: string[] = []
  store.answerWith((request, _response, pass) =>
    request.method === 'PUT' ? void stalled.push(request.url ?? '') : pass(),
  )
  await call('before it stalls')
  const { body } = await create()
  await waitFor('the upload', () => stalled.length === 1)
  const overdue = async () => (await readMetrics(service.address)).sum('tallystick_sink_overdue_seconds')
  const before = await overdue()
  for (let index = 0; index < 50; index++) expect((await call(`call ${index}`)).status).toBe(200)
  // All of them were answered and recorded, and nothing of them is held for the sink but the batch that was begun.
  expect(new Set(stalled).size).toBe(1)
  await waitFor('the metric to rise', async () => (await overdue()) > before)
  const { state } = await waitFor('the timeout', async () => {
    const sink = await read(body.id)
    return sink.state.lastError !== null && sink
  })
  expect(state).toMatchObject({ lastError: 'No complete answer within 30 s', position: null })
  await waitFor('another attempt', () => stalled.length > 1)
  expect(new Set(stalled).size).toBe(1)
  store.answerWith((_request, _response, pass) => pass())
  await untilExported(body.id)
  expect(await store.rows()).toEqual(await receipts())
})

test('an upload whose answer is lost is repeated under the same name', async () => {
  await call()
  let lost = 0
  store.answerWith((request, response, pass) => {
    if (request.method === 'PUT' && lost++ === 0) {
      // The server stores it, and nobody hears so.
      response.end = (() => response.destroy()) as typeof response.end
    }
    pass()
  })
  const { body } = await create()
  await waitFor('the answer to be lost', () => lost > 0)
  // What is added in the meantime is in the next batch: the batch that is repeated stays the same.
  await call('in the meantime')
  await untilExported(body.id)
  expect(store.puts.filter((name) => name === store.puts[0])).toHaveLength(2)
  expect(await store.rows()).toEqual(await receipts())
})

test('the button tells what came back', async () => {
  const { body } = await create({ enabled: false })
  expect((await api.post(`/v1/sinks/${body.id}/test`)).body).toEqual({ delivered: true, error: null })
  expect(await store.list()).toEqual([`tally/test/${body.id}.json`])
  await api.patch(`/v1/sinks/${body.id}`, { destination: destination({ secretAccessKey: 'wrong' }) })
  expect((await api.post(`/v1/sinks/${body.id}/test`)).body).toEqual({
    delivered: false,
    error: 'The receiver answered 403 (SignatureDoesNotMatch)',
  })
})

test('fields that do not fit the destination are named', async () => {
  const faults = async (fields: object) =>
    (await create({ destination: fields })).body.error.details.map(({ path }: { path: string }) => path)
  expect(await faults({ type: 's3', region: 'eu-central-1', accessKeyId: 'a' })).toEqual([
    'destination.bucket',
  ])
  expect(await faults({ type: 'http' })).toEqual(['destination.url'])
  expect(await faults({ type: 'http', url: store.url, bucket })).toEqual(['destination.bucket'])
  expect(await faults({ type: 'http', url: store.url, headers: { host: 'x' } })).toEqual([
    'destination.headers.host',
  ])
})
