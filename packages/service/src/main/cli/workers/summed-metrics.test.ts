import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../../../../../test/harness/run/property-runs.js'
import { createMetrics, type Metrics, type MetricValues, mergeMetrics } from '../../../observability/index.js'
import { SummedMetrics } from './summed-metrics.js'

interface FakeWorker {
  metrics: Metrics
  /** What it said, and has not arrived. */
  underWay: { askedAs: number; values: MetricValues }[]
  runs: boolean
}

const action = fc.record({
  kind: fc.constantFrom('start', 'count', 'ask', 'arrive', 'end'),
  of: fc.nat({ max: 2 }),
  amount: fc.integer({ min: 1, max: 9 }),
})

test('sums never fall, in whatever order workers count, answer and end; gauges are those of workers that run', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 20, maxLength: 60, size: 'max' }), async (actions) => {
      const summed = new SummedMetrics()
      const workers: FakeWorker[] = []
      let asked = 0
      let before = new Map<string, number>()
      for (const { kind, of, amount } of actions) {
        // One of the three that started last: some of them run, and of others answers are still to come.
        const id = Math.max(workers.length - 1 - of, 0)
        const worker = workers[id]
        if (kind === 'start') {
          if (workers.filter(({ runs }) => runs).length > 1) continue
          const metrics = createMetrics()
          metrics.watch('queueLength', () => ({ receipts: 1 }))
          summed.start(workers.length)
          workers.push({ metrics, underWay: [], runs: true })
        } else if (worker && kind === 'count') {
          worker.metrics.counter('rateLimited', { endpoint: 'chat' }).add(amount)
          worker.metrics.histogram('callSeconds', { endpoint: 'chat' }).observe(0.01)
        } else if (worker?.runs && kind === 'ask') {
          worker.underWay.push({ askedAs: ++asked, values: structuredClone(await worker.metrics.values()) })
        } else if (worker && kind === 'arrive') {
          const [answer] = worker.underWay.splice(amount % Math.max(worker.underWay.length, 1), 1)
          if (answer) summed.set(id, answer.askedAs, answer.values)
        } else if (worker?.runs && kind === 'end') {
          worker.runs = false
          summed.end(id)
        }
        const { text } = await mergeMetrics(summed.all())
        const now = readCounts(text)
        for (const [name, value] of before) expect(now.get(name), name).toBeGreaterThanOrEqual(value - 1e-9)
        before = now
        const running = workers.filter(({ runs }) => runs).length
        const queued = Number(/^tallystick_queue_length\{queue="receipts"\} (\d+)$/m.exec(text)?.[1] ?? 0)
        expect(queued).toBeLessThanOrEqual(running)
      }
    }),
    { numRuns: propertyRuns / 2 },
  )
})

/** Everything that the page says is a counter, or a part of a histogram. */
function readCounts(page: string): Map<string, number> {
  const types = new Map(
    [...page.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type]) => [name, type]),
  )
  const counts = new Map<string, number>()
  for (const [, series = '', name = '', value] of page.matchAll(/^((\w+)(?:\{.*\})?) (\S+)$/gm)) {
    const type = types.get(name) ?? types.get(name.replace(/_(bucket|sum|count)$/, ''))
    if (type === 'counter' || type === 'histogram') counts.set(series, Number(value))
  }
  return counts
}
