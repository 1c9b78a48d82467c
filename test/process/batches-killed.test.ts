import { mkdtemp, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { type ServiceProcess, startServiceProcess } from '../harness/processes/process.js'
import { BatchProvider } from '../harness/providers/batch-provider.js'
import { type SeenRequest, startUpstream } from '../harness/providers/upstream.js'
import { chatAnswer } from '../harness/providers/vendor-answers.js'
import { random } from '../harness/run/seed.js'
import { waitFor } from '../harness/run/wait.js'
import { createApi } from '../harness/service/api.js'
import { createTestDatabase, type TestDatabase } from '../harness/service/database.js'
import { makeGate } from '../harness/service/gateway.js'

const managerKey = `tallystick_sk_${'m'.repeat(40)}`
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const lineCount = 12
const file = Array.from({ length: lineCount }, (_, n) =>
  JSON.stringify({
    custom_id: `line of mine ${n}`,
    method: 'POST',
    url: '/v1/chat/completions',
    body: { model: 'gpt-4o-mini', messages: [{ role: 'user', content: `${n}` }], max_completion_tokens: 50 },
  }),
).join('\n')

/** The moments at which the process is killed: in the middle of a request to the provider, before or after that has taken effect. */
const moments: { name: string; at: RegExp; after: boolean }[] = [
  { name: 'before its file is uploaded', at: /^POST \/v1\/files$/, after: false },
  { name: 'when its file is uploaded', at: /^POST \/v1\/files$/, after: true },
  { name: 'before it is made', at: /^POST \/v1\/batches$/, after: false },
  { name: 'when it is made, and nobody has heard of it', at: /^POST \/v1\/batches$/, after: true },
  { name: 'when its answers are fetched', at: /^GET \/v1\/files\/.*\/content$/, after: true },
]

async function upload(service: ServiceProcess): Promise<string> {
  const form = new FormData()
  form.set('purpose', 'batch')
  form.set('file', new File([file], 'work.jsonl'))
  const headers = { authorization: `Bearer ${managerKey}` }
  const response = await fetch(`${service.address}/v1/files`, { method: 'POST', headers, body: form })
  expect(response.status).toBe(200)
  const { id }: { id: string } = JSON.parse(await response.text())
  return id
}

const order = (fileId: string) => ({
  input_file_id: fileId,
  endpoint: '/v1/chat/completions',
  completion_window: '24h',
})

interface Line {
  batch: string
  line: number
  outcome: string
  costNanos: number
}

const readLines = async (database: TestDatabase): Promise<Line[]> =>
  (
    await database.query<{ canonical: string }>(
      `select canonical from receipts where canonical::json ->> 'batch' is not null`,
    )
  ).map(({ canonical }) => JSON.parse(canonical))

test('a batch outlives its process, wherever that is killed: one batch at the provider, one receipt for each line', async () => {
  const database = await createTestDatabase()
  closing.push(database.drop)
  const dataDir = await mkdtemp(join(tmpdir(), 'tallystick-batches-'))
  closing.push(() => rm(dataDir, { recursive: true, force: true }))
  const provider = new BatchProvider()
  const upstream = await startUpstream(provider.script)
  closing.push(upstream.close)
  let service: ServiceProcess | null = null
  closing.push(async () => void (await service?.end('SIGKILL')))
  const start = async () => {
    service = await startServiceProcess({
      ...{ DATABASE_URL: database.url, TALLYSTICK_DATA_DIR: dataDir, TALLYSTICK_BOOTSTRAP_KEY: managerKey },
      ...{ OPENAI_API_KEY: 'sk-upstream', OPENAI_BASE_URL: `${upstream.url}/v1` },
    })
    return { service, api: createApi(service.address, managerKey) }
  }
  const end = () => {
    for (const batch of provider.batches.values())
      if (batch.status === 'in_progress')
        provider.end(
          () => ({
            status: 200,
            body: { ...chatAnswer({ content: 'Done.' }), usage: { prompt_tokens: 10, completion_tokens: 5 } },
          }),
          'completed',
          batch,
        )
  }
  const statusOf = async (api: ReturnType<typeof createApi>, id: string) =>
    (await api.get(`/v1/batches/${id}`)).body.status

  let made = 0
  let current = await start()
  for (const moment of moments) {
    const first = current
    const [heard, killed] = [makeGate(), makeGate()]
    provider.intercept = (request: SeenRequest) => {
      if (!moment.at.test(`${request.method} ${request.path}`)) return false
      provider.intercept = null
      if (moment.after) provider.script(request, silent)
      // Not before the caller has its answer: it may get that a moment later than the provider its request.
      void heard.passed.then(() => first.service.end('SIGKILL')).then(() => killed.open())
      return true
    }
    const { status, body } = await first.api.post('/v1/batches', order(await upload(first.service)))
    expect(status, JSON.stringify(body)).toBe(200)
    heard.open()
    made++
    if (moment.name === 'when its answers are fetched')
      await waitFor('the batch to run', async () => {
        end()
        return provider.intercept === null || undefined
      })
    await killed.passed

    current = await start()
    const second = current
    await waitFor(
      `the batch to be sent (killed ${moment.name})`,
      async () => provider.batches.size === made || undefined,
    )
    end()
    await waitFor(`the batch to end (killed ${moment.name})`, async () => {
      return (await statusOf(second.api, body.id)) === 'completed' || undefined
    })
    // Sent once, answered once.
    expect(provider.batches.size, moment.name).toBe(made)
    const lines = (await readLines(database)).filter(({ batch }) => batch === body.id)
    expect(
      lines.map(({ line }) => line).sort((a, b) => a - b),
      moment.name,
    ).toEqual(Array.from({ length: lineCount }, (_, n) => n + 1))
    expect(new Set(lines.map(({ outcome, costNanos }) => `${outcome} ${costNanos}`))).toEqual(
      new Set(['ok 2250']),
    )
  }

  // In the middle of the reservation: whether the caller heard of it or not, nothing stays behind.
  const last = current
  const fileId = await upload(last.service)
  const orders = Array.from({ length: 6 }, () =>
    last.api.post('/v1/batches', order(fileId)).then(
      ({ status }) => status,
      () => 0,
    ),
  )
  await new Promise((resolve) => setTimeout(resolve, random() * 60))
  await last.service.end('SIGKILL')
  await Promise.all(orders)
  const final = await start()
  await waitFor('all batches to end', async () => {
    end()
    const { body } = await final.api.get('/v1/batches?limit=100')
    const open = await database.query('select id from open_calls')
    const isOver = body.data.every(({ status }: { status: string }) => status === 'completed')
    return (isOver && open.length === 0) || undefined
  })
  const { body } = await final.api.get('/v1/batches?limit=100')
  const stored: string[] = body.data.map(({ id }: { id: string }) => id)
  expect(provider.batches.size).toBe(stored.length)
  for (const line of await readLines(database))
    expect([line.outcome, line.costNanos]).toEqual(
      stored.includes(line.batch) ? ['ok', 2250] : ['interrupted', 0],
    )
})

/** An answer that nobody gets. */
const silent = {
  writeHead: () => ({ end: () => undefined }),
} as unknown as ServerResponse
