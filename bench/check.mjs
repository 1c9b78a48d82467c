// The processor time of a call in two commits, measured in turns. README.md says how to read it.
import { parseArgs } from 'node:util'
import { buildCommit } from './commits.mjs'
import { startBareProxy, startUpstream } from './contenders.mjs'
import { runLoad } from './measure.mjs'
import { readTreeTime, subtractTreeTime, totalOf } from './process-tree.mjs'
import { runAndCleanUp, startHelper } from './processes.mjs'
import { median } from './report.mjs'
import { startService } from './service.mjs'

/**
 * @typedef {import('./process-tree.mjs').TreeTime} TreeTime
 * @typedef {import('./contenders.mjs').Contender & { pid: number, dataDir?: string }} Contender
 * @typedef {{ name: string, stream?: boolean, connections: number, promptChars?: number, conversation?: boolean, maxTokens?: number }} Scenario
 */

const usage = `Usage: npm run bench:check -- [COMMIT] [options]
Compares the processor time of a call in the working tree, as built, with that in COMMIT (HEAD).
  --to COMMIT          the other side, instead of the working tree
  --seconds N          how long each measurement lasts (2)
  --rounds N           how many measurements of each, whose median counts (5)
  --only TEXT          only the scenarios whose name contains TEXT`

/** @type {readonly Scenario[]} */
const scenarios = [
  { name: 'plain, 32 connections', connections: 32 },
  { name: 'plain, 1 connection', connections: 1 },
  { name: 'streamed, 32 connections', connections: 32, stream: true },
  { name: 'stream of 500 events, 8 connections', connections: 8, stream: true, maxTokens: 500 },
  { name: 'body of 100 KiB, 8 connections', connections: 8, promptChars: 100 * 1024 },
  { name: 'body of 500 KiB, 8 connections', connections: 8, promptChars: 500 * 1024 },
  {
    name: 'agent with 300 KiB, 8 connections',
    connections: 8,
    promptChars: 300 * 1024,
    conversation: true,
  },
]

const maxCalls = 1_000_000

/** @param {import('./processes.mjs').Cleanup} cleanup */
async function run(cleanup) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      to: { type: 'string' },
      seconds: { type: 'string', default: '2' },
      rounds: { type: 'string', default: '5' },
      only: { type: 'string', default: '' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return console.log(usage)
  const before = buildCommit(positionals[0] ?? 'HEAD')
  const after = values.to === undefined ? { name: 'working tree' } : buildCommit(values.to)

  const upstream = await startUpstream(cleanup)
  const { child: load } = await startHelper('load.mjs', [], cleanup)
  const contenders = [
    await startBareProxy(upstream, cleanup),
    await startService(upstream, cleanup, before),
    await startService(upstream, cleanup, after),
  ]
  console.log(`µs of processor time per call: median of ${values.rounds} rounds of ${values.seconds} s`)
  for (const scenario of scenarios.filter(({ name }) => name.includes(values.only))) {
    const rounds = await measure(contenders, scenario, load, {
      seconds: Number(values.seconds),
      rounds: Number(values.rounds),
    })
    console.log(`\n${format(scenario.name, contenders, rounds)}`)
  }
}

/**
 * @param {readonly Contender[]} contenders @param {Scenario} scenario @param {import('node:child_process').ChildProcess} load
 * @param {{ seconds: number, rounds: number }} options @returns {Promise<TreeTime[][]>} for each round and contender, the time of one call
 */
async function measure(contenders, { connections, stream = false, ...call }, load, options) {
  /** @param {Contender} contender @param {number} seconds */
  const drive = ({ url, headers }, seconds) =>
    runLoad(load, { url, headers, stream, ...call, connections, seconds, maxCalls })
  for (const contender of contenders) await drive(contender, 3)
  const rounds = []
  for (let round = 0; round < options.rounds; round++) {
    /** @type {TreeTime[]} */
    const times = []
    // The order turns with each round, so that what one leaves behind does not always meet the same one.
    for (let i = 0; i < contenders.length; i++) {
      const index = (i + round) % contenders.length
      const contender = /** @type {Contender} */ (contenders[index])
      const start = readTreeTime(contender.pid, contender.dataDir)
      const { calls } = await drive(contender, options.seconds)
      const used = subtractTreeTime(readTreeTime(contender.pid, contender.dataDir), start)
      times[index] = {
        mainThread: used.mainThread / calls,
        otherThreads: used.otherThreads / calls,
        database: used.database / calls,
      }
    }
    rounds.push(times)
  }
  return rounds
}

/** @param {string} title @param {readonly Contender[]} contenders @param {readonly TreeTime[][]} rounds */
function format(title, contenders, rounds) {
  const columns = ['total', 'main thread', 'other threads', 'database', 'ratio']
  const head = title.padEnd(34) + columns.map((name) => name.padStart(15)).join('')
  const rows = contenders.map(({ name }, index) => {
    const times = rounds.map((round) => /** @type {TreeTime} */ (round[index]))
    // The ratio is taken within a round: what was measured seconds apart met the same machine.
    const ratios = rounds.map((round) =>
      index === 0
        ? Number.NaN
        : totalOf(/** @type {TreeTime} */ (round[index])) / totalOf(/** @type {TreeTime} */ (round[1])),
    )
    const cells = [
      times.map(totalOf),
      times.map(({ mainThread }) => mainThread),
      times.map(({ otherThreads }) => otherThreads),
      times.map(({ database }) => database),
    ].map((values) => median(values).toFixed(0).padStart(15))
    return `  ${name.padEnd(32)}${cells.join('')}${(index === 0 ? '' : median(ratios).toFixed(2)).padStart(15)}`
  })
  return [head, ...rows].join('\n')
}

await runAndCleanUp(run)
