// What metrics cost: to count one call, also as the client library would, and to make the page when every label is full.
import { Counter, Histogram, Registry } from 'prom-client'
import { createCallMetrics } from '../packages/service/src/main/observing/call-metrics.js'
import { createMetrics } from '../packages/service/src/observability/index.js'

const rounds = 200_000

/** Processor time, so that what else runs on the machine does not count. */
function cpuMs(before) {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

function measure(name, act, times = rounds) {
  for (let round = 0; round < times / 10; round++) act(round)
  const before = process.cpuUsage()
  for (let round = 0; round < times; round++) act(round)
  console.log(`${name.padEnd(46)} ${((cpuMs(before) * 1_000) / times).toFixed(2)} µs`)
}

const provider = (name) => ({ name, pricesOf: name })
/** @typedef {import('../packages/service/src/main/observing/call-metrics.js').CallMetrics} CallMetrics */

/**
 * @param {any} target @param {string} team @param {import('../packages/service/src/record/index.js').EntryOutcome} [outcome] @param {string} [endpoint]
 * @returns {Parameters<CallMetrics['finished']>[0]}
 */
const finishedCall = (target, team, outcome = 'ok', endpoint = 'chat') => ({
  call: { endpoint: { name: endpoint }, stream: true },
  target,
  draft: {
    id: 'req_1',
    ts: '2026-01-01T00:00:00.000Z',
    kind: 'model',
    outcome,
    team,
    usage: 'provider',
    costNanos: 240_000,
    counts: { input: 1_000, cached: 400, output: 200, reasoning: 64 },
    checks: ['rate_limit', 'budget', 'user_status', 'model_allowlist', 'pii'].map((check) => ({
      name: check,
      applicable: true,
      result: 'pass',
    })),
  },
  stages: {
    arrivedMs: 0,
    readMs: 1,
    receivedMs: 2,
    plannedMs: 3,
    reservedMs: 4,
    admittedMs: 5,
    guardedMs: 6,
    forwardedMs: 300,
    answeredMs: 900,
    judgedMs: Number.NaN,
    settledMs: 901,
    recordedMs: 903,
  },
  latencyMs: 900,
  firstByteMs: 300,
  cache: null,
})

const targets = Array.from({ length: 10 }, (_, i) => ({ provider: provider('openai'), model: `model-${i}` }))
const calls = targets.map((target, i) => finishedCall(target, `team_${i}`))
const counted = createCallMetrics(createMetrics())
measure('a call, its 28 figures', (round) => counted.finished(calls[round % calls.length]))

const library = new Registry()
const labelNames = ['provider', 'model', 'endpoint', 'outcome']
const registers = [library]
const counter = new Counter({ name: 'counter', help: 'x', labelNames, registers })
const histogram = new Histogram({ name: 'histogram', help: 'x', labelNames, registers })
const labels = { provider: 'openai', model: 'model-1', endpoint: 'chat', outcome: 'ok' }
const count = counter.labels(labels)
const observe = histogram.labels(labels)
measure('the same number of figures with the library', () => {
  for (let i = 0; i < 12; i++) count.inc(1)
  for (let i = 0; i < 16; i++) observe.observe(0.3)
})

// All models, teams, outcomes and endpoints that may have a name of their own, and many that may not.
const full = createMetrics()
const fullCalls = createCallMetrics(full)
for (let i = 0; i < 150; i++) {
  const target = { provider: provider(`provider-${i % 20}`), model: `model-${i}` }
  for (const outcome of /** @type {const} */ (['ok', 'blocked', 'redacted', 'upstream_error', 'aborted']))
    for (const endpoint of ['chat', 'messages', 'embeddings'])
      fullCalls.finished(finishedCall(target, `team_${i}`, outcome, endpoint))
}
const page = await full.read()
console.log(
  `the page when all is full: ${page.text.split('\n').length} lines, ${(page.text.length / 1e6).toFixed(1)} MB`,
)
const before = process.cpuUsage()
for (let i = 0; i < 20; i++) await full.read()
console.log(`to make it: ${(cpuMs(before) / 20).toFixed(1)} ms`)

const usual = createMetrics()
const usualCalls = createCallMetrics(usual)
for (const call of calls) usualCalls.finished(call)
const usualPage = await usual.read()
const usualBefore = process.cpuUsage()
for (let i = 0; i < 200; i++) await usual.read()
console.log(
  `with ten models and teams: ${usualPage.text.split('\n').length} lines, ${(cpuMs(usualBefore) / 200).toFixed(2)} ms`,
)
process.exit(0)
