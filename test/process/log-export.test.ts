import { afterEach, expect, test } from 'vitest'
import { startServiceProcess } from '../harness/processes/process.js'
import { type Collector, startCollector } from '../harness/reporting/collector.js'
import { waitFor } from '../harness/run/wait.js'
import { createApi } from '../harness/service/api.js'
import { createTestDatabase } from '../harness/service/database.js'

const managerKey = `tallystick_sk_${'m'.repeat(40)}`

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function start(collector: Collector, env: Record<string, string> = {}) {
  const database = await createTestDatabase()
  closing.push(database.drop)
  const service = await startServiceProcess({
    DATABASE_URL: database.url,
    TALLYSTICK_BOOTSTRAP_KEY: managerKey,
    TALLYSTICK_LOG_LEVEL: 'info',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_LOGS_EXPORTER: 'otlp',
    OTEL_BLRP_SCHEDULE_DELAY: '5',
    ...env,
  })
  closing.push(() => service.end('SIGKILL'))
  const api = createApi(service.address, managerKey)
  const call = (session: string) =>
    api.post(
      '/v1/chat/completions',
      { model: 'mock/echo', messages: [{ role: 'user', content: 'a confidential sentence' }] },
      { 'x-tallystick-session': session },
    )
  return { ...service, api, call }
}

test('the line of a call arrives at the collector with the trace of the call, and without content or keys', async () => {
  const collector = await startCollector()
  closing.push(() => collector.close())
  const service = await start(collector, { OTEL_SERVICE_NAME: 'gateway' })
  expect((await service.call('tallystick_sk_abc')).status).toBe(200)
  const line = await waitFor('the line of the call', () =>
    collector.lines.find(({ body }) => body === 'call answered'),
  )
  const root = await waitFor('its span', () => collector.spans.find(({ kind }) => kind === 2))
  expect(line).toMatchObject({
    ...{ severityText: 'info', severityNumber: 9, traceId: root.traceId },
    attributes: {
      ...{ model: 'mock/echo', outcome: 'ok', status: 200, session: 'tallystick_sk_…' },
      requestId: root.attributes['tallystick.request_id'],
      'stages.forward': expect.any(Number),
    },
  })
  expect(collector.resource).toMatchObject({ 'service.name': 'gateway' })
  expect(collector.requests.map(({ path }) => path)).toContain('/v1/logs')
  await service.end('SIGTERM')
  expect(collector.faults).toEqual([])
  const seen = JSON.stringify(collector.lines)
  expect(seen).not.toContain('a confidential sentence')
  expect(seen).not.toContain('sk_abc')
})

test('calls do not wait for a collector that is slow or away, and what is not sent is counted', async () => {
  const collector = await startCollector()
  closing.push(() => collector.close())
  collector.interceptWith((response) => {
    response.writeHead(400).end()
    return true
  })
  const service = await start(collector)
  for (let i = 0; i < 5; i++) expect((await service.call('s')).status).toBe(200)
  const dropped = await waitFor('lines to be counted', async () => {
    const { body } = await service.api.get('/metrics')
    return /^tallystick_log_lines_total\{.*outcome="dropped".*\} (\d+)$/m.exec(String(body))?.[1]
  })
  expect(Number(dropped)).toBeGreaterThan(0)
  // One that accepts connections and never answers.
  collector.interceptWith(() => true)
  const startedMs = performance.now()
  expect((await service.call('s')).status).toBe(200)
  expect(performance.now() - startedMs).toBeLessThan(9_000)
})
