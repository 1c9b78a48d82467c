import { baseline } from '../contenders.mjs'
import { totalOf } from '../process-tree.mjs'
import { median } from '../report.mjs'

/**
 * @typedef {import('../measure.mjs').Sample} Sample
 *
 * @typedef {object} Figures of one contender in one scenario; null stands for what was not measured
 * @property {number | null} perSecond calls; of open streams, events
 * @property {number | null} ofBare share of the bare proxy's `perSecond`
 * @property {number | null} p50Ms
 * @property {number | null} p99Ms
 * @property {number | null} addedP50Ms to the bare proxy's
 * @property {number | null} addedP99Ms
 * @property {number | null} firstMs
 * @property {number | null} cpuUs processor time of the whole process tree per call; of open streams, per event
 * @property {number | null} mainUs of it, the main threads
 * @property {number | null} otherUs of it, other threads
 * @property {number | null} databaseUs of it, the database
 * @property {number | null} cpuOfBare times the bare proxy's
 * @property {number | null} idleMiB memory before the first call
 * @property {number | null} loadedMiB memory under load
 * @property {number | null} streamKiB memory of one open stream
 */

/**
 * Medians over the rounds. Figures beside the bare proxy's are taken within a round and only then the median of them: the two numbers of a
 * round were measured seconds apart, those of different rounds perhaps on a busier machine.
 * @param {Map<string, Sample[]>} rounds @param {ReadonlyMap<string, number | null>} idleKiB by contender
 * @returns {Map<string, Figures>}
 */
export function summarise(rounds, idleKiB) {
  const bare = rounds.get(baseline) ?? []
  return new Map(
    [...rounds].map(([name, samples]) => {
      /** @param {(sample: Sample) => number | null | undefined} pick */
      const middle = (pick) => medianOf(samples.map(pick))
      /** @param {(sample: Sample) => number | null | undefined} pick @param {(ours: number, bare: number) => number} relate */
      const beside = (pick, relate) =>
        medianOf(
          samples.map((sample, round) => {
            const [ours, theirs] = [pick(sample), bare[round] && pick(bare[round])]
            return ours == null || theirs == null ? null : relate(ours, theirs)
          }),
        )
      const total = (/** @type {Sample} */ { time }) => time && totalOf(time)
      const figures = {
        perSecond: middle(({ perSecond }) => perSecond),
        ofBare: beside(({ perSecond }) => perSecond, divide),
        p50Ms: middle(({ p50Ms }) => p50Ms),
        p99Ms: middle(({ p99Ms }) => p99Ms),
        addedP50Ms: beside(({ p50Ms }) => p50Ms, subtract),
        addedP99Ms: beside(({ p99Ms }) => p99Ms, subtract),
        firstMs: middle(({ firstMs }) => firstMs),
        cpuUs: middle(total),
        mainUs: middle(({ time }) => time?.mainThread),
        otherUs: middle(({ time }) => time?.otherThreads),
        databaseUs: middle(({ time }) => time?.database),
        cpuOfBare: beside(total, divide),
        idleMiB: toMiB(idleKiB.get(name)),
        loadedMiB: toMiB(middle(({ memoryKiB }) => memoryKiB)),
        streamKiB: middle(({ streamKiB }) => streamKiB),
      }
      return [name, figures]
    }),
  )
}

/** @param {number} ours @param {number} theirs */
const divide = (ours, theirs) => ours / theirs
/** @param {number} ours @param {number} theirs */
const subtract = (ours, theirs) => ours - theirs

/** @param {number | null | undefined} kib */
const toMiB = (kib) => (kib == null ? null : kib / 1_024)

/** @param {readonly (number | null | undefined)[]} values */
function medianOf(values) {
  const known = values.filter((value) => value != null)
  return known.length === 0 ? null : median(known)
}
