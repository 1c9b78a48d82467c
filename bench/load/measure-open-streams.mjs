import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { divideTreeTime, readTreeMemory, readTreeTime, subtractTreeTime } from '../process-tree.mjs'
import { ask } from './ask.mjs'

/**
 * @typedef {import('../contenders.mjs').Contender} Contender
 * @typedef {import('../measure.mjs').Sample} Sample
 */

// Until the processor time of opening and closing them no longer counts.
const settleMs = 1_000

/**
 * Opens a tenth of the streams and then the rest, and measures while all are open. What a stream takes of memory is the difference of both
 * divided by the streams between them: what a process takes once, however many there are, is in neither.
 * @param {Contender} contender @param {import('../load.mjs').Job} job @param {import('../measure.mjs').Options} options @returns {Promise<Sample>}
 */
export async function measureOpenStreams({ pid, dataDir }, job, { load, upstream }) {
  const { connections: count, seconds } = job
  const few = Math.ceil(count / 10)
  const memory = () => (pid === undefined ? Number.NaN : readTreeMemory(pid, dataDir))
  const time = () => (pid === undefined ? null : readTreeTime(pid, dataDir))
  await ask(load, { prepareStreams: job })
  await ask(load, { openStreams: few })
  await command(upstream, 'start-streams')
  await pause(settleMs)
  const memoryOfFew = memory()
  const { firstMs } = await ask(load, { openStreams: count })
  await command(upstream, 'start-streams')
  await pause(settleMs)

  const before = { time: time(), ...(await ask(load, { countEvents: true })), ms: performance.now() }
  await pause(seconds * 1_000)
  const after = { time: time(), ...(await ask(load, { countEvents: true })), ms: performance.now() }
  const memoryKiB = memory()
  const closed = ask(load, { closeStreams: true })
  await command(upstream, 'end-streams')
  await closed
  await pause(settleMs)

  const events = after.events - before.events
  const used =
    before.time === null || after.time === null
      ? null
      : divideTreeTime(subtractTreeTime(after.time, before.time), events)
  return {
    calls: count,
    perSecond: (events / (after.ms - before.ms)) * 1_000,
    p50Ms: null,
    p99Ms: null,
    firstMs,
    time: used,
    memoryKiB: pid === undefined ? null : memoryKiB,
    streamKiB: pid === undefined ? null : (memoryKiB - memoryOfFew) / (count - few),
  }
}

/** @param {string} upstream @param {'start-streams' | 'end-streams'} name */
async function command(upstream, name) {
  const response = await fetch(`${upstream}/${name}`, { method: 'POST' })
  await response.arrayBuffer()
}

/** Null, or why so many streams cannot be open here. @param {number} count */
export function explainTooManyStreams(count) {
  const [, files] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
  // A proxy has two connections per stream, and some files of its own.
  const needed = 2 * count + 200
  return Number(files) >= needed ? null : `needs ${needed} open files, and \`ulimit -n\` is ${files}`
}
