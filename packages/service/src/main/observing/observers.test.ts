import { expect, test } from 'vitest'
import { newToolReceipt } from '../../../../../test/harness/mcp/tool-receipt.js'
import { type Collector, startCollector } from '../../../../../test/harness/reporting/collector.js'
import { MetricsReading } from '../../../../../test/harness/reporting/metrics.js'
import { waitFor } from '../../../../../test/harness/run/wait.js'
import { startStages } from '../../calls/core/index.js'
import type { FinishedToolAttempt } from '../../mcp/index.js'
import { createLog, createMetrics, createTracing, type Tracing } from '../../observability/index.js'
import type { ReceiptDraft } from '../../record/index.js'
import { ApiError } from '../../shared/errors.js'
import { createObservers, type Observers } from './observers.js'

interface Seen {
  observers: Observers
  tracing: Tracing
  collector: Collector
  lines(): Record<string, unknown>[]
  metrics(): Promise<MetricsReading>
}

/** Logs, metrics and traces as the service has them. */
async function observe(look: (seen: Seen) => Promise<void>): Promise<void> {
  const collector = await startCollector()
  const written: string[] = []
  const metrics = createMetrics()
  const tracing = createTracing({
    ...{
      url: `${collector.url}/v1/traces`,
      headers: {},
      isCompressed: false,
      timeoutMs: 600_000,
      delayMs: 5,
    },
    ...{ serviceName: 'tallystick', resourceAttributes: {}, sampler: 'parentbased_always_on', ratio: 1 },
    onSpans: () => undefined,
    log: { warn: () => undefined },
  })
  const log = createLog({
    level: 'info',
    format: 'json',
    destination: { write: (line) => void written.push(line) },
  })
  try {
    await look({
      observers: createObservers({ metrics, log, tracing }),
      tracing,
      collector,
      lines: () =>
        written
          .join('')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
      metrics: async () => new MetricsReading((await metrics.read()).text),
    })
  } finally {
    await tracing.close(0)
    await collector.close()
  }
}

const stages = () => ({
  ...startStages(0),
  ...{ readMs: 1, admittedMs: 2, guardedMs: 3, forwardedMs: 13, judgedMs: 14, settledMs: 15, recordedMs: 16 },
})

const key: FinishedToolAttempt['entitlements']['key'] = {
  ...{ id: 'key_1', name: 'ci', role: 'member', metadata: {}, tags: {} },
  ...{ rpmLimit: null, tpmLimit: null, limitsSince: 0, allowedModels: null, allowedTools: null },
}
const entitlements: FinishedToolAttempt['entitlements'] = { tenantId: 'ten_1', key, user: null, team: null }
const server = (name: string): FinishedToolAttempt['server'] => ({
  ...{ id: 'mcp_1', tenantId: 'ten_1', name, transport: { type: 'http', url: 'http://127.0.0.1:1' } },
  ...{
    auth: { type: 'none' },
    enabled: true,
    open: true,
    priceNanos: 0,
    rpmLimit: null,
    limitsSince: 0,
    tools: [],
  },
  ...{ timeoutMs: 1_000, maxResultBytes: 1_000, resources: [], prompts: [] },
})

function finished(
  fields: Partial<ReceiptDraft> = {},
  more: Partial<FinishedToolAttempt> = {},
): FinishedToolAttempt {
  const { draft } = newToolReceipt('t', { team: 'team_1', session: 'run-7', ...fields })
  return {
    ...{ method: 'tools/call', server: server(draft.server ?? ''), entitlements, draft, seq: 7 },
    ...{ fault: null, error: null, stages: stages(), latencyMs: 15, trace: null },
    ...more,
  }
}

test('a tool call is a line, its figures and a tree of spans', async () => {
  await observe(async ({ observers, tracing, collector, lines, metrics }) => {
    const call = finished({ toolError: true }, { trace: tracing.begin({}) })
    observers.toolFinished(call)
    expect(lines()).toMatchObject([
      {
        level: 'info',
        msg: 'tool called; it reported a failure',
        ...{ requestId: call.draft.id, receipt: 7, tenant: 'ten_1', team: 'team_1', session: 'run-7' },
        ...{ endpoint: 'mcp', provider: 'mcp:files', model: 'files__read' },
        ...{ server: 'files', tool: 'read', method: 'tools/call', toolError: true },
        ...{ outcome: 'ok', status: 200, costNanos: 2_000_000, latencyMs: 15 },
      },
    ])
    const page = await metrics()
    const labels = { server: 'files', tool: 'read' }
    expect(page.sum('tallystick_tool_calls_total', { ...labels, outcome: 'tool_error' })).toBe(1)
    expect(page.sum('tallystick_tool_spend_usd_total', labels)).toBe(0.002)
    expect(page.sum('tallystick_tool_duration_seconds_sum', { server: 'files' })).toBe(0.01)
    expect(page.sum('tallystick_calls_total', { provider: 'mcp', model: 'files', endpoint: 'mcp' })).toBe(1)
    expect(page.sum('tallystick_spend_usd_total')).toBe(0.002)
    expect(page.sum('tallystick_team_spend_usd_total', { team: 'team_1' })).toBe(0.002)
    expect(page.sum('tallystick_stage_duration_seconds_count', { stage: 'guard' })).toBe(1)
    expect(page.sum('tallystick_stage_duration_seconds_count', { stage: 'forward' })).toBe(0)

    await waitFor('the spans', () => collector.spans.length > 0)
    const span = collector.spans.find(({ name }) => name === 'execute_tool read')
    expect(span?.attributes).toMatchObject({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'read',
      'gen_ai.conversation.id': 'run-7',
      'mcp.method.name': 'tools/call',
      'tallystick.server': 'files',
      'error.type': 'tool_error',
    })
    expect(collector.spans.find(({ name }) => name === 'POST /mcp')?.attributes).toMatchObject({
      'tallystick.model': 'files__read',
      'tallystick.receipt': 7,
    })
    expect(collector.faults).toEqual([])
  })
})

test('errors of the protocol, failures of a server and policies are told apart', async () => {
  await observe(async ({ observers, lines, metrics }) => {
    observers.toolFinished(finished({ outcome: 'upstream_error', rpcCode: -32602 }))
    observers.toolFinished(finished({ outcome: 'upstream_error', status: 504 }))
    const error = new ApiError('policy_violation', 'It has a card number', {
      policy_id: 'pol_1',
      check: 'pii',
    })
    const blocked = { outcome: 'blocked' as const, status: 403, costNanos: 0 }
    observers.toolFinished(finished(blocked, { error, stages: { ...stages(), forwardedMs: Number.NaN } }))
    expect(lines()).toMatchObject([
      { level: 'info', rpcCode: -32602, msg: 'tool server answered with a protocol error' },
      { level: 'warn', msg: 'tool server failed' },
      { level: 'info', msg: 'call blocked', policy: 'pol_1', check: 'pii', attempts: 0 },
    ])
    const page = await metrics()
    expect(page.sum('tallystick_tool_calls_total', { outcome: 'upstream_error' })).toBe(2)
    expect(page.sum('tallystick_tool_calls_total', { outcome: 'blocked' })).toBe(1)
  })
})

test('what callers write into a request for a resource is in no line, figure or span', async () => {
  await observe(async ({ observers, tracing, collector, lines, metrics }) => {
    const secret = 'file:///home/grace/secret.txt'
    observers.toolFinished(
      finished(
        { tool: secret, method: 'resources/read' },
        { method: 'resources/read', trace: tracing.begin({}) },
      ),
    )
    expect(lines()).toMatchObject([{ method: 'resources/read', model: 'files:resources/read' }])
    expect(JSON.stringify(lines())).not.toContain('secret')
    const page = await metrics()
    expect(page.sum('tallystick_tool_calls_total', { tool: 'resources/read' })).toBe(1)
    await waitFor('the spans', () => collector.spans.length > 0)
    expect(collector.spans.map(({ name }) => name)).toContain('resources/read')
    expect(JSON.stringify(collector.spans)).not.toContain('secret')
  })
})

test('a tool call that was not let in is told, and one of a process that died', async () => {
  await observe(async ({ observers, tracing, collector, lines, metrics }) => {
    observers.toolRefused({
      ...{ id: 'req_1', server: server('files'), tool: 'read', method: 'tools/call', entitlements },
      error: new ApiError('rate_limit_exceeded', 'Not now'),
      stages: stages(),
      trace: tracing.begin({}),
    })
    const { draft } = newToolReceipt('t', { outcome: 'interrupted', status: 500 })
    observers.recorded([{ tenantId: 't', seq: 9, draft, commitmentKey: Buffer.alloc(32) }], 1)
    expect(lines()).toMatchObject([
      { outcome: 'refused', endpoint: 'mcp', server: 'files', tool: 'read', key: 'key_1' },
      { outcome: 'interrupted', level: 'error', server: 'files', tool: 'read', receipt: 9 },
    ])
    const page = await metrics()
    expect(page.sum('tallystick_refused_total', { endpoint: 'mcp', type: 'rate_limit_exceeded' })).toBe(1)
    expect(page.sum('tallystick_interrupted_calls_total')).toBe(1)
    expect(page.sum('tallystick_tool_calls_total')).toBe(1)
    expect(page.sum('tallystick_calls_total')).toBe(1)
    await waitFor('the spans', () => collector.spans.length > 0)
    expect(collector.faults).toEqual([])
  })
})

test('2,000 servers and tools leave a page of some thousand lines, with nothing missing', async () => {
  await observe(async ({ observers, metrics }) => {
    for (let i = 0; i < 2_000; i++) observers.toolFinished(finished({ server: `s${i}`, tool: `t${i}` }))
    const page = await metrics()
    expect(page.samples.length).toBeLessThan(5_000)
    for (const name of ['tallystick_tool_calls_total', 'tallystick_calls_total'])
      expect(page.sum(name)).toBe(2_000)
    expect(page.sum('tallystick_tool_spend_usd_total')).toBe(4)
  })
})
