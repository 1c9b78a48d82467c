// What the search for calls costs: a page of a million of them, whatever the filter, and what recording a call pays for it. README.md says
// how to read it.
import { parseArgs } from 'node:util'
import { createProjections } from '../packages/service/src/main/record/projections.js'
import { projectCalls } from '../packages/service/src/reporting/calls/index.js'
import { fillCalls } from './calls/fill.mjs'
import { measurePages } from './calls/pages.mjs'
import { startRecordDatabase } from './database.mjs'
import { runAndCleanUp } from './processes.mjs'
import { measureAppends } from './record/appends.mjs'
import { beginProcessorTimes } from './record/processor-time.mjs'
import { describeMachine } from './report.mjs'

const usage = `Usage: npm run bench:calls -- [options]
  --calls N       how many calls are searched (1000000)
  --pages N       at most so many pages of each search (20)
  --seconds N     how long appends are measured each time (2)
  --rounds N      how often, with and without the projection in turns; 0 for none (6)`

/** @param {import('./processes.mjs').Cleanup} cleanup */
async function run(cleanup) {
  const { values } = parseArgs({
    options: {
      calls: { type: 'string', default: '1000000' },
      pages: { type: 'string', default: '20' },
      seconds: { type: 'string', default: '2' },
      rounds: { type: 'string', default: '6' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return console.log(usage)
  const { cores, node } = describeMachine()
  console.log(`${cores} cores, Node ${node}\n`)
  const place = await startRecordDatabase(cleanup)
  for (const callers of [1_024, 32, 1]) await compareAppends(place, values, callers)

  const calls = Number(values.calls)
  if (calls === 0) return
  await fillCalls(place, calls)
  console.log(`\npages of 200 of ${calls.toLocaleString('en')} calls in 90 days`)
  await measurePages(place, Number(values.pages))
}

/** @param {number} round @returns {('without' | 'with')[]} */
const order = (round) => (round % 2 === 0 ? ['without', 'with'] : ['with', 'without'])

/** Appends with and without the projection, in turns. Processor time is what counts: the machine may do other things. */
async function compareAppends(place, { seconds, rounds }, callers) {
  const all = createProjections([])
  const kinds = { without: all.filter((each) => each !== projectCalls), with: all }
  /** @type {Record<'without' | 'with', { node: number, database: number }[]>} */
  const times = { without: [], with: [] }
  for (let round = 0; round < Number(rounds); round++) {
    for (const kind of order(round)) {
      const { appended, times: used } = await measureAppends(place, {
        tenants: 1,
        seconds: Number(seconds),
        callers,
        projections: kinds[kind],
        beginTimes: () => beginProcessorTimes(place.postgresFolder),
      })
      times[kind].push({ node: used.node / appended, database: used.database / appended })
    }
  }
  if (times.with.length === 0) return
  const sum = ({ node, database }) => node + database
  const ratios = times.with.map((each, i) => sum(each) / sum(times.without[i]))
  const show = (kind) =>
    `${median(times[kind].map(({ node }) => node)).toFixed(0)} + ${median(times[kind].map(({ database }) => database)).toFixed(0)} µs`
  console.log(
    `${String(callers).padStart(5)} callers: Node + database for each receipt ${show('without')} without, ${show('with')} with: ${percent(median(ratios))}`,
  )
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
const percent = (ratio) => `${((ratio - 1) * 100).toFixed(1)} %`

await runAndCleanUp(run)
