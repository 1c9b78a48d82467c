// How fast the service is, as a share of a proxy that does nothing but forward. README.md says how to read it.
import { parseArgs } from 'node:util'
import { goDirectly, startBareProxy, startUpstream } from './contenders.mjs'
import { measureSyncMs } from './disk.mjs'
import { measure } from './measure.mjs'
import { startPortkey } from './portkey.mjs'
import { runAndCleanUp, startHelper } from './processes.mjs'
import { startReplicas } from './replicas.mjs'
import { describeMachine, formatGoals, formatResults, summarise } from './report.mjs'
import { startService } from './service.mjs'

const usage = `Usage: npm run bench -- [options]
  --seconds N          how long each measurement lasts (2)
  --rounds N           how many measurements of each, whose median counts (5)
  --connections N,N    how many callers at once (1,32)
  --peers              also Portkey's gateway, installed into .peers/ when it is not there
  --replicas           also the service with its limits in Redis: 1, 2 and 4 processes behind one address
  --json               print JSON`

/** @param {import('./processes.mjs').Cleanup} cleanup */
async function run(cleanup) {
  const options = readOptions()
  if (options === null) return console.log(usage)
  const diskSyncMs = await measureSyncMs()
  const upstream = await startUpstream(cleanup)
  const { child: load } = await startHelper('load.mjs', [], cleanup)
  const service = await startService(upstream, cleanup)
  const contenders = [goDirectly(upstream), await startBareProxy(upstream, cleanup), service]
  if (options.peers) contenders.push(await startPortkey(upstream, cleanup))
  if (options.replicas) contenders.push(...(await startReplicas(upstream, cleanup)))

  const scenarios = [false, true].flatMap((stream) =>
    options.connections.map((connections) => ({ stream, connections })),
  )
  const results = []
  for (const scenario of scenarios) results.push(await measure(scenario, { ...options, contenders, load }))

  const calls = results.reduce((sum, { calls }) => sum + (calls.get(service.name) ?? 0), 0)
  const receipts = await service.countReceipts()
  const machine = { ...describeMachine(), diskSyncMs }
  if (options.json) {
    const measured = results.map((result) => ({ ...result.scenario, contenders: summarise(result) }))
    return console.log(JSON.stringify({ ...machine, calls, receipts, results: measured }, null, 2))
  }
  console.log(
    `${machine.cores} cores, Node ${machine.node}, ${diskSyncMs.toFixed(2)} ms to sync a write to disk`,
  )
  console.log(`Median of ${options.rounds} rounds of ${options.seconds} s`)
  console.log(`\n${formatResults(results)}\n\nGoals\n${formatGoals(results)}`)
  console.log(`\n${receipts} receipts of ${calls} calls through ${service.name}`)
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '2' },
      rounds: { type: 'string', default: '5' },
      connections: { type: 'string', default: '1,32' },
      peers: { type: 'boolean', default: false },
      replicas: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return null
  return {
    seconds: readNumber('seconds', values.seconds, 0.1, 60),
    rounds: Math.round(readNumber('rounds', values.rounds, 1, 50)),
    connections: values.connections
      .split(',')
      .map((text) => Math.round(readNumber('connections', text, 1, 512))),
    peers: values.peers,
    replicas: values.replicas,
    json: values.json,
  }
}

/** @param {string} name @param {string} text @param {number} least @param {number} most */
function readNumber(name, text, least, most) {
  const value = Number(text)
  if (value >= least && value <= most) return value
  throw new Error(`--${name}: must be from ${least} to ${most}, not "${text}"`)
}

await runAndCleanUp(run)
