// Where the processor time of a call goes, stage by stage. README.md says how to read it.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startUpstream } from './contenders.mjs'
import { openFolder } from './folder.mjs'
import { runLoad } from './load/ask.mjs'
import { readTreeTime, subtractTreeTime } from './process-tree.mjs'
import { runAndCleanUp, startHelper } from './processes.mjs'
import { startService } from './service.mjs'
import { attribute } from './stages/attribute.mjs'
import { budgetsUs } from './stages/stages.mjs'

const usage = `Usage: npm run bench:stages -- [options]
Profiles the main thread of the service as built and prints the processor time of each stage of a call beside its budget.
  --connections N   how many calls at a time (32)
  --stream          ask for streamed answers
  --prompt-chars N  about how long each question is (a short one)
  --seconds N       how long to measure (5)
  --functions N     also the N dearest functions of each stage (0)
  --profile FILE    keep the profile, for the developer tools of a browser`

const profiler = fileURLToPath(new URL('stages/profiled.mjs', import.meta.url))

/** @param {import('./processes.mjs').Cleanup} cleanup */
async function run(cleanup) {
  const { values } = parseArgs({
    options: {
      connections: { type: 'string', default: '32' },
      stream: { type: 'boolean', default: false },
      'prompt-chars': { type: 'string', default: '0' },
      seconds: { type: 'string', default: '5' },
      functions: { type: 'string', default: '0' },
      profile: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return console.log(usage)
  const file = values.profile ?? join(await openFolder(cleanup), 'profile.json')
  rmSync(file, { force: true })
  const upstream = await startUpstream(cleanup)
  const { child: load } = await startHelper('load.mjs', [], cleanup)
  const service = await startService(upstream, cleanup, {
    env: { NODE_OPTIONS: `--import ${profiler}`, BENCH_PROFILE: file },
  })
  const job = {
    url: service.url,
    headers: service.headers,
    stream: values.stream,
    connections: Number(values.connections),
    promptChars: Number(values['prompt-chars']),
    maxCalls: 1_000_000,
  }
  await runLoad(load, { ...job, maxCalls: 15_000, seconds: 15 })

  const before = readTreeTime(service.pid, service.dataDir)
  const { calls: unprofiled } = await runLoad(load, { ...job, seconds: Number(values.seconds) })
  const used = subtractTreeTime(readTreeTime(service.pid, service.dataDir), before)

  process.kill(service.pid, 'SIGUSR2')
  await until(`${file}.started`)
  const { calls } = await runLoad(load, { ...job, seconds: Number(values.seconds) })
  process.kill(service.pid, 'SIGUSR2')
  await until(file)

  const times = attribute(JSON.parse(readFileSync(file, 'utf8')))
  const profiledUs = [...times.values()].reduce((sum, { total }) => sum + total, 0) / calls
  // Sampling makes everything slower: the shares come from the profile, the sum from the run without it.
  const mainUs = used.mainThread / unprofiled
  console.log(`${calls} calls`)
  print(times, { calls, scale: mainUs / profiledUs, functions: Number(values.functions) })
  console.log(
    `main thread ${mainUs.toFixed(0)}, other threads ${(used.otherThreads / unprofiled).toFixed(0)}, database ${(used.database / unprofiled).toFixed(0)}`,
  )
}

/**
 * @param {Map<string, import('./stages/attribute.mjs').StageTime>} times
 * @param {{ calls: number, scale: number, functions: number }} options
 */
function print(times, { calls, scale, functions }) {
  /** @param {number} us */
  const perCall = (us) => ((us * scale) / calls).toFixed(1).padStart(10)
  console.log('µs of the main thread per call')
  console.log(
    `${'stage'.padEnd(20)}${['time', 'garbage', 'budget'].map((name) => name.padStart(10)).join('')}`,
  )
  for (const [stage, budget] of Object.entries(budgetsUs)) {
    const { total = 0, garbage = 0, functions: parts = new Map() } = times.get(stage) ?? {}
    const over = (total * scale) / calls > budget ? '  over' : ''
    console.log(
      `${stage.padEnd(20)}${perCall(total)}${perCall(garbage)}${String(budget).padStart(10)}${over}`,
    )
    const dearest = [...parts].sort(([, a], [, b]) => b - a).slice(0, functions)
    for (const [label, us] of dearest) console.log(`  ${perCall(us)}  ${label}`)
  }
}

/** @param {string} file */
async function until(file) {
  for (let attempt = 0; attempt < 600; attempt++) {
    if (existsSync(file)) return
    await pause(100)
  }
  throw new Error('the service wrote no profile within a minute')
}

await runAndCleanUp(run)
