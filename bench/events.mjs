// What listening streams take of the gateway: services with none, one and a hundred of them. README.md says how to read it.
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { startUpstream } from './contenders.mjs'
import { measure } from './measure.mjs'
import { processorTime, runAndCleanUp, startHelper } from './processes.mjs'
import { describeMachine, median } from './report.mjs'
import { startService } from './service.mjs'

const variants = [
  { name: 'no stream', keys: 0, perKey: 0 },
  { name: '1 stream', keys: 1, perKey: 1 },
  { name: '100 streams', keys: 5, perKey: 20 },
]

/** @param {import('./processes.mjs').Cleanup} cleanup */
async function run(cleanup) {
  const { values } = parseArgs({ options: { rounds: { type: 'string', default: '12' } } })
  const upstream = await startUpstream(cleanup)
  const { child: load } = await startHelper('load.mjs', [], cleanup)
  const { child: readers } = await startHelper('event-readers.mjs', [], cleanup)
  const contenders = []
  for (const { name, keys: count, perKey } of variants) {
    const service = await startService(upstream, cleanup, { name })
    const keys = []
    for (let n = 0; n < count; n++)
      keys.push((await service.manage('/v1/keys', { name: `Reader ${n}`, role: 'manager' })).key)
    readers.send({ url: new URL('/v1/events/stream', service.url).href, keys, perKey })
    const [{ fault }] = await once(readers, 'message')
    if (fault) throw new Error(fault)
    contenders.push(service)
  }
  const { cores, node } = describeMachine()
  console.log(
    `${cores} cores, Node ${node}; 32 connections, readers in a process of their own on the same cores`,
  )
  for (const stream of [false, true]) {
    const options = { contenders, upstream, load, seconds: 1, rounds: Number(values.rounds) }
    const before = contenders.map(({ pid }) => processorTime(pid))
    const { rounds, calls } = await measure({ stream, connections: 32 }, options)
    const perCall = new Map(
      contenders.map(({ name, pid }, i) => [
        name,
        (processorTime(pid) - (before[i] ?? 0)) / (calls.get(name) ?? Number.NaN),
      ]),
    )
    const bare = rounds.get('no stream') ?? []
    console.log(`\n${stream ? 'streamed' : 'plain'}`.padEnd(20), '   req/s    p50 ms   ratio   µs per call')
    for (const [name, measured] of rounds) {
      const ratios = measured.map(({ perSecond }, i) => perSecond / (bare[i]?.perSecond ?? Number.NaN))
      const perSecond = median(measured.map((each) => each.perSecond)).toFixed(0)
      const p50 = median(measured.map((each) => each.p50Ms ?? Number.NaN)).toFixed(2)
      const us = (perCall.get(name) ?? Number.NaN).toFixed(0)
      console.log(
        `  ${name.padEnd(16)} ${perSecond.padStart(9)} ${p50.padStart(9)} ${median(ratios).toFixed(2).padStart(7)} ${us.padStart(13)}`,
      )
    }
  }
  readers.send('report')
  const [{ bytes, ended }] = await once(readers, 'message')
  console.log(`\nreaders took ${Math.round(bytes / 1024 / 1024)} MiB; dropped: ${ended}`)
}

await runAndCleanUp(run)
