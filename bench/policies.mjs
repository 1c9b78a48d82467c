// What policies take of a call: keys of one service, without policies, with five and with fifty. README.md says how to read it.
import { parseArgs } from 'node:util'
import { startUpstream } from './contenders.mjs'
import { measure } from './measure.mjs'
import { runAndCleanUp, startHelper } from './processes.mjs'
import { describeMachine, median } from './report.mjs'
import { benchKey, startService } from './service.mjs'
import { policyOf } from './setups/policies.mjs'

const counts = [0, 5, 50]
// The machine's speed changes from second to second: many short rounds tell more than few long ones. Long calls need longer ones.
const prompts = [
  { name: '1 KiB', promptChars: 1_024, seconds: 0.4, rounds: 120 },
  { name: '100 KiB', promptChars: 102_400, seconds: 1, rounds: 12 },
]

/**
 * What is lost, on the average of all rounds: of ratios, so in logarithms.
 * @param {readonly number[]} ratios
 */
function formatShare(ratios) {
  const logs = ratios.map(Math.log)
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length
  const variance = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / (logs.length - 1)
  const error = Math.sqrt(variance / logs.length)
  return `${(100 * (1 - Math.exp(mean))).toFixed(1).padStart(5)} % ± ${(100 * error).toFixed(1)}`
}

/** @param {import('./processes.mjs').Cleanup} cleanup */
async function run(cleanup) {
  const { values } = parseArgs({ options: { times: { type: 'string', default: '1' } } })
  const upstream = await startUpstream(cleanup)
  const { child: load } = await startHelper('load.mjs', [], cleanup)
  const service = await startService(upstream, cleanup)
  const contenders = []
  for (const count of counts) {
    const { id, key } = await service.manage('/v1/keys', benchKey)
    for (let n = 0; n < count; n++) {
      const name = `Policy ${n} of ${count}`
      await service.manage('/v1/policies', { name, scope: { type: 'key', id }, ...policyOf(n) })
    }
    contenders.push({
      name: `${count} policies`,
      url: service.url,
      headers: { authorization: `Bearer ${key}` },
    })
  }
  const { cores, node } = describeMachine()
  console.log(`${cores} cores, Node ${node}; 32 connections, share of throughput ± standard error`)
  for (const stream of [false, true]) {
    for (const { name, promptChars, seconds, rounds: once } of prompts) {
      const options = { contenders, upstream, load, seconds, rounds: once * Number(values.times) }
      const { rounds } = await measure({ stream, connections: 32, promptChars }, options)
      const bare = rounds.get('0 policies') ?? []
      console.log(
        `\n${stream ? 'streamed' : 'plain'}, prompt of ${name}`.padEnd(34),
        '    req/s    p50 ms     share',
      )
      for (const [contender, measured] of rounds) {
        const ratios = measured.map(({ perSecond }, i) => perSecond / (bare[i]?.perSecond ?? Number.NaN))
        const perSecond = median(measured.map((each) => each.perSecond)).toFixed(0)
        const p50 = median(measured.map((each) => each.p50Ms ?? Number.NaN)).toFixed(2)
        console.log(
          `  ${contender.padEnd(30)} ${perSecond.padStart(9)} ${p50.padStart(9)}   ${formatShare(ratios)}`,
        )
      }
    }
  }
}

await runAndCleanUp(run)
