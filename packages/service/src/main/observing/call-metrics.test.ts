import { expect, test } from 'vitest'
import { MetricsReading } from '../../../../../test/harness/reporting/metrics.js'
import { startStages } from '../../calls/core/index.js'
import { createMetrics } from '../../observability/index.js'
import type { ReceiptDraft } from '../../record/index.js'
import { createCallMetrics } from './call-metrics.js'

function start() {
  const metrics = createMetrics()
  return {
    calls: createCallMetrics(metrics),
    read: async () => new MetricsReading((await metrics.read()).text),
  }
}

const draft = (fields: Partial<ReceiptDraft> = {}): ReceiptDraft => ({
  id: 'req_1',
  ts: '2026-11-16T12:00:00.000Z',
  kind: 'model',
  outcome: 'ok',
  usage: 'provider',
  costNanos: 7,
  counts: { input: 10, cached: 4, output: 5, reasoning: 2 },
  ...fields,
})

const finished = (i: number, fields: Partial<ReceiptDraft> = {}) => ({
  call: { endpoint: { name: 'chat' }, stream: false },
  target: { model: `model-${i}`, provider: { name: `provider-${i}`, pricesOf: `vendor-${i}` } },
  draft: draft({ key: `key_${i}`, user: `user-${i}`, team: `team_${i}`, ...fields }),
  stages: { ...startStages(0), readMs: 1, guardedMs: 2, forwardedMs: 3, answeredMs: 5, recordedMs: 6 },
  latencyMs: 5,
  firstByteMs: 3,
  cache: null,
})

/** Without those of the Node process: a kind of garbage collection has lines from its first time on. */
const linesOfCalls = (page: MetricsReading): number =>
  page.samples.filter(({ name }) => !/^tallystick_(nodejs|process)_/.test(name)).length

test('10,000 models, providers, teams, keys and users leave a page of some thousand lines, with nothing missing', async () => {
  const { calls, read } = start()
  const callAll = (from: number, to: number) => {
    for (let i = from; i < to; i++) callOne(i)
  }
  function callOne(i: number): void {
    const checks = [{ name: `check ${i}`, applicable: true, result: 'fail' as const, action: `action ${i}` }]
    calls.finished(finished(i, { checks }))
    calls.refused({ endpoint: { name: `endpoint ${i}` }, error: { type: `type ${i}` } })
    calls.recorded(
      [{ draft: draft({ outcome: 'interrupted', provider: `gone-${i}`, model: `gone-${i}/m-${i}` }) }],
      1,
    )
  }
  callAll(0, 5_000)
  const half = await read()
  callAll(5_000, 10_000)
  const page = await read()
  expect(page.samples.length).toBeLessThan(12_000)
  expect(linesOfCalls(page)).toBe(linesOfCalls(half))
  expect(page.sum('tallystick_calls_total')).toBe(20_000)
  expect(page.sum('tallystick_team_calls_total')).toBe(20_000)
  expect(page.sum('tallystick_tokens_total', { kind: 'input' })).toBe(200_000)
  expect(Math.round(page.sum('tallystick_spend_usd_total') * 1e9)).toBe(140_000)
  expect(page.sum('tallystick_failed_checks_total')).toBe(10_000)
  expect(page.sum('tallystick_refused_total')).toBe(10_000)
  expect(page.sum('gen_ai_client_token_usage_count')).toBe(20_000)
  expect(page.samples.some(({ labels }) => /key_|user-/.test(Object.values(labels).join()))).toBe(false)
})

test('a call of a process that died is counted once, by whoever records it', async () => {
  const { calls, read } = start()
  const left = draft({
    outcome: 'interrupted',
    provider: 'openai',
    model: 'openai/gpt-4o',
    team: 'team_1',
    usage: 'reserved',
  })
  calls.recorded([{ draft: left }, { draft: draft() }], 20)
  const page = await read()
  expect(page.of('tallystick_calls_total')).toEqual([
    {
      name: 'tallystick_calls_total',
      labels: { provider: 'openai', model: 'gpt-4o', endpoint: 'unknown', outcome: 'interrupted' },
      value: 1,
    },
  ])
  expect(page.one('tallystick_interrupted_calls_total')).toBe(1)
  expect(page.sum('tallystick_tokens_total', { kind: 'input' })).toBe(10)
  expect(page.sum('tallystick_usage_source_total', { source: 'reserved' })).toBe(1)
  expect(page.one('tallystick_ledger_group_size_sum')).toBe(2)
  expect(page.one('tallystick_ledger_commit_duration_seconds_sum')).toBe(0.02)
})

test('stages are as long as they were, and the provider has its own part', async () => {
  const { calls, read } = start()
  calls.finished(finished(1))
  const page = await read()
  const stage = (name: string) => page.one('tallystick_stage_duration_seconds_sum', { stage: name })
  expect([stage('read'), stage('guard'), stage('forward'), stage('answer'), stage('record')]).toEqual([
    0.001, 0.001, 0.001, 0.002, 0.001,
  ])
  expect(stage('judge')).toBeNull()
  expect(page.sum('gen_ai_client_operation_duration_seconds_sum')).toBe(0.003)
  expect(page.sum('gen_ai_server_request_duration_seconds_sum')).toBe(0.005)
  // It was no stream.
  expect(page.sum('gen_ai_server_time_to_first_token_seconds_count')).toBe(0)
})
