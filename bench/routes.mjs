// What a route with one healthy target takes of a call, beside the same call without it: the service's processor time, in turns.
// README.md says how to read it.
import { startUpstream } from './contenders.mjs'
import { runLoad } from './load/ask.mjs'
import { processorMs, runAndCleanUp, startHelper } from './processes.mjs'
import { describeMachine, median } from './report.mjs'
import { startService } from './service.mjs'

const rounds = 15
const job = { connections: 16, seconds: 60, maxCalls: 1_000 }

/** @param {import('./processes.mjs').Cleanup} cleanup */
async function run(cleanup) {
  const upstream = await startUpstream(cleanup)
  const { child: load } = await startHelper('load.mjs', [], cleanup)
  const { url, headers, pid, manage } = await startService(upstream, cleanup)
  await manage('/v1/routes', { name: 'routed', targets: [{ model: 'gpt-4o-mini' }] })
  const { cores, node } = describeMachine()
  console.log(`${cores} cores, Node ${node}; µs of the service's processor time for each call`)
  const models = ['gpt-4o-mini', 'routed']
  for (const stream of [false, true]) {
    const call = { url, headers, stream, promptChars: 0 }
    for (const model of models) await runLoad(load, { ...call, model, ...job, maxCalls: 3_000 })
    /** @type {Map<string, number[]>} */
    const measured = new Map(models.map((model) => [model, []]))
    for (let round = 0; round < rounds; round++)
      for (const model of round % 2 === 0 ? models : models.toReversed()) {
        const before = processorMs(pid)
        const { calls } = await runLoad(load, { ...call, model, ...job })
        measured.get(model)?.push((1_000 * (processorMs(pid) - before)) / calls)
      }
    const [plain = 0, routed = 0] = models.map((model) => median(measured.get(model) ?? []))
    const more = ((100 * (routed - plain)) / plain).toFixed(1)
    console.log(
      `${stream ? 'streamed' : 'plain'}: model ${plain.toFixed(0)}, route ${routed.toFixed(0)}, ${more} % more`,
    )
  }
}

await runAndCleanUp(run)
