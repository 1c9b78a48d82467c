// What content capture takes of a call: the service's processor time for each call, in the three modes in turns. README.md says how to
// read it.
import { startUpstream } from './contenders.mjs'
import { runLoad } from './load/ask.mjs'
import { processorMs, runAndCleanUp, startHelper } from './processes.mjs'
import { describeMachine, median } from './report.mjs'
import { startService } from './service.mjs'

const modes = /** @type {const} */ (['off', 'redacted', 'full'])
const rounds = 9
const job = { connections: 16, seconds: 60, maxCalls: 1_000 }

/** @param {import('./processes.mjs').Cleanup} cleanup */
async function run(cleanup) {
  const upstream = await startUpstream(cleanup)
  const { child: load } = await startHelper('load.mjs', [], cleanup)
  const { url, headers, pid, manage } = await startService(upstream, cleanup)
  const { cores, node } = describeMachine()
  console.log(
    `${cores} cores, Node ${node}; ${job.connections} connections, µs of the service's processor time for each call`,
  )
  for (const promptChars of [0, 10_240])
    for (const stream of [false, true]) {
      const call = { url, headers, stream, promptChars }
      await runLoad(load, { ...call, ...job, maxCalls: 3_000 })
      /** @type {Record<string, number[]>} */
      const measured = { off: [], redacted: [], full: [] }
      for (let round = 0; round < rounds; round++)
        for (const mode of round % 2 === 0 ? modes : modes.toReversed()) {
          await manage('/v1/settings/content-capture', { mode }, 'PUT')
          const before = processorMs(pid)
          const { calls } = await runLoad(load, { ...call, ...job })
          measured[mode]?.push((1_000 * (processorMs(pid) - before)) / calls)
        }
      const shown = modes.map((mode) => `${mode} ${median(measured[mode] ?? []).toFixed(0)}`).join(', ')
      console.log(`${stream ? 'streamed' : 'plain'}, prompt of ${promptChars} characters: ${shown}`)
    }
}

await runAndCleanUp(run)
