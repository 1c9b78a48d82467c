import { describe, expect, test } from 'vitest'
import { waitFor } from '../../../../../test/harness/run/wait.js'
import { counters, gauges, histograms, labelBounds } from './metric-table.js'
import { createMetrics, type Metrics, mergeCounters, mergeMetrics } from './metrics.js'
import { reusePage } from './reuse-page.js'

const readOwn = async (metrics: Metrics) =>
  (await metrics.read()).text.split('\n').filter((line) => !/^#|nodejs|process_/.test(line) && line !== '')

/** The number in the one line that begins so. */
function figure(lines: readonly string[], begin: string): number {
  const found = lines.filter((line) => line.startsWith(`${begin} `))
  expect(found, begin).toHaveLength(1)
  return Number(found[0]?.slice(begin.length))
}

describe('however many names callers invent', () => {
  const invented = 10_000
  const name = (kind: string, i: number) => `${kind} ${i}`

  test('the number of series is bounded, and every call is counted', async () => {
    const metrics = createMetrics()
    for (let i = 0; i < invented; i++) {
      const provider = name('provider', i % 40)
      const model = name('model', i)
      const outcome = name('outcome', i)
      metrics.counter('calls', { provider, model, endpoint: name('endpoint', i), outcome }).add()
      metrics.counter('tokens', { provider, model, kind: name('kind', i % 20) }).add(3)
      metrics.counter('teamCalls', { team: name('team', i), outcome }).add()
      metrics.counter('teamSpend', { team: name('team', i) }).add(1)
      metrics
        .histogram('genAiServerSeconds', {
          gen_ai_operation_name: name('operation', i),
          gen_ai_provider_name: provider,
          gen_ai_request_model: model,
          error_type: outcome,
        })
        .observe(1)
    }
    const lines = await readOwn(metrics)
    const of = (metric: string) => lines.filter((line) => line.startsWith(`${metric}{`))
    const sum = (metric: string) =>
      of(metric).reduce((total, line) => total + Number(line.slice(line.lastIndexOf(' '))), 0)

    for (const { name, labels } of [counters.calls, counters.tokens, counters.teamCalls, counters.teamSpend])
      expect(of(name).length).toBeLessThanOrEqual(maxSeries(labels))
    expect(of('gen_ai_server_request_duration_seconds_count').length).toBeLessThanOrEqual(
      maxSeries(histograms.genAiServerSeconds.labels),
    )
    // The hundred teams that came first, and all others together.
    expect(of('tallystick_team_spend_usd_total')).toHaveLength(labelBounds.team.max + 1)
    expect(lines.length).toBeLessThan(5_000)

    expect(sum('tallystick_calls_total')).toBe(invented)
    expect(sum('tallystick_tokens_total')).toBe(3 * invented)
    expect(sum('tallystick_team_calls_total')).toBe(invented)
    expect(sum('gen_ai_server_request_duration_seconds_count')).toBe(invented)
    expect(figure(lines, 'tallystick_metric_label_values{label="model"}')).toBe(labelBounds.model.max)
  })

  test('the length of a label value is bounded', async () => {
    const metrics = createMetrics()
    metrics.counter('teamSpend', { team: 'x'.repeat(100_000) }).add()
    expect(Math.max(...(await readOwn(metrics)).map((line) => line.length))).toBeLessThan(300)
  })

  test('the same teams are named in every metric', async () => {
    const metrics = createMetrics()
    const teams = Array.from({ length: 200 }, (_, i) => name('team', i))
    for (const team of teams) metrics.counter('teamSpend', { team }).add()
    for (const team of teams.toReversed()) metrics.counter('teamTokens', { team, kind: 'input' }).add()
    const lines = await readOwn(metrics)
    const teamsOf = (metric: string) =>
      lines
        .flatMap((line) => (line.startsWith(metric) ? (/team="([^"]*)"/.exec(line)?.[1] ?? []) : []))
        .sort()
    expect(teamsOf('tallystick_team_tokens_total')).toEqual(teamsOf('tallystick_team_spend_usd_total'))
  })

  test('a page with every label of every metric at its maximum has a bounded size', () => {
    const rows = [...Object.values(counters), ...Object.values(gauges)].map(({ labels }) => maxSeries(labels))
    const buckets = Object.values(histograms).map(
      (spec) => maxSeries(spec.labels) * (spec.buckets.length + 3),
    )
    expect([...rows, ...buckets].reduce((sum, series) => sum + series, 0)).toBeLessThan(130_000)
  })

  /** Models are counted together with their provider, so they are not multiplied by providers. */
  function maxSeries(labels: readonly (keyof typeof labelBounds)[]): number {
    const others = 1
    return labels.reduce((product, label) => {
      const bound = labelBounds[label]
      if (labels.some((each) => 'within' in labelBounds[each] && labelBounds[each].within === label))
        return product
      const extra = 'within' in bound ? labelBounds[bound.within].max + others : others
      return product * (bound.max + extra)
    }, 1)
  }
})

describe('the page', () => {
  test('has counters, gauges and histograms in the format of Prometheus', async () => {
    const metrics = createMetrics()
    metrics.counter('teamSpend', { team: 'a "b"\\\n' }).add(1_500_000_001)
    metrics.watch('queueLength', () => ({ receipts: 3, turns: 0 }))
    metrics.watch('callsInFlight', () => 2)
    metrics.watch('redisUp', () => null)
    const group = metrics.histogram('groupSize', {})
    for (const size of [1, 1, 2, 3, 300]) group.observe(size)
    const lines = await readOwn(metrics)
    expect(lines).toContain('tallystick_team_spend_usd_total{team="a \\"b\\"\\\\\\n"} 1.500000001')
    expect(figure(lines, 'tallystick_queue_length{queue="receipts"}')).toBe(3)
    expect(figure(lines, 'tallystick_queue_length{queue="turns"}')).toBe(0)
    expect(figure(lines, 'tallystick_calls_in_flight')).toBe(2)
    expect(lines.filter((line) => line.startsWith('tallystick_redis_up'))).toEqual([])
    const buckets = ['1', '2', '4', '256', '+Inf'].map((le) =>
      figure(lines, `tallystick_ledger_group_size_bucket{le="${le}"}`),
    )
    expect(buckets).toEqual([2, 3, 4, 4, 5])
    expect(figure(lines, 'tallystick_ledger_group_size_sum')).toBe(307)
    expect(figure(lines, 'tallystick_ledger_group_size_count')).toBe(5)
    expect(figure(lines, 'tallystick_receipts_refused_total')).toBe(0)
  })

  test('money is exact to the nano-dollar, however many fractions were added', async () => {
    const metrics = createMetrics()
    const spend = metrics.counter('spend', { provider: 'p', model: 'm' })
    let nanos = 0n
    for (let i = 1; i <= 100_000; i++) {
      spend.add(i * 7 + 100_000_003)
      nanos += BigInt(i * 7 + 100_000_003)
    }
    const usd = figure(await readOwn(metrics), 'tallystick_spend_usd_total{provider="p",model="m"}')
    expect(BigInt(Math.round(usd * 1e9))).toBe(nanos)
  })

  test('is rendered once for concurrent requests, and again later', async () => {
    let made = 0
    let open = () => {}
    const opened = new Promise<void>((resolve) => {
      open = resolve
    })
    const read = reusePage(async () => {
      made++
      await opened
      return { contentType: 'text/plain', text: String(made) }
    })
    const pages = Promise.all([read(), read(), read()])
    open()
    expect((await pages).map(({ body }) => body.toString())).toEqual(['1', '1', '1'])
    await waitFor('another page', async () => (await read()).body.toString() === '2')
  })

  test('is rendered again after a failure', async () => {
    let made = 0
    const read = reusePage(async () => {
      if (++made === 1) throw new Error('not now')
      return { contentType: 'text/plain', text: 'here' }
    })
    await expect(read()).rejects.toThrow('not now')
    expect((await read()).body.toString()).toBe('here')
  })
})

describe('worker processes of one service', () => {
  async function make(state: { calls: number; queued: number; pingSeconds: number; isUp: boolean }) {
    const metrics = createMetrics()
    metrics.counter('rateLimited', { endpoint: 'chat' }).add(state.calls)
    metrics.counter('spend', { provider: 'p', model: 'm' }).add(state.calls)
    for (let i = 0; i < state.calls; i++) metrics.histogram('callSeconds', { endpoint: 'chat' }).observe(0.01)
    metrics.watch('queueLength', () => ({ receipts: state.queued }))
    metrics.watch('databasePing', () => state.pingSeconds)
    metrics.watch('databaseUp', () => (state.isUp ? 1 : 0))
    return await metrics.values()
  }
  const read = async (values: Parameters<typeof mergeMetrics>[0]) =>
    (await mergeMetrics(values)).text.split('\n')

  test('show sums of counters and queues, the slowest ping, and whether all are healthy', async () => {
    const lines = await read([
      await make({ calls: 3, queued: 1, pingSeconds: 0.5, isUp: true }),
      await make({ calls: 4, queued: 2, pingSeconds: 0.25, isUp: false }),
    ])
    expect(figure(lines, 'tallystick_rate_limited_total{endpoint="chat"}')).toBe(7)
    expect(figure(lines, 'tallystick_spend_usd_total{provider="p",model="m"}')).toBe(7e-9)
    expect(figure(lines, 'tallystick_call_duration_seconds_count{endpoint="chat"}')).toBe(7)
    expect(figure(lines, 'tallystick_call_duration_seconds_bucket{endpoint="chat",le="0.005"}')).toBe(0)
    expect(figure(lines, 'tallystick_call_duration_seconds_bucket{endpoint="chat",le="0.025"}')).toBe(7)
    expect(figure(lines, 'tallystick_queue_length{queue="receipts"}')).toBe(3)
    expect(figure(lines, 'tallystick_database_ping_seconds')).toBe(0.5)
    expect(figure(lines, 'tallystick_database_up')).toBe(0)
    expect(lines.some((line) => line.startsWith('tallystick_nodejs_eventloop_lag_seconds '))).toBe(true)
  })

  test('keep the counters of a process that ended, and drop its gauges', async () => {
    const ended = await make({ calls: 3, queued: 9, pingSeconds: 9, isUp: false })
    const alive = await make({ calls: 4, queued: 2, pingSeconds: 0.25, isUp: true })
    const lines = await read([mergeCounters([mergeCounters([]), ended]), alive])
    expect(figure(lines, 'tallystick_rate_limited_total{endpoint="chat"}')).toBe(7)
    expect(figure(lines, 'tallystick_call_duration_seconds_count{endpoint="chat"}')).toBe(7)
    expect(figure(lines, 'tallystick_queue_length{queue="receipts"}')).toBe(2)
    expect(figure(lines, 'tallystick_database_up')).toBe(1)
  })

  test('together have no more series than one process may have', async () => {
    const processes = await Promise.all(
      Array.from({ length: 3 }, async (_, process) => {
        const metrics = createMetrics()
        for (let i = 0; i < 100; i++) metrics.counter('teamSpend', { team: `${process} ${i}` }).add()
        return await metrics.values()
      }),
    )
    const lines = (await read(processes)).filter((line) =>
      line.startsWith('tallystick_team_spend_usd_total{'),
    )
    expect(lines).toHaveLength(labelBounds.team.max + 1)
    expect(lines).toContain('tallystick_team_spend_usd_total{team="other"} 2e-7')
  })
})
