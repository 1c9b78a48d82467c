import { cpus } from 'node:os'

/** @typedef {import('./measure.mjs').Result} Result @typedef {import('./load.mjs').Measurement} Measurement */

const baseline = 'bare proxy'
const subject = 'tallystick'

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {number} perSecond
 * @property {number} p50Ms
 * @property {number} p99Ms
 * @property {number} ofBareProxy share of the bare proxy's throughput
 * @property {number} addedMs to the bare proxy's median time
 */

/**
 * Medians over the rounds. Ratios are taken within a round and only then the median of them: the two numbers of a
 * round were measured seconds apart, those of different rounds perhaps on a busier machine.
 * @param {Result} result @returns {Row[]}
 */
export function summarise({ rounds }) {
  const bare = rounds.get(baseline) ?? []
  return [...rounds].map(([name, measured]) => ({
    name,
    perSecond: median(measured.map((each) => each.perSecond)),
    p50Ms: median(measured.map((each) => each.p50Ms)),
    p99Ms: median(measured.map((each) => each.p99Ms)),
    ofBareProxy: median(measured.map((each, i) => each.perSecond / (bare[i]?.perSecond ?? Number.NaN))),
    addedMs: median(measured.map((each, i) => each.p50Ms - (bare[i]?.p50Ms ?? Number.NaN))),
  }))
}

/** @param {readonly number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const [low = Number.NaN, high = Number.NaN] =
    sorted.length % 2 === 1 ? [sorted[middle], sorted[middle]] : sorted.slice(middle - 1, middle + 1)
  return (low + high) / 2
}

export const describeMachine = () => ({ cores: cpus().length, node: process.version })

/** @param {import('./measure.mjs').Scenario} scenario */
const nameScenario = ({ stream, connections }) =>
  `${stream ? 'streamed' : 'plain'}, ${connections} connection${connections === 1 ? '' : 's'}`

/** @param {readonly Result[]} results */
export function formatResults(results) {
  return results
    .map((result) => [heading(nameScenario(result.scenario)), ...summarise(result).map(formatRow)].join('\n'))
    .join('\n\n')
}

/** @param {string} name */
const heading = (name) => line(name, ['req/s', 'p50 ms', 'p99 ms', 'of bare', 'added ms'])

/** @param {Row} row */
const formatRow = ({ name, perSecond, p50Ms, p99Ms, ofBareProxy, addedMs }) =>
  line(`  ${name}`, [
    perSecond.toFixed(0),
    p50Ms.toFixed(2),
    p99Ms.toFixed(2),
    ofBareProxy.toFixed(2),
    addedMs.toFixed(2),
  ])

/** @param {string} name @param {readonly string[]} cells */
const line = (name, cells) => name.padEnd(28) + cells.map((cell) => cell.padStart(10)).join('')

/**
 * What we aim for. Printed, never asserted: a busy machine must not fail a build.
 * @param {readonly Result[]} results
 */
export function formatGoals(results) {
  return results
    .flatMap((result) => {
      const ours = summarise(result).find(({ name }) => name === subject)
      if (ours === undefined) return []
      const { scenario } = result
      if (scenario.connections === 32)
        return [
          goal(
            scenario,
            `${ours.ofBareProxy.toFixed(2)} of the bare proxy's throughput, at least 0.70`,
            ours.ofBareProxy >= 0.7,
          ),
        ]
      if (scenario.connections === 1)
        return [
          goal(
            scenario,
            `${ours.addedMs.toFixed(2)} ms added at the median, less than 1.00`,
            ours.addedMs < 1,
          ),
        ]
      return []
    })
    .join('\n')
}

/** @param {import('./measure.mjs').Scenario} scenario @param {string} text @param {boolean} met */
const goal = (scenario, text, met) => `${met ? 'met   ' : 'missed'}  ${nameScenario(scenario)}: ${text}`
