import { afterAll, beforeAll, expect, test } from 'vitest'
import { ExportVerifier } from '../../../packages/record/src/verify/export-verifier.js'
import { CostCheck } from '../../../packages/record/src/verify/files/check-costs.js'
import { BatchProvider, type UpstreamLine } from '../../harness/providers/batch-provider.js'
import { type Script, sendJson, startEvents } from '../../harness/providers/upstream.js'
import { chatAnswer, chatChunk } from '../../harness/providers/vendor-answers.js'
import { pick, random } from '../../harness/run/seed.js'
import { waitFor } from '../../harness/run/wait.js'
import { startTestGateway, type TestGateway } from '../../harness/service/gateway.js'

// However calls end: a stranger who has the export computes the cost of each of them again.

let gateway: TestGateway
let key: string
beforeAll(async () => {
  gateway = await startTestGateway({
    providers: (url) => ({
      azure: { type: 'azure-openai', baseUrl: url, apiKey: 'azure-key', pricesOf: 'openai' },
      hasty: {
        type: 'openai',
        baseUrl: `${url}/v1`,
        pricesOf: 'openai',
        timeouts: { hangUpGraceMs: 50 },
      },
    }),
  })
  key = await gateway.key()
  const route = {
    name: 'kept',
    targets: [{ model: 'gpt-4o-mini' }],
    cache: { ttlSeconds: 60, scope: 'tenant' },
  }
  expect((await gateway.service.api.post('/v1/routes', route)).status).toBe(201)
})
afterAll(() => gateway.stop())

const path = '/v1/chat/completions'
const body = { model: 'gpt-4o-mini', max_tokens: 1_000, messages: [{ role: 'user', content: 'Hello!' }] }
const usage = { prompt_tokens: 10, completion_tokens: 5 }
const said = { ...chatAnswer({ content: 'Hi' }), usage }
const silent = { ...said, usage: undefined }
const tiers = [{}, { service_tier: 'priority' }, { service_tier: 'auto' }, { n: 2 }]

/** What is recorded of a call if its process dies, as it stands in the database while the call runs. */
const interrupted: Record<string, unknown>[] = []

async function call(script: Script, fields: object = {}): Promise<Response> {
  gateway.upstream.answerWith(async (request, response) => {
    const rows = await gateway.service.database.query<{ draft: string }>('select draft from open_calls')
    interrupted.push(...rows.map(({ draft }) => JSON.parse(draft)))
    return script(request, response)
  })
  const response = await gateway.send(path, { ...body, ...pick(tiers), ...fields }, { key })
  await response.text().catch(() => '')
  return response
}

const answerWith =
  (status: number, content: object): Script =>
  (_, response) =>
    sendJson(response, status, content)
const breakOff: Script = (_, response) => {
  startEvents(response)(chatChunk({ content: 'Once upon' }))
  response.write(': more is to come\n\n', () => response.destroy())
}
const filtered = { error: { code: 'content_filter', message: 'Filtered' } }

const idIn = async (made: Promise<Response>): Promise<string> => JSON.parse(await (await made).text()).id

async function runBatch(): Promise<void> {
  const provider = new BatchProvider()
  gateway.upstream.answerWith(provider.script)
  const lines = Array.from({ length: 6 }, (_, at) => ({
    custom_id: `line ${at}`,
    method: 'POST',
    url: path,
    body: { ...body, max_tokens: undefined, max_completion_tokens: 100 },
  }))
  const form = new FormData()
  form.append('purpose', 'batch')
  form.append('file', new Blob([lines.map((line) => JSON.stringify(line)).join('\n')]), 'work.jsonl')
  const id = await idIn(gateway.send('/v1/files', form, { key }))
  const asked = { input_file_id: id, endpoint: path, completion_window: '24h' }
  const batchId = await idIn(gateway.send('/v1/batches', asked, { key }))
  await waitFor('the provider to have the batch', () => [...provider.batches.values()].at(-1))
  // Each line ends in another way: the last one is not answered.
  const answers = [
    { status: 200, body: said },
    { status: 200, body: silent },
    { status: 200, body: { ...said, usage: { prompt_tokens: 10 } } },
    { status: 400, body: { error: { message: 'no' } } },
    { status: 400, body: { error: { message: 'no' }, usage } },
  ]
  provider.end(({ customId }: UpstreamLine) => answers[Number(customId.slice('line-'.length)) - 1] ?? null)
  const receipts = await waitFor('the receipts of its lines', async () => {
    const rows = await gateway.service.database.query<{ canonical: string }>(
      `select canonical from receipts where canonical::json ->> 'batch' = $1
       order by (canonical::json ->> 'line')::int`,
      [batchId],
    )
    return rows.length === lines.length ? rows.map(({ canonical }) => JSON.parse(canonical)) : undefined
  })
  const sources = receipts.map((receipt) => receipt.usage)
  expect(sources).toEqual(['provider', 'counted', 'counted', 'counted', 'provider', 'counted'])
  // Half of 0.15 and 0.60 USD per million tokens: what is counted here has the same price.
  const [reported, counted] = receipts
  expect(reported).toMatchObject({ tier: 'batch', costNanos: 10 * 75 + 5 * 300 })
  expect(counted).toMatchObject({
    tier: 'batch',
    costNanos: counted.inputTokens * 75 + counted.outputTokens * 300,
  })
}

async function hangUp(): Promise<void> {
  gateway.upstream.answerWith((_, response) => startEvents(response)(chatChunk({ content: 'Once upon' })))
  const caller = new AbortController()
  const asked = { ...body, model: 'hasty/gpt-4o-mini', stream: true }
  const response = await gateway.send(path, asked, { key, signal: caller.signal })
  caller.abort()
  await waitFor('the receipt', () => gateway.receiptOf(response).catch(() => undefined))
}

/** The same call until its answer comes from the cache: an answer is stored after it was sent. */
async function useCache(): Promise<void> {
  const fields = { model: 'kept', ...pick(tiers) }
  await waitFor('a cached answer', async () => {
    const response = await call(answerWith(200, said), { service_tier: undefined, n: undefined, ...fields })
    return response.headers.get('x-tallystick-cache') === 'hit'
  })
}

async function adjust(): Promise<void> {
  const response = await call((_, answer) => void answer.destroy())
  const { seq } = await gateway.receiptOf(response)
  const corrected = { amountUsd: Math.floor(random() * 1_000) / 1e6, reason: 'the bill' }
  const { status } = await gateway.service.api.post(`/v1/compliance/receipts/${seq}/adjust`, corrected)
  expect(status).toBe(200)
}

/** By name, so that a failure tells which one it was. */
const endings: Readonly<Record<string, () => Promise<unknown>>> = {
  reported: () => call(answerWith(200, said)),
  counted: () => call(answerWith(200, silent)),
  reserved: () => call((_, response) => void response.destroy()),
  broken: () => call(breakOff, { stream: true }),
  'hung up': hangUp,
  'an error': () => call(answerWith(500, { error: { message: 'no' } })),
  'an error with usage': () => call(answerWith(400, { error: { message: 'no' }, usage })),
  'an error that is billed': () => call(answerWith(400, filtered), { model: 'azure/gpt-4o-mini' }),
  cached: useCache,
  adjusted: adjust,
  batch: runBatch,
}

test('the cost of every call, however it ended, is what its counts and its price come to', async () => {
  const names = Object.keys(endings)
  // All of them, and some again, in any order.
  const course = [...names, ...Array.from({ length: 10 }, () => pick(names.slice(0, -1)))]
  course.sort(() => random() - 0.5)
  for (const name of course) await endings[name]?.()

  const text = await (
    await fetch(`${gateway.service.address}/v1/compliance/export`, {
      headers: { authorization: `Bearer ${gateway.service.managerKey}` },
    })
  ).text()
  const costs = new CostCheck()
  const seen = new Set<string>()
  const verifier = new ExportVerifier({
    onEntry(entry) {
      costs.addEntry(entry)
      const { usage: source, outcome, cache } = entry.fields
      if (entry.fields.kind === 'model') seen.add(`${source} ${cache ?? outcome}`)
    },
  })
  for (const line of text.trimEnd().split('\n')) verifier.addLine(line)
  expect(verifier.finish().fault).toBeNull()
  expect(interrupted.length).toBeGreaterThan(10)
  for (const draft of interrupted)
    costs.addEntry({ fields: { ...draft, v: 2, seq: 0 }, leafHash: Buffer.alloc(0) })
  expect(costs.finish('export.jsonl')).toMatchObject({ fault: null, remarks: [] })
  expect([...seen].sort()).toEqual([
    'counted hit',
    'counted ok',
    'counted upstream_error',
    'provider ok',
    'provider upstream_error',
    'reserved aborted',
    'reserved upstream_error',
  ])
})
