// What one call costs in telemetry, in µs of processor time: the line of its log.
import { openSync } from 'node:fs'
import { createLog } from '../src/telemetry/log.ts'

const rounds = 200_000
const sink = openSync('/dev/null', 'w')

const stages = [
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
].map((name, index) => ({ name, beginMs: index * 1.234567, endMs: (index + 1) * 1.234567 }))
const facts = {
  requestId: 'req_01kj3c9m0000000000000000',
  receipt: 123456,
  tenant: 'ten_01kj3c9m0000000000000000',
  key: 'key_01kj3c9m0000000000000000',
  user: 'ada@example.com',
  team: 'team_01kj3c9m0000000000000000',
  session: null,
  tags: { project: 'alpha', env: 'prod' },
  endpoint: 'chat',
  model: 'gpt-4o',
  provider: 'openai',
  target: 'gpt-4o',
  upstream: 'gpt-4o-2024-08-06',
  stream: true,
  attempts: 1,
  status: 200,
  upstreamStatus: 200,
  outcome: 'ok',
  error: null,
  inputTokens: 812,
  outputTokens: 345,
  cachedTokens: 0,
  costNanos: 5480000,
  usage: 'provider',
  doubt: null,
  latencyMs: 1234.5678,
  firstByteMs: 345.678,
  stages,
  traceId: null,
}

function measure(name, act) {
  for (let round = 0; round < rounds / 10; round++) act(round)
  const before = process.cpuUsage()
  for (let round = 0; round < rounds; round++) act(round)
  const { user, system } = process.cpuUsage(before)
  console.log(`${name.padEnd(40)} ${((user + system) / rounds).toFixed(2)} µs`)
}

const { writeSync } = await import('node:fs')
for (const format of ['json', 'pretty']) {
  const log = createLog({ level: 'info', format, destination: { write: () => undefined } })
  measure(`a line, ${format}`, () => log.call({ ...facts }))
}
const batch = []
const log = createLog({
  level: 'info',
  format: 'json',
  destination: { write: (line) => void batch.push(line) },
})
measure('a line, json, written 4 at a time', (round) => {
  log.call({ ...facts })
  if (round % 4 === 3) writeSync(sink, batch.splice(0).join(''))
})
const quiet = createLog({ level: 'warn', format: 'json', destination: { write: () => undefined } })
measure('no line, below the level', () => quiet.writes('info') && quiet.call({ ...facts }))
