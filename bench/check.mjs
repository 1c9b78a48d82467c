// The processor time of a call in two commits, measured in turns. README.md says how to read it.
import { parseArgs } from 'node:util'
import { buildCommit } from './commits.mjs'
import { startBareProxy, startUpstream } from './contenders.mjs'
import { explainTooManyStreams } from './load/measure-open-streams.mjs'
import { measure } from './measure.mjs'
import { totalOf } from './process-tree.mjs'
import { createCleanup, runAndCleanUp, startHelper } from './processes.mjs'
import { median } from './report.mjs'
import { scenarios } from './scenarios.mjs'
import { setups } from './setups.mjs'
import { selectScenarios } from './table/options.mjs'

/** @typedef {import('./process-tree.mjs').TreeTime} TreeTime */

const usage = `Usage: npm run bench:check -- [COMMIT] [options]
Compares the processor time of a call in the working tree, as built, with that in COMMIT (HEAD).
  --to COMMIT          the other side, instead of the working tree
  --seconds N          how long each measurement lasts (2)
  --rounds N           how many measurements of each, whose median counts (5)
  --only TEXT          the scenarios whose name contains TEXT, instead of those marked *

Scenarios
${scenarios.map(({ name, check }) => `${check ? '*' : ' '} ${name}`).join('\n')}`

/** @param {import('./processes.mjs').Cleanup} cleanup */
async function run(cleanup) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      to: { type: 'string' },
      seconds: { type: 'string', default: '2' },
      rounds: { type: 'string', default: '5' },
      only: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return console.log(usage)
  const [seconds, rounds] = [Number(values.seconds), Number(values.rounds)]
  const selected =
    values.only === undefined ? scenarios.filter(({ check }) => check) : selectScenarios(values.only)
  const before = buildCommit(positionals[0] ?? 'HEAD')
  const after = values.to === undefined ? { name: 'working tree' } : buildCommit(values.to)
  // A build can be compared with itself, to see how much the measurement varies.
  if (after.name === before.name) after.name = `${after.name} again`

  const upstream = await startUpstream(cleanup)
  const { child: load } = await startHelper('load.mjs', [], cleanup)
  const bare = await startBareProxy(upstream, cleanup)
  console.log(`µs of processor time per call: median of ${rounds} rounds of ${seconds} s`)
  for (const setup of new Set(selected.map(({ setup = 'plain' }) => setup))) {
    const services = createCleanup()
    cleanup.add(() => services.run())
    const contenders = [
      bare,
      await setups[setup](upstream, services, before),
      await setups[setup](upstream, services, after),
    ]
    for (const scenario of selected.filter((each) => (each.setup ?? 'plain') === setup)) {
      const problem = scenario.open ? explainTooManyStreams(scenario.connections) : null
      if (problem !== null) throw new Error(`${scenario.name} ${problem}`)
      const result = await measure(scenario, {
        contenders,
        upstream,
        load,
        seconds,
        rounds,
        warmUpSeconds: 3,
      })
      const times = [...result.rounds].map(([name, samples]) => ({
        name,
        times: samples.map(({ time }) => /** @type {TreeTime} */ (time)),
      }))
      console.log(`\n${format(scenario.name, times)}`)
    }
    await services.run()
  }
}

/** @param {string} title @param {readonly { name: string, times: readonly TreeTime[] }[]} contenders the bare proxy, before and after */
function format(title, contenders) {
  const columns = ['total', 'main thread', 'other threads', 'database', 'ratio']
  const head = title.padEnd(40) + columns.map((name) => name.padStart(15)).join('')
  const [, before] = contenders
  const rows = contenders.map(({ name, times }, index) => {
    // The ratio is taken within a round: what was measured seconds apart met the same machine.
    const ratios = times.map(
      (time, round) => totalOf(time) / totalOf(/** @type {TreeTime} */ (before?.times[round])),
    )
    const cells = [
      times.map(totalOf),
      times.map(({ mainThread }) => mainThread),
      times.map(({ otherThreads }) => otherThreads),
      times.map(({ database }) => database),
    ].map((values) => median(values).toFixed(0).padStart(15))
    return `  ${name.padEnd(38)}${cells.join('')}${(index === 0 ? '' : median(ratios).toFixed(2)).padStart(15)}`
  })
  return [head, ...rows].join('\n')
}

await runAndCleanUp(run)
