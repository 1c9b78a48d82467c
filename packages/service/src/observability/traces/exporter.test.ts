import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Collector, startCollector } from '../../../../../test/harness/reporting/collector.js'
import { waitFor } from '../../../../../test/harness/run/wait.js'
import type { CallSummary } from '../call-summary.js'
import { createTracing, type TracingOptions } from './tracing.js'

const summary: CallSummary = {
  requestId: 'req_1',
  receipt: 7,
  tenant: 'ten_1',
  key: 'key_1',
  user: null,
  team: null,
  session: null,
  tags: null,
  endpoint: 'chat',
  route: '/v1/chat/completions',
  model: 'gpt-4o',
  provider: 'openai',
  vendor: 'openai',
  target: 'gpt-4o',
  upstream: null,
  answerId: null,
  tool: null,
  server: null,
  stream: false,
  attempts: 1,
  status: 200,
  upstreamStatus: 200,
  outcome: 'ok',
  error: null,
  inputTokens: 1,
  outputTokens: 2,
  cachedTokens: 0,
  costNanos: 3,
  usage: 'provider',
  doubt: null,
  latencyMs: 1,
  firstByteMs: 1,
  beginMs: 0,
  endMs: 3,
  stages: [
    { name: 'forward', beginMs: 0, endMs: 1 },
    { name: 'answer', beginMs: 1, endMs: 2 },
    { name: 'record', beginMs: 2, endMs: 3 },
  ],
  traceId: null,
}
const spansPerCall = 5

let collector: Collector
let counts: { exported: number; dropped: number }
let warnings: string[]
const stops: (() => Promise<void>)[] = []

beforeEach(async () => {
  collector = await startCollector()
  counts = { exported: 0, dropped: 0 }
  warnings = []
})
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
  await collector.close().catch(() => undefined)
})

function open(options: Partial<TracingOptions> = {}) {
  const tracing = createTracing({
    url: `${collector.url}/v1/traces`,
    headers: { authorization: 'Basic secret' },
    isCompressed: false,
    timeoutMs: 600_000,
    delayMs: 5,
    minRetryMs: 10,
    serviceName: 'tallystick',
    resourceAttributes: { 'deployment.environment.name': 'test' },
    sampler: 'parentbased_always_on',
    ratio: 1,
    onSpans(result, count) {
      counts[result] += count
    },
    log: { warn: (_, message) => void warnings.push(message) },
    ...options,
  })
  const close = (graceMs = 600_000) => tracing.close(graceMs)
  stops.push(() => close(0))
  const call = () => tracing.finish(tracing.begin({}), summary)
  return { tracing, call, close }
}

describe('spans reach the collector', () => {
  test.each([false, true])('with the headers of the operator; compressed: %s', async (isCompressed) => {
    const { call } = open({ isCompressed })
    call()
    await waitFor('the spans', () => counts.exported === spansPerCall)
    expect(collector.faults).toEqual([])
    expect(collector.spans).toHaveLength(spansPerCall)
    expect(collector.requests).toMatchObject([
      { path: '/v1/traces', headers: { authorization: 'Basic secret' } },
    ])
    expect(collector.resource).toEqual({
      'service.name': 'tallystick',
      'deployment.environment.name': 'test',
    })
  })

  test('many calls are sent in few requests', async () => {
    const { call } = open({ delayMs: 50 })
    for (let index = 0; index < 500; index++) call()
    await waitFor('the spans', () => counts.exported === 500 * spansPerCall)
    expect(collector.requests.length).toBeLessThan(5)
    expect(collector.faults).toEqual([])
    expect(new Set(collector.spans.map(({ spanId, traceId }) => spanId + traceId)).size).toBe(
      500 * spansPerCall,
    )
  })

  test('when the service stops: everything that was queued', async () => {
    const { call, close } = open({ delayMs: 60_000 })
    for (let index = 0; index < 50; index++) call()
    await close()
    expect(collector.spans).toHaveLength(50 * spansPerCall)
    call()
    expect(counts).toEqual({ exported: 50 * spansPerCall, dropped: spansPerCall })
  })

  test.each([429, 502, 503, 504])('on a retry after it answered %i', async (status) => {
    let refusals = 2
    collector.interceptWith((response) => {
      if (refusals-- <= 0) return false
      response.writeHead(status).end('busy')
      return true
    })
    open().call()
    await waitFor('the spans', () => counts.exported === spansPerCall)
    expect(collector.requests).toHaveLength(3)
    expect(counts.dropped).toBe(0)
  })

  test('not before the time in its Retry-After', async () => {
    const { call } = open()
    const times: number[] = []
    collector.interceptWith((response) => {
      times.push(performance.now())
      if (times.length > 1) return false
      response.writeHead(503, { 'retry-after': '1' }).end()
      return true
    })
    call()
    await waitFor('the spans', () => counts.exported === spansPerCall)
    // Timers may fire a little early.
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(990)
  })

  test('after an outage of the collector', async () => {
    const port = Number(new URL(collector.url).port)
    await collector.close()
    let failed = false
    const broken = createServer((socket) => {
      failed = true
      socket.destroy()
    }).listen(port, '127.0.0.1')
    await once(broken, 'listening')
    // The attempts, of which there are eight, last until it is back.
    const { call } = open({ minRetryMs: 100 })
    call()
    await waitFor('an attempt that failed', () => failed)
    broken.close()
    await once(broken, 'close')
    collector = await startCollector(port)
    await waitFor('the spans', () => counts.exported === spansPerCall)
    expect(collector.spans).toHaveLength(spansPerCall)
  })
})

describe('spans that cannot be sent are dropped, counted, and occasionally logged', () => {
  test.each([400, 401, 404, 500])('when the collector answers %i', async (status) => {
    collector.interceptWith((response) => {
      response.writeHead(status).end('no')
      return true
    })
    const { call } = open()
    for (let index = 1; index <= 3; index++) {
      call()
      await waitFor('the answer', () => counts.dropped === index * spansPerCall)
    }
    expect(collector.requests).toHaveLength(3)
    expect(warnings).toEqual([expect.stringContaining(`the collector answered ${status}; check OTEL_`)])
  })

  test('when the collector reports that it rejected some', async () => {
    collector.interceptWith((response) => {
      response.writeHead(200).end('{"partialSuccess":{"rejectedSpans":"2","errorMessage":"too old"}}')
      return true
    })
    open().call()
    await waitFor('the answer', () => counts.dropped === 2)
    expect(counts.exported).toBe(spansPerCall - 2)
  })

  test('when the queue is full because the collector stalls; the service still stops in time', async () => {
    collector.interceptWith(() => true)
    const { call, close } = open({ maxQueueBytes: 20_000 })
    for (let index = 0; index < 1_000; index++) call()
    await waitFor('a request', () => collector.requests.length === 1)
    const dropped = counts.dropped
    expect(dropped).toBeGreaterThan(900 * spansPerCall)
    await close(50)
    expect(counts).toEqual({ exported: 0, dropped: 1_000 * spansPerCall })
  })

  test('when there is no collector and the service stops', async () => {
    await collector.close()
    const { call, close } = open()
    call()
    await close(100)
    expect(counts).toEqual({ exported: 0, dropped: spansPerCall })
  })

  test('not when a successful answer has an unexpected body', async () => {
    collector.interceptWith((response) => {
      response.writeHead(200).end('<html>'.repeat(100_000))
      return true
    })
    open().call()
    await waitFor('the answer', () => counts.exported === spansPerCall)
    expect(counts.dropped).toBe(0)
  })
})

test('a trace that is not sampled sends nothing', async () => {
  const { call, close } = open({ sampler: 'always_off' })
  call()
  await close()
  expect([collector.requests, counts]).toEqual([[], { exported: 0, dropped: 0 }])
})
