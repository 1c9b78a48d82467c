import { once } from 'node:events'

/**
 * @typedef {import('./contenders.mjs').Contender} Contender
 * @typedef {import('./load.mjs').Measurement} Measurement
 * @typedef {import('node:child_process').ChildProcess} ChildProcess
 *
 * @typedef {object} Scenario
 * @property {boolean} stream
 * @property {number} connections
 * @property {number} [promptChars]
 *
 * @typedef {object} Result
 * @property {Scenario} scenario
 * @property {Map<string, Measurement[]>} rounds by contender, one measurement per round
 * @property {Map<string, number>} calls by contender, with those to warm up
 */

// Far above what any of them reaches in a minute; a run stays bounded even if a clock does not.
const maxCalls = 1_000_000
// Enough for the compiler to have seen every path often; a slow machine is not waited for longer than this.
const warmUp = { connections: 32, maxCalls: 10_000, seconds: 8 }

/**
 * Every contender has its turn in every round, so that what else the machine does in the meantime meets all alike; and in
 * another order each time, so that what one leaves behind does not always meet the same.
 * @param {Scenario} scenario
 * @param {{ contenders: readonly Contender[], load: ChildProcess, seconds: number, rounds: number }} options
 * @returns {Promise<Result>}
 */
export async function measure(scenario, { contenders, load, seconds, rounds }) {
  const { connections, stream, promptChars = 0 } = scenario
  /** @type {Result['rounds']} */
  const measured = new Map(contenders.map(({ name }) => [name, []]))
  /** @type {Result['calls']} */
  const calls = new Map()
  for (const { name, url, headers } of contenders) {
    const { calls: made } = await runLoad(load, { url, headers, stream, promptChars, ...warmUp })
    calls.set(name, made)
  }
  for (let round = 0; round < rounds; round++) {
    for (const { name, url, headers } of orderIn(round, contenders)) {
      const job = { url, headers, stream, connections, seconds, maxCalls, promptChars }
      const measurement = await runLoad(load, job)
      measured.get(name)?.push(measurement)
      calls.set(name, (calls.get(name) ?? 0) + measurement.calls)
    }
  }
  return { scenario, rounds: measured, calls }
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

/** @param {ChildProcess} load @param {import('./load.mjs').Job} job @returns {Promise<Measurement>} */
export async function runLoad(load, job) {
  const settled = new AbortController()
  const { signal } = settled
  load.send(job)
  try {
    const [answer] = await Promise.race([
      once(load, 'message', { signal }),
      once(load, 'exit', { signal }).then(() => [{ fault: 'the load generator ended' }]),
    ])
    if (answer.fault !== undefined) throw new Error(answer.fault)
    return answer.measurement
  } finally {
    settled.abort()
  }
}
