import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { parquetMetadata } from 'hyparquet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../packages/service/src/db/index.js'
import { createFocusSource } from '../../../packages/service/src/resources/sinks/data/focus/focus-source.js'
import { encodeFile } from '../../../packages/service/src/resources/sinks/formats/encode-file.js'
import { readOverdueSinks } from '../../../packages/service/src/resources/sinks/index.js'
import type { SinkRow } from '../../../packages/service/src/resources/sinks/store.js'
import { sendJson, startUpstream } from '../../harness/providers/upstream.js'
import { chatAnswer } from '../../harness/providers/vendor-answers.js'
import { fillRecord } from '../../harness/record/fill-record.js'
import { pick, random } from '../../harness/run/seed.js'
import { waitFor } from '../../harness/run/wait.js'
import { startTestGateway, type TestGateway } from '../../harness/service/gateway.js'
import { type FocusRow, findColumnFaults, findRowFaults, toAttos } from '../../harness/sinks/focus-rules.js'
import { bucket, keys as keyPair, startObjectStore } from '../../harness/sinks/object-store.js'

let gateway: TestGateway
let opened: Database
const keys: { id: string; key: string }[] = []
const names = ['=HYPERLINK("http://x","a,b")', '+1 "two", three', '@team', '-5']

const price = {
  // A few picodollars for a token, and tiers that split them: every call is rounded.
  inputUsdPerMTok: 0.000007,
  outputUsdPerMTok: 0.123457,
  cacheReadUsdPerMTok: 0.000003,
  tiers: { priority: { factor: 1.237 }, flex: { factor: 0.333 } },
}

beforeAll(async () => {
  gateway = await startTestGateway({
    models: { odd: { provider: 'openai', model: 'odd', price }, free: { provider: 'openai', price: 'free' } },
  })
  opened = openDatabase(gateway.service.database.url, () => undefined)
  const { api } = gateway.service
  for (const name of names) {
    const team = await api.post('/v1/team/teams', { name, budgetPoolUsd: 1_000 })
    expect(team.status).toBe(201)
    const key = await api.post('/v1/keys', { name, teamId: team.body.id })
    expect(key.status).toBe(201)
    keys.push(key.body)
  }
})
afterAll(async () => {
  await opened.close()
  await gateway.stop()
})

const chat = '/v1/chat/completions'
const count = (below: number) => Math.floor(random() * below)

/** A call whose provider reports any usage, or hangs up, so that the cost is what was reserved. */
async function makeCall(index: number): Promise<void> {
  const isLost = index % 7 === 0
  const input = 1 + count(40_000)
  const usage = {
    prompt_tokens: input,
    completion_tokens: count(2_000),
    prompt_tokens_details: { cached_tokens: count(input) },
  }
  const tier = pick(['default', 'priority', 'flex'])
  gateway.upstream.answerWith((_, response) =>
    isLost
      ? void response.destroy()
      : sendJson(response, 200, { ...chatAnswer({ content: 'x' }), usage, service_tier: tier }),
  )
  const key = pick(keys)
  const response = await gateway.send(
    chat,
    {
      model: pick(['odd', 'odd', 'gpt-4o-mini', 'free', 'mock/echo']),
      max_tokens: 3_000,
      messages: [{ role: 'user', content: 'Hi' }],
    },
    { key: key.key, headers: { 'x-tallystick-tags': `project=${pick(['=a', 'b"c', 'd'])}` } },
  )
  await response.text()
}

/** What a sink of this position would deliver, `hours` from now, as a reader of CSV has it. */
async function exportRows({
  position = null as string | null,
  upTo = null as string | null,
  hours = 2,
} = {}) {
  const source = createFocusSource({
    db: opened.db,
    yieldToEventLoop: async () => undefined,
    now: () => Date.now() + hours * 3_600_000,
  })
  const sink = { tenant_id: gateway.service.tenantId, position } as SinkRow
  const batch = await source.read(sink, upTo)
  if (batch === null) return null
  const file = async (format: 'csv' | 'parquet') =>
    (await encodeFile({ data: 'focus', format }, batch.rows)).body
  const text = gunzipSync(await file('csv')).toString()
  return { end: batch.end, text, rows: readCsv(text), parquet: await file('parquet') }
}

const readCsv = (text: string): FocusRow[] =>
  parse(text, {
    columns: true,
    record_delimiter: '\n',
    cast: (cell, { quoting }) => (cell === '' && !quoting ? null : cell),
  })

/** In nano-dollars. Throws if it is no whole number of them. */
function sumOf(rows: readonly FocusRow[], column = 'BilledCost'): bigint {
  const attos = rows.reduce((sum, row) => sum + toAttos(row[column] ?? ''), 0n)
  expect(attos % 10n ** 9n).toBe(0n)
  return attos / 10n ** 9n
}

const nanosOf = (usd: number): bigint => BigInt(Math.round(usd * 1e9))

/** A report gives doubles, which are exact to the nano-dollar for sums below some millions of dollars. */
const usageBy = async (dimension: string): Promise<Map<string, bigint>> => {
  const { body } = await gateway.service.api.get(`/v1/usage?range=24h&groupBy=${dimension}`)
  return new Map(
    body.groups.map((group: { key: string; spendUsd: number }) => [group.key, nanosOf(group.spendUsd)]),
  )
}

test('rows of any calls follow the rules of FOCUS 1.2 and add up to the usage report', async () => {
  for (let index = 0; index < 60; index++) await makeCall(index)
  await gateway.send(
    '/v1/images/generations',
    { model: 'mock/echo', prompt: 'x' },
    { key: keys[0]?.key ?? '' },
  )
  const [lost] = await gateway.service.database.query<{ seq: string }>(
    'select seq from calls where usage_source = $1 order by seq limit 1',
    ['reserved'],
  )
  const adjusted = { amountUsd: 0.000000123, reason: 'line 17 of the invoice' }
  const path = `/v1/compliance/receipts/${lost?.seq}/adjust`
  expect((await gateway.service.api.post(path, adjusted)).status).toBe(200)

  const exported = await exportRows()
  if (!exported) throw new Error('there is nothing to export')
  const { rows, text, end, parquet } = exported
  expect(rows.length).toBeGreaterThan(20)
  expect(findColumnFaults(Object.keys(rows[0] ?? {}))).toEqual([])
  expect(rows.flatMap(findRowFaults)).toEqual([])

  const { body: report } = await gateway.service.api.get('/v1/usage?range=24h')
  for (const cost of ['BilledCost', 'EffectiveCost', 'ListCost', 'ContractedCost'])
    expect(sumOf(rows, cost)).toBe(nanosOf(report.totals.spendUsd))
  const groupings = { key: 'ResourceId', team: 'SubAccountId', provider: 'ProviderName', model: 'x_Model' }
  for (const [dimension, column] of Object.entries(groupings)) {
    const values = new Set(rows.map((row) => row[column] ?? ''))
    const sums = new Map(
      [...values].map((value) => [value, sumOf(rows.filter((row) => (row[column] ?? '') === value))]),
    )
    expect(sums).toEqual(await usageBy(dimension))
  }
  expect(rows.map(({ ChargeCategory }) => ChargeCategory)).toEqual(
    expect.arrayContaining(['Usage', 'Adjustment']),
  )
  // Names are exactly those that people gave.
  for (const name of names) {
    expect(rows.some(({ ResourceName }) => ResourceName === name)).toBe(true)
    expect(rows.some(({ SubAccountName }) => SubAccountName === name)).toBe(true)
  }
  const columns = parquetMetadata(new Uint8Array(parquet).buffer).schema.slice(1)
  expect(columns.map(({ name }) => name)).toEqual(Object.keys(rows[0] ?? {}))
  // What is sent again has the same bytes, also when there is more by then.
  await makeCall(1)
  expect((await exportRows({ upTo: end }))?.text).toBe(text)
})

test('an hour waits until it has been over for ten minutes', async () => {
  const end = (await exportRows())?.end ?? ''
  await makeCall(1)
  expect(await exportRows({ position: end, hours: 0 })).toBeNull()
  const rows = (await exportRows({ position: end }))?.rows ?? []
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.every(({ x_FirstEntry }) => Number(x_FirstEntry) === Number(end) + 1)).toBe(true)
})

test('a call that ends late is a row of its own in a later object, and no object changes', async () => {
  const store = await startObjectStore()
  const receiver = await startUpstream((_, response) => void response.writeHead(204).end())
  const { api, database, dataDir, tenantId } = gateway.service
  const hour = new Date(Math.floor(Date.now() / 3_600_000 - 3) * 3_600_000)
  const fill = () =>
    fillRecord({ database, dataDir, tenantId, groups: [2], draft: { ts: hour.toISOString(), costNanos: 7 } })
  const readAll = async () => {
    const objects = (await store.list()).filter((name) => name.endsWith('.csv.gz'))
    const texts = await Promise.all(
      objects.map(async (name) => gunzipSync(await store.read(name)).toString()),
    )
    return { objects, texts, rows: texts.flatMap(readCsv) }
  }
  const ofHour = (rows: readonly FocusRow[]) =>
    rows.filter(({ ChargePeriodStart }) => Date.parse(ChargePeriodStart ?? '') === hour.getTime())
  try {
    await fill()
    const destination = { type: 's3', url: store.url, region: 'eu-central-1', bucket, ...keyPair }
    const sink = { name: 'costs', data: 'focus', intervalSeconds: 1, destination }
    const { status, body } = await api.post('/v1/sinks', sink)
    expect(status).toBe(201)
    expect(body.format).toBe('csv')
    await waitFor('the first rows', async () => ofHour((await readAll()).rows).length === 1)
    const before = await readAll()
    expect(before.rows.flatMap(findRowFaults)).toEqual([])
    expect(before.objects[0]).toMatch(/^focus\/date=\d{4}-\d\d-\d\d\/sink_\w+-0{11}1-\d{12}\.csv\.gz$/)

    await fill()
    await waitFor('the late rows', async () => ofHour((await readAll()).rows).length === 2)
    const after = await readAll()
    expect(ofHour(after.rows).map(({ BilledCost }) => BilledCost)).toEqual(['0.000000014', '0.000000014'])
    expect(before.objects.map((name) => after.texts[after.objects.indexOf(name)])).toEqual(before.texts)
    expect(new Set(store.puts).size).toBe(store.puts.length)
    expect((await readOverdueSinks(opened.db)).focus).toBe(0)

    const http = { type: 'http', url: receiver.url }
    expect((await api.post('/v1/sinks', { ...sink, name: 'posted', destination: http })).status).toBe(201)
    await waitFor('the posted rows', () => receiver.seen.length > 0)
    const [posted] = receiver.seen
    expect(posted?.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(sumOf(readCsv(posted?.raw.toString() ?? ''))).toBe(sumOf(after.rows))

    const wrong = { ...sink, name: 'wrong', format: 'ocsf' }
    expect((await api.post('/v1/sinks', wrong)).body.error.details).toEqual([
      { path: 'format', message: 'must be one of csv, jsonl, parquet for focus' },
    ])
  } finally {
    for (const { id } of (await api.get('/v1/sinks')).body.data) await api.delete(`/v1/sinks/${id}`)
    await receiver.close()
    await store.close()
  }
})
