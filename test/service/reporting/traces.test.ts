import type { ServerResponse } from 'node:http'
import { hostname } from 'node:os'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { readVersion } from '../../../packages/service/src/config/index.js'
import { say } from '../../harness/policies/dialect-texts.js'
import { sendJson, startEvents } from '../../harness/providers/upstream.js'
import { type Collector, type SeenSpan, startCollector } from '../../harness/reporting/collector.js'
import { readMetrics } from '../../harness/reporting/metrics.js'
import { waitFor } from '../../harness/run/wait.js'
import { makeGate, readPieces, startTestGateway, type TestGateway } from '../../harness/service/gateway.js'

let gateway: TestGateway
let collector: Collector
const startTraced = (collectorUrl: string, timeoutMs: number) =>
  startTestGateway({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20secret',
      OTEL_BSP_SCHEDULE_DELAY: '5',
      OTEL_EXPORTER_OTLP_TIMEOUT: String(timeoutMs),
    },
  })
beforeAll(async () => {
  collector = await startCollector()
  // Spans whose collector did not answer in time come again: here each comes once.
  gateway = await startTraced(collector.url, 600_000)
})
afterAll(async () => {
  await gateway.stop()
  await collector.close()
})
afterEach(() => {
  expect(collector.faults).toEqual([])
})

const chat = (fields: object = {}) => ({
  model: 'gpt-4o-mini',
  messages: [{ role: 'user', content: 'the secret of the house' }],
  ...fields,
})
const path = '/v1/chat/completions'
/** And no more. */
function saysOneWord(_: unknown, response: ServerResponse): void {
  startEvents(response)
  response.write('data: {"choices":[{"delta":{"content":"one"}}]}\n\n')
}
const server = 2
const client = 3

interface Tree {
  root: SeenSpan
  attempt: SeenSpan | undefined
  stages: string[]
  all: SeenSpan[]
}

/** The spans of one call: one root, and every other one below it. */
async function treeOf(response: Response | string): Promise<Tree> {
  const id = typeof response === 'string' ? response : response.headers.get('x-tallystick-request-id')
  const isRoot = ({ attributes }: SeenSpan) => attributes['tallystick.request_id'] === id
  const root = await waitFor(`the spans of ${id}`, () => collector.spans.find(isRoot))
  const all = collector.spans.filter(({ spanId }) => spanId.startsWith(root.spanId.slice(0, 14)))
  expect(collector.spans.filter(isRoot)).toHaveLength(1)
  expect(new Set(all.map(({ spanId }) => spanId)).size).toBe(all.length)
  for (const span of all) {
    expect(span.traceId).toBe(root.traceId)
    if (span === root) continue
    const parent = all.find(({ spanId }) => spanId === span.parentSpanId)
    expect(parent, `the parent of ${span.name}`).toBeDefined()
    expect(BigInt(span.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(parent?.startTimeUnixNano ?? 0))
    expect(BigInt(span.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(parent?.endTimeUnixNano ?? 0))
  }
  expect(root.kind).toBe(server)
  return {
    root,
    attempt: all.find(({ kind }) => kind === client),
    stages: all.filter(({ kind }) => kind === 1).map(({ name }) => name),
    all,
  }
}

const toAdmit = ['read', 'receive', 'plan', 'reserve', 'admit']
const answered = [...toAdmit, 'guard', 'forward', 'answer', 'settle', 'record']

test('spans and metrics name the version and the instance alike', async () => {
  await treeOf(await gateway.send(path, chat()))
  const { resource } = collector
  expect(resource).toMatchObject({
    'service.name': 'tallystick',
    'service.version': readVersion(),
    'service.instance.id': expect.stringContaining(hostname()),
  })
  const metrics = await readMetrics(gateway.service.address)
  expect(metrics.of('tallystick_build_info')).toMatchObject([
    {
      labels: {
        version: resource['service.version'],
        service_instance_id: resource['service.instance.id'],
      },
      value: 1,
    },
  ])
})

describe('a call is one tree of spans', () => {
  test('with its receipt at the root, and the conventions for generative AI at the request to the provider', async () => {
    gateway.upstream.answerWith(say('chat', 'hello'))
    const response = await gateway.send(path, chat(), {
      headers: { 'x-tallystick-tags': 'project=alpha', 'x-tallystick-session': 'run-1' },
    })
    await response.text()
    const { root, attempt, stages, all } = await treeOf(response)
    const receipt = await gateway.receiptOf(response)
    expect(root).toMatchObject({
      name: 'POST /v1/chat/completions',
      attributes: {
        'http.request.method': 'POST',
        'http.response.status_code': 200,
        'tallystick.receipt': receipt.seq,
        'tallystick.key_id': receipt.key,
        'tallystick.tenant': receipt.tenant,
        'tallystick.cost_nanos': receipt.costNanos,
        'tallystick.outcome': 'ok',
        'tallystick.tag.project': 'alpha',
        'session.id': 'run-1',
      },
    })
    expect(root.parentSpanId).toBeUndefined()
    expect(root.status).toBeUndefined()
    expect(attempt).toMatchObject({
      name: 'chat gpt-4o-mini',
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': 'gpt-4o-mini',
        'gen_ai.response.model': receipt.upstream,
        'gen_ai.usage.input_tokens': receipt.inputTokens,
        'gen_ai.usage.output_tokens': receipt.outputTokens,
        'gen_ai.conversation.id': 'run-1',
        'server.address': '127.0.0.1',
        'server.port': Number(new URL(gateway.upstream.url).port),
        'http.response.status_code': 200,
      },
    })
    expect(attempt?.attributes['error.type']).toBeUndefined()
    expect(stages).toEqual(answered)
    expect(JSON.stringify(all)).not.toMatch(/secret|hello|tallystick_sk_|sk-upstream/)
  })

  test('when it is streamed', async () => {
    gateway.upstream.answerWith(say('chat', 'hello'))
    const response = await gateway.send(path, chat({ stream: true }))
    await response.text()
    const { stages, attempt } = await treeOf(response)
    expect(stages).toEqual(answered)
    expect(attempt).toBeDefined()
  })

  test.each<[string, object, string | undefined, number, string[]]>([
    ['no such model', { model: 'nope' }, undefined, 404, ['read', 'receive']],
    ['not understood', { stream: 'yes' }, undefined, 400, ['read']],
    ['no key', {}, 'tallystick_sk_nobody', 401, []],
  ])('when it is refused: %s', async (_, fields, key, status, reached) => {
    const response = await gateway.send(path, chat(fields), key === undefined ? {} : { key })
    expect(response.status).toBe(status)
    const { root, attempt, stages } = await treeOf(response)
    expect(root.attributes).toMatchObject({
      'http.response.status_code': status,
      'tallystick.outcome': 'refused',
    })
    expect(root.attributes['error.type']).toMatch(/^[a-z_]+$/)
    expect([attempt, stages]).toEqual([undefined, reached])
  })

  test('when it names a key instead of a model, without the key', async () => {
    const { root } = await treeOf(await gateway.send(path, chat({ model: gateway.service.managerKey })))
    expect(root.attributes['tallystick.model']).toBe('tallystick_sk_…')
  })

  test('when it names a model by half of a character, which no collector takes', async () => {
    for (const model of ['x\ud800y', `${'x'.repeat(255)}😀`]) {
      const { root } = await treeOf(await gateway.send(path, chat({ model })))
      expect(String(root.attributes['tallystick.model']).isWellFormed()).toBe(true)
    }
  })

  test('when a rate limit refuses it', async () => {
    gateway.upstream.answerWith(say('chat', 'hello'))
    const key = await gateway.key({ rpmLimit: 1 })
    await (await gateway.send(path, chat(), { key })).text()
    const response = await gateway.send(path, chat(), { key })
    expect(response.status).toBe(429)
    const { stages, root } = await treeOf(response)
    expect(stages).toEqual(toAdmit)
    expect(root.attributes['error.type']).toBe('rate_limit_exceeded')
  })

  test('when its provider answers with an error', async () => {
    gateway.upstream.answerWith((_, response) =>
      sendJson(response, 529, { error: { message: 'overloaded' } }),
    )
    const response = await gateway.send(path, chat())
    expect(response.status).toBe(529)
    const { root, attempt } = await treeOf(response)
    expect(root.status).toEqual({ code: 2 })
    expect(attempt).toMatchObject({ status: { code: 2 }, attributes: { 'error.type': '529' } })
  })

  test('when its provider breaks off', async () => {
    gateway.upstream.answerWith((_, response) => void response.destroy())
    const response = await gateway.send(path, chat())
    expect(response.status).toBe(502)
    const { attempt, stages } = await treeOf(response)
    expect(attempt?.attributes['error.type']).toBe('upstream_error')
    expect(stages).toEqual(answered.filter((name) => name !== 'answer'))
  })

  test('when its caller hangs up in the middle', async () => {
    gateway.upstream.answerWith(saysOneWord)
    const response = await gateway.send(path, chat({ stream: true }))
    const pieces = readPieces(response)
    await pieces.until((text) => text.includes('one'))
    await pieces.cancel()
    const { root, attempt } = await treeOf(response)
    expect(root.attributes).toMatchObject({
      'tallystick.outcome': 'aborted',
      'http.response.status_code': 499,
    })
    expect(attempt?.attributes['error.type']).toBe('aborted')
  })

  test('when its key is revoked before the answer came, so that nobody sees it', async () => {
    const gate = makeGate()
    gateway.upstream.answerWith(async (request, response) => {
      await gate.passed
      await say('chat', 'hello')(request, response)
    })
    const { body } = await gateway.service.api.post('/v1/keys', { name: 'short-lived' })
    const seen = gateway.upstream.seen.length
    const sending = gateway.send(path, chat(), { key: body.key })
    await waitFor('the call', () => seen + 1 === gateway.upstream.seen.length)
    gateway.upstream.answerWith(saysOneWord)
    const stream = await gateway.send(path, chat({ stream: true }), { key: body.key })
    await gateway.service.api.delete(`/v1/keys/${body.id}`)
    // It ends when the revocation is noticed, for both calls of the key at once.
    await stream.text()
    gate.open()
    const response = await sending
    expect(response.status).toBe(401)
    const { root, attempt } = await treeOf(response)
    expect(root.attributes).toMatchObject({ 'tallystick.outcome': 'aborted', 'error.type': 'unauthorized' })
    expect(attempt?.attributes['gen_ai.usage.output_tokens']).toBeGreaterThan(0)
  })
})

describe('the trace of the caller', () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const parentId = '00f067aa0ba902b7'
  const call = async (headers: Record<string, string>) => {
    gateway.upstream.answerWith(say('chat', 'hello'))
    const response = await gateway.send(path, chat(), { headers })
    await response.text()
    return { response, seen: gateway.upstream.seen.at(-1)?.headers ?? {} }
  }

  test('goes on, and reaches the provider with our request to it as the parent', async () => {
    const { response, seen } = await call({
      traceparent: `00-${traceId}-${parentId}-01`,
      tracestate: 'congo=t61rcWkgMzE',
      baggage: 'user=ada',
    })
    const { root, attempt } = await treeOf(response)
    expect(root).toMatchObject({ traceId, parentSpanId: parentId, traceState: 'congo=t61rcWkgMzE' })
    expect(seen.traceparent).toBe(`00-${traceId}-${attempt?.spanId}-01`)
    expect(seen.tracestate).toBe('congo=t61rcWkgMzE')
    expect(seen.baggage).toBeUndefined()
  })

  test('that is not kept is not kept here either, and the provider is told so', async () => {
    const { response, seen } = await call({ traceparent: `00-${traceId}-${parentId}-00` })
    expect(seen.traceparent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`))
    const { response: next } = await call({})
    await treeOf(next)
    const id = response.headers.get('x-tallystick-request-id')
    expect(collector.spans.filter(({ attributes }) => attributes['tallystick.request_id'] === id)).toEqual([])
  })

  test('that cannot be read is none: another one begins', async () => {
    const { response, seen } = await call({
      traceparent: `00-${traceId}-${'0'.repeat(16)}-01`,
      tracestate: 'a=1',
    })
    const { root } = await treeOf(response)
    expect(root.traceId).not.toBe(traceId)
    expect(seen.traceparent).toContain(root.traceId)
    expect(seen.tracestate).toBeUndefined()
  })

  test('may say what policies forbid: its words are judged like those of other headers', async () => {
    const { body: policy } = await gateway.service.api.post('/v1/policies', {
      name: 'no congo',
      kind: 'keywords',
      config: { words: ['congo'] },
      action: 'block',
      phase: 'input',
    })
    const seen = gateway.upstream.seen.length
    const { response } = await call({ traceparent: `00-${traceId}-${parentId}-01`, tracestate: 'a=congo' })
    expect(response.status).toBe(403)
    expect(gateway.upstream.seen).toHaveLength(seen)
    const { root, stages } = await treeOf(response)
    expect(root.attributes).toMatchObject({ 'tallystick.policy': policy.id, 'tallystick.outcome': 'blocked' })
    expect(stages).toEqual([...toAdmit, 'guard', 'settle', 'record'])
    await gateway.service.api.delete(`/v1/policies/${policy.id}`)
  })

  test('of one caller is not mixed up with that of another', async () => {
    gateway.upstream.answerWith(say('chat', 'hello'))
    const traces = Array.from({ length: 30 }, (_, index) => String(index + 1).padStart(32, 'a'))
    const answers = await Promise.all(
      traces.map(async (id, index) => {
        const headers = { traceparent: `00-${id}-${parentId}-01`, 'x-tallystick-session': `run-${index}` }
        const response = await gateway.send(path, chat({ stream: index % 2 === 0 }), { headers })
        await response.text()
        return response
      }),
    )
    for (const [index, response] of answers.entries()) {
      const { root, attempt, stages } = await treeOf(response)
      const id = traces[index]
      expect(root).toMatchObject({ traceId: id, attributes: { 'session.id': `run-${index}` } })
      expect(stages).toEqual(answered)
      const told = gateway.upstream.seen.filter(({ headers }) =>
        String(headers.traceparent).includes(`-${id}-`),
      )
      expect(told.map(({ headers }) => headers.traceparent)).toEqual([`00-${id}-${attempt?.spanId}-01`])
    }
  })
})

describe('a collector that does not do its part', () => {
  let failing: Collector
  let impatient: TestGateway
  beforeAll(async () => {
    failing = await startCollector()
    impatient = await startTraced(failing.url, 500)
  })
  afterAll(async () => {
    await impatient.stop()
    await failing.close()
  })

  const call = async () => {
    impatient.upstream.answerWith(say('chat', 'hello'))
    const response = await impatient.send(path, chat())
    expect([response.status, JSON.stringify(await response.json())]).toEqual([
      200,
      expect.stringContaining('hello'),
    ])
    return response
  }
  afterEach(() => failing.interceptWith(null))

  test('and stalls keeps no call waiting; the spans come later', async () => {
    failing.interceptWith(() => true)
    const responses = [await call(), await call(), await call()]
    await waitFor('a request that stalls', () => failing.requests.length > 0)
    failing.interceptWith(null)
    for (const response of responses) {
      const id = response.headers.get('x-tallystick-request-id')
      await waitFor(`the spans of ${id}`, () =>
        failing.spans.some(({ attributes }) => attributes['tallystick.request_id'] === id),
      )
    }
  })

  test('and refuses is counted, and no call fails', async () => {
    const dropped = async () => {
      const page = await (await fetch(`${impatient.service.address}/metrics`)).text()
      return Number(/^tallystick_trace_spans_total\{outcome="dropped"\} (\d+)$/m.exec(page)?.[1] ?? 0)
    }
    const before = await dropped()
    failing.interceptWith((response) => {
      response.writeHead(400).end('no')
      return true
    })
    await call()
    await waitFor('the count', async () => (await dropped()) > before)
  })
})
