import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const usPerTick = 10_000

/**
 * Processor time in microseconds.
 * @typedef {object} TreeTime
 * @property {number} mainThread the JavaScript of the service
 * @property {number} otherThreads its workers, garbage collection, compilation and input and output
 * @property {number} database the database server with all its processes, and any other child
 */

/**
 * What a service and its embedded database have used up to now. Time of children that have ended counts too: the kernel adds it to
 * the parent that waited for them.
 * @param {number} pid of the service @param {string} [dataDir] with the database, which runs in a process group of its own
 * @returns {TreeTime}
 */
export function readTreeTime(pid, dataDir) {
  const own = readStat(`/proc/${pid}/stat`)
  const main = readStat(`/proc/${pid}/task/${pid}/stat`)
  const roots = dataDir === undefined ? [] : [readPostmasterPid(dataDir)]
  const database = listDescendants([pid, ...roots])
    .filter((each) => each.pid !== pid)
    .reduce((sum, { own, reaped }) => sum + own + reaped, own.reaped)
  return { mainThread: main.own, otherThreads: own.own - main.own, database }
}

/** @param {TreeTime} after @param {TreeTime} before @returns {TreeTime} */
export const subtractTreeTime = (after, before) => ({
  mainThread: after.mainThread - before.mainThread,
  otherThreads: after.otherThreads - before.otherThreads,
  database: after.database - before.database,
})

/** @param {TreeTime} time */
export const totalOf = ({ mainThread, otherThreads, database }) => mainThread + otherThreads + database

/** @param {string} dataDir */
const readPostmasterPid = (dataDir) =>
  Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])

/** @param {readonly number[]} roots @returns the roots and everything below them */
function listDescendants(roots) {
  const processes = readdirSync('/proc').flatMap((name) => {
    const pid = Number(name)
    if (!(pid > 0)) return []
    try {
      return [{ pid, ...readStat(`/proc/${pid}/stat`) }]
    } catch {
      // The process ended since the folder was read.
      return []
    }
  })
  const found = new Set(roots)
  for (let size = 0; size < found.size; ) {
    size = found.size
    for (const { pid, parent } of processes) if (found.has(parent)) found.add(pid)
  }
  return processes.filter(({ pid }) => found.has(pid))
}

/** @param {string} file */
function readStat(file) {
  const text = readFileSync(file, 'utf8')
  // The name before these fields is in parentheses and can contain anything.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const ticks = (/** @type {number} */ i) => Number(fields[i]) * usPerTick
  return { parent: Number(fields[1]), own: ticks(11) + ticks(12), reaped: ticks(13) + ticks(14) }
}
