import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'
import { stageOf } from './stages.mjs'

/**
 * @typedef {import('node:inspector').Profiler.Profile} Profile
 * @typedef {object} StageTime in microseconds
 * @property {number} total
 * @property {number} garbage of it, collecting garbage
 * @property {Map<string, number>} functions by "name file:line", the time within each and not in what it calls
 */

/**
 * Sorts the samples of a profile by stage. A sample belongs to the innermost function on its stack whose file belongs to a stage. Garbage is
 * collected in the middle of something: it belongs to the stage of the sample before.
 * @param {Profile} profile @returns {Map<string, StageTime>}
 */
export function attribute(profile) {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]))
  /** @type {Map<number, number>} */
  const parents = new Map()
  for (const { id, children = [] } of profile.nodes) for (const child of children) parents.set(child, id)
  const locate = createLocator()
  /** @type {Map<number, { stage: string | null, label: string }>} */
  const known = new Map()
  /** @param {number} id @returns {{ stage: string | null, label: string }} */
  const describe = (id) => {
    const found = known.get(id)
    if (found !== undefined) return found
    const { callFrame } = /** @type {import('node:inspector').Profiler.ProfileNode} */ (nodes.get(id))
    const { source, line } = locate(callFrame)
    const parent = parents.get(id)
    const stage =
      stageOf(source, callFrame.functionName) ?? (parent === undefined ? null : describe(parent).stage)
    const described = { stage, label: `${callFrame.functionName || '(anonymous)'} ${source}:${line}` }
    known.set(id, described)
    return described
  }

  /** @type {Map<string, StageTime>} */
  const times = new Map()
  let last = 'other'
  const { samples = [], timeDeltas = [] } = profile
  samples.forEach((id, i) => {
    const us = timeDeltas[i + 1] ?? 0
    const name = nodes.get(id)?.callFrame.functionName
    if (name === '(idle)') return
    const isGarbage = name === '(garbage collector)'
    const { stage, label } = describe(id)
    if (!isGarbage) last = stage ?? 'other'
    const time = times.get(last) ?? { total: 0, garbage: 0, functions: new Map() }
    times.set(last, time)
    time.total += us
    if (isGarbage) time.garbage += us
    else time.functions.set(label, (time.functions.get(label) ?? 0) + us)
  })
  return times
}

/** Finds where a function of the built program stands in the sources. */
export function createLocator() {
  /** @type {Map<string, SourceMap | null>} */
  const maps = new Map()
  /** @param {string} url */
  const mapOf = (url) => {
    const found = maps.get(url)
    if (found !== undefined) return found
    const map = url.startsWith('file:') ? readMap(`${fileURLToPath(url)}.map`) : null
    maps.set(url, map)
    return map
  }
  /** @param {import('node:inspector').Runtime.CallFrame} frame */
  return ({ url, lineNumber, columnNumber }) => {
    const entry = mapOf(url)?.findEntry(lineNumber, columnNumber)
    if (entry === undefined || !('originalSource' in entry) || !entry.originalSource)
      return { source: url, line: lineNumber + 1 }
    return { source: entry.originalSource.replace(/^(\.\.\/)+/, ''), line: entry.originalLine + 1 }
  }
}

/** @param {string} file */
function readMap(file) {
  try {
    return new SourceMap(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}
