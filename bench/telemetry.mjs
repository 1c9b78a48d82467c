// What a call costs in telemetry, in processor time: its log line and its spans by themselves, then whole services in turns.
import { readFileSync } from 'node:fs'
import { createLog } from '../packages/service/src/observability/log/log.js'
import { beginCallTrace } from '../packages/service/src/observability/traces/call-trace.js'
import { encodeCall } from '../packages/service/src/observability/traces/encode-call.js'
import { createTracing } from '../packages/service/src/observability/traces/tracing.js'
import { startUpstream } from './contenders.mjs'
import { runLoad } from './load/ask.mjs'
import { runAndCleanUp, startHelper } from './processes.mjs'
import { startService } from './service.mjs'

const names = [
  'read',
  'receive',
  'plan',
  'reserve',
  'admit',
  'guard',
  'forward',
  'answer',
  'settle',
  'record',
]
/** @type {import('../packages/service/src/observability/call-summary.js').CallSummary} */
const summary = {
  requestId: 'req_01kj3c9m0000000000000000',
  receipt: 123_456,
  tenant: 'ten_01kj3c9m0000000000000000',
  key: 'key_01kj3c9m0000000000000000',
  user: 'ada@example.com',
  team: 'team_01kj3c9m0000000000000000',
  session: null,
  tags: { project: 'alpha', env: 'prod' },
  endpoint: 'chat',
  route: '/v1/chat/completions',
  model: 'gpt-4o',
  provider: 'openai',
  vendor: 'openai',
  target: 'gpt-4o',
  upstream: 'gpt-4o-2024-08-06',
  answerId: null,
  server: { address: 'api.openai.com', port: 443 },
  stream: true,
  tool: null,
  attempts: 1,
  status: 200,
  upstreamStatus: 200,
  outcome: 'ok',
  error: null,
  inputTokens: 812,
  outputTokens: 345,
  cachedTokens: 0,
  costNanos: 5_480_000,
  usage: 'provider',
  doubt: null,
  latencyMs: 1234.5678,
  firstByteMs: 345.678,
  beginMs: 0,
  endMs: 12.34567,
  stages: names.map((name, index) => ({ name, beginMs: index * 1.234567, endMs: (index + 1) * 1.234567 })),
  traceId: null,
}

/** @param {string} name @param {() => void} act */
function measureOne(name, act) {
  const times = 100_000
  for (let round = 0; round < times / 10; round++) act()
  const before = process.cpuUsage()
  for (let round = 0; round < times; round++) act()
  const { user, system } = process.cpuUsage(before)
  console.log(`${name.padEnd(32)} ${((user + system) / times).toFixed(2)} µs`)
}

function measureParts() {
  let chars = 0
  /** So that the compiler leaves nothing out. @param {string} text */
  const use = (text) => {
    chars += text.length
  }
  const destination = { write: use }
  const log = createLog({ level: 'info', format: 'json', destination })
  measureOne('a log line', () => log.call({ ...summary }))
  const pretty = createLog({ level: 'info', format: 'pretty', destination })
  measureOne('a log line for people', () => pretty.call({ ...summary }))
  const quiet = createLog({ level: 'warn', format: 'json', destination })
  measureOne('no line: below the level', () => quiet.writes('info') && quiet.call({ ...summary }))
  const headers = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' }
  measureOne('the beginning of a trace', () => use(beginCallTrace(headers, () => true).traceparent))
  const trace = beginCallTrace(headers, () => true)
  measureOne('the spans of a call', () => use(encodeCall(trace, summary).spans))
  console.log(
    `${encodeCall(trace, summary).count} spans of ${encodeCall(trace, summary).spans.length} characters`,
  )
  if (chars === 0) throw new Error('nothing was written')
}

/** From the end of a call until its spans are with the collector. @param {import('./processes.mjs').Cleanup} cleanup */
async function measureExport(cleanup) {
  const { first } = await startHelper('collector.mjs', [], cleanup)
  let exported = 0
  /** @type {(value: unknown) => void} */
  let onExported = () => undefined
  const tracing = createTracing({
    url: `http://127.0.0.1:${first.port}/v1/traces`,
    headers: {},
    isCompressed: false,
    timeoutMs: 10_000,
    delayMs: 1,
    serviceName: 'bench',
    resourceAttributes: {},
    sampler: 'parentbased_always_on',
    ratio: 1,
    log: console,
    onSpans(result, count) {
      if (result === 'dropped') throw new Error('spans were dropped')
      exported += count
      if (exported % 1_000 === 0) onExported(undefined)
    },
  })
  const calls = 40_000
  let before = process.cpuUsage()
  for (let call = 0; call < calls * 1.25; call++) {
    if (call === calls / 4) before = process.cpuUsage()
    tracing.finish(tracing.begin({}), summary)
    // As fast as a service makes them: the queue is for a collector that is slow.
    if (call % 1_000 === 999)
      await new Promise((resolve) => {
        onExported = resolve
      })
  }
  await tracing.close(10_000)
  const { user, system } = process.cpuUsage(before)
  console.log(`${'a trace, sent to a collector'.padEnd(32)} ${((user + system) / calls).toFixed(2)} µs`)
}

/** Milliseconds of processor time of a process and all of its threads so far. @param {number} pid */
function processorMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  // In hundredths of a second.
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** @param {import('./processes.mjs').Cleanup} cleanup @param {number} rounds @param {number} seconds */
async function measureServices(cleanup, rounds, seconds) {
  const upstream = await startUpstream(cleanup)
  const { first } = await startHelper('collector.mjs', [], cleanup)
  const { child: load } = await startHelper('load.mjs', [], cleanup)
  const traces = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${first.port}` }
  const contenders = [
    await startService(upstream, cleanup, { name: 'neither' }),
    await startService(upstream, cleanup, { name: 'neither, again' }),
    await startService(upstream, cleanup, { name: 'log lines', env: { TALLYSTICK_LOG_LEVEL: 'info' } }),
    await startService(upstream, cleanup, { name: 'traces', env: traces }),
  ]
  /** @type {Map<string, number[]>} */
  const microsOf = new Map(contenders.map(({ name }) => [name, []]))
  const drive = ({ url, headers }, /** @type {number} */ forSeconds) =>
    runLoad(load, { url, headers, stream: false, connections: 32, seconds: forSeconds, maxCalls: 1_000_000 })
  for (const contender of contenders) await drive(contender, 8)
  for (let round = 0; round < rounds; round++) {
    const shift = round % contenders.length
    for (const contender of [...contenders.slice(shift), ...contenders.slice(0, shift)]) {
      const before = processorMs(contender.pid)
      const { calls } = await drive(contender, seconds)
      microsOf.get(contender.name)?.push(((processorMs(contender.pid) - before) * 1_000) / calls)
    }
  }
  const base = microsOf.get('neither') ?? []
  for (const [name, micros] of microsOf) {
    const ratios = micros.map((each, round) => each / (base[round] ?? each))
    console.log(
      `${name.padEnd(16)} ${median(micros).toFixed(0)} µs per call, ${median(ratios).toFixed(3)} of neither`,
    )
  }
}

/** @param {number[]} values */
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN

await runAndCleanUp(async (cleanup) => {
  measureParts()
  await measureExport(cleanup)
  if (!process.argv.includes('--parts')) await measureServices(cleanup, 9, 2)
})
