import { runLoad } from './load/ask.mjs'
import { measureOpenStreams } from './load/measure-open-streams.mjs'
import { divideTreeTime, readTreeMemory, readTreeTime, subtractTreeTime } from './process-tree.mjs'

/**
 * @typedef {import('./contenders.mjs').Contender} Contender
 * @typedef {import('./load.mjs').Job} Job
 * @typedef {import('./process-tree.mjs').TreeTime} TreeTime
 * @typedef {import('node:child_process').ChildProcess} ChildProcess
 * @typedef {Omit<import('./scenarios.mjs').Scenario, 'name'>} Scenario
 *
 * @typedef {object} Sample of one contender in one round; null stands for what was not measured
 * @property {number} calls
 * @property {number} perSecond calls; of open streams, events
 * @property {number | null} p50Ms
 * @property {number | null} p99Ms
 * @property {number} firstMs to the first byte of the answer's body
 * @property {TreeTime | null} time processor time of one call; of open streams, of one event
 * @property {number | null} memoryKiB at the end, under load
 * @property {number | null} streamKiB memory of one open stream
 *
 * @typedef {object} Result
 * @property {Map<string, Sample[]>} rounds by contender, one sample per round
 * @property {Map<string, number>} calls by contender, with those to warm up
 *
 * @typedef {object} Options
 * @property {readonly Contender[]} contenders
 * @property {string} upstream
 * @property {ChildProcess} load
 * @property {number} seconds
 * @property {number} rounds
 * @property {number} [warmUpSeconds] by default long enough that the compiler has seen every path often
 */

// Far above what any of them reaches in a minute; a run stays bounded even if a clock does not.
const maxCalls = 1_000_000

/**
 * Every contender has its turn in every round, so that what else the machine does in the meantime meets all alike; and in
 * another order each time, so that what one leaves behind does not always meet the same.
 * @param {Scenario} scenario
 * @param {Options} options
 * @returns {Promise<Result>}
 */
export async function measure(scenario, options) {
  const { contenders, load, seconds, rounds, warmUpSeconds = 8 } = options
  /** @type {Result} */
  const result = { rounds: new Map(contenders.map(({ name }) => [name, []])), calls: new Map() }
  if (scenario.open !== true)
    for (const contender of contenders)
      result.calls.set(contender.name, await warmUp(createJob(contender, scenario), load, warmUpSeconds))
  for (let round = 0; round < rounds; round++) {
    for (const contender of orderIn(round, contenders)) {
      const { name } = contender
      const job = { ...createJob(contender, scenario), seconds }
      const sample = await (scenario.open ? measureOpenStreams : measureCalls)(contender, job, options)
      result.rounds.get(name)?.push(sample)
      result.calls.set(name, (result.calls.get(name) ?? 0) + sample.calls)
    }
  }
  return result
}

/** @param {Contender} contender @param {Scenario} scenario @returns {Job} */
function createJob({ url, headers, model }, scenario) {
  const { stream = false, connections, promptChars, conversation, maxTokens, provider } = scenario
  const chat = { model, stream, promptChars, conversation, maxTokens, provider }
  return { url, headers, connections, seconds: 0, maxCalls, ...chat }
}

/** @param {Job} job @param {ChildProcess} load @param {number} seconds @returns {Promise<number>} how many calls it made */
async function warmUp(job, load, seconds) {
  const { calls } = await runLoad(load, { ...job, seconds, maxCalls: 10_000 })
  const keys = [job.headers].flat().length
  if (calls >= keys) return calls
  // The first call of each tenant reads what later ones find in memory.
  const rest = await runLoad(load, { ...job, seconds: 600, maxCalls: keys })
  return calls + rest.calls
}

/** @param {Contender} contender @param {Job} job @param {Options} options @returns {Promise<Sample>} */
async function measureCalls({ pid, dataDir }, job, { load }) {
  const before = pid === undefined ? null : readTreeTime(pid, dataDir)
  const measured = await runLoad(load, job)
  if (pid === undefined || before === null)
    return { ...measured, time: null, memoryKiB: null, streamKiB: null }
  const time = divideTreeTime(subtractTreeTime(readTreeTime(pid, dataDir), before), measured.calls)
  return { ...measured, time, memoryKiB: readTreeMemory(pid, dataDir), streamKiB: null }
}

/**
 * Each begins as often as the others, and each comes behind each of the others as often as before it.
 * @param {number} round @param {readonly Contender[]} contenders
 */
function orderIn(round, contenders) {
  const first = round % contenders.length
  const order = [...contenders.slice(first), ...contenders.slice(0, first)]
  return Math.floor(round / contenders.length) % 2 === 0 ? order : order.reverse()
}
