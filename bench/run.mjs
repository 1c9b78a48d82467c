// What a call costs beside a proxy that does nothing but forward. README.md says how to read it.
import { cpus, loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { startNginx } from './contenders/nginx.mjs'
import { startPortkey } from './contenders/portkey.mjs'
import { startReplicas } from './contenders/replicas.mjs'
import { goDirectly, startBareProxy, startUpstream } from './contenders.mjs'
import { measureSyncMs } from './disk.mjs'
import { explainTooManyStreams } from './load/measure-open-streams.mjs'
import { measure } from './measure.mjs'
import { readTreeMemory } from './process-tree.mjs'
import { createCleanup, runAndCleanUp, startHelper } from './processes.mjs'
import { describeMachine } from './report.mjs'
import { setups } from './setups.mjs'
import { summarise } from './table/figures.mjs'
import { formatGoals, formatRow } from './table/format.mjs'
import { formatHistory, saveRun } from './table/history.mjs'
import { readOptions, usage } from './table/options.mjs'

const subject = 'tallystick'

/** @param {import('./processes.mjs').Cleanup} cleanup */
async function run(cleanup) {
  const options = readOptions()
  if (options === null) return console.log(usage)
  if (options.history) return console.log(formatHistory(options.only))
  const { seconds, rounds } = options
  /** @param {string} text */
  const print = (text) => (options.json ? console.error(text) : console.log(text))
  const [cpu] = cpus()
  const machine = {
    ...describeMachine(),
    processor: cpu?.model ?? 'unknown',
    load: Number((loadavg()[0] ?? 0).toFixed(1)),
    diskSyncMs: Number((await measureSyncMs()).toFixed(2)),
  }
  print(
    `${machine.cores} cores, Node ${machine.node}, a load of ${machine.load}, ${machine.diskSyncMs} ms to sync a write to disk`,
  )
  print(`Median of ${rounds} rounds of ${seconds} s\n`)

  const upstream = await startUpstream(cleanup)
  const { child: load } = await startHelper('load.mjs', [], cleanup)
  const bare = await startBareProxy(upstream, cleanup)
  const others = await startOthers(upstream, options, cleanup)
  const rows = []
  for (const setup of new Set(options.scenarios.map(({ setup = 'plain' }) => setup))) {
    const services = createCleanup()
    cleanup.add(() => services.run())
    const service = await setups[setup](upstream, services)
    const contenders =
      setup === 'plain' ? [...others.before, bare, ...others.after, service] : [bare, service]
    if (setup === 'plain' && options.replicas) contenders.push(...(await startReplicas(upstream, services)))
    const idleKiB = await readIdleMemory(contenders)
    let calls = 0
    for (const scenario of options.scenarios.filter((each) => (each.setup ?? 'plain') === setup)) {
      const problem = scenario.open ? explainTooManyStreams(scenario.connections) : null
      if (problem !== null) {
        print(`${scenario.name} is left out: it ${problem}\n`)
        continue
      }
      const result = await measure(scenario, {
        contenders,
        upstream,
        load,
        seconds,
        rounds,
        warmUpSeconds: 4 * seconds,
      })
      const row = { scenario, figures: summarise(result.rounds, idleKiB) }
      rows.push(row)
      print(`${formatRow(row)}\n`)
      calls += result.calls.get(service.name) ?? 0
    }
    if (setup === 'plain')
      print(`${await service.countReceipts()} receipts of ${calls} calls through ${subject}\n`)
    await services.run()
  }
  const goals = formatGoals(rows, subject)
  if (goals !== '') print(`Goals\n${goals}`)
  if (options.save) saveRun({ machine, rounds, seconds }, rows)
  if (!options.json) return
  const results = rows.map(({ scenario, figures }) => ({
    ...scenario,
    contenders: Object.fromEntries(figures),
  }))
  console.log(JSON.stringify({ ...machine, rounds, seconds, results }, null, 2))
}

/** @param {string} upstream @param {{ peers: boolean }} options @param {import('./processes.mjs').Cleanup} cleanup */
async function startOthers(upstream, { peers }, cleanup) {
  const nginx = await startNginx(upstream, cleanup)
  const after = nginx === null ? [] : [nginx]
  if (peers) after.push(await startPortkey(upstream, cleanup))
  return { before: [goDirectly(upstream)], after }
}

// A program that has just started still reads its files and compiles.
const calmMs = 2_000

/** @param {readonly import('./contenders.mjs').Contender[]} contenders */
async function readIdleMemory(contenders) {
  await pause(calmMs)
  return new Map(
    contenders.map(({ name, pid, dataDir }) => [
      name,
      pid === undefined ? null : readTreeMemory(pid, dataDir),
    ]),
  )
}

await runAndCleanUp(run)
