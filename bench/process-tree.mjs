import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const usPerTick = 10_000

/**
 * Processor time in microseconds.
 * @typedef {object} TreeTime
 * @property {number} mainThread the main threads of the program and of its workers
 * @property {number} otherThreads their other threads: tokenizer, garbage collection, compilation, input and output
 * @property {number} database the database server with all its processes
 */

/**
 * What a program, its children and its database have used up to now. Time of children that have ended counts too: the kernel adds it to
 * the parent that waited for them.
 * @param {number} pid of the program @param {string} [dataDir] with the database, which runs in a process group of its own
 * @returns {TreeTime}
 */
export function readTreeTime(pid, dataDir) {
  const { program, database } = listTree(pid, dataDir)
  const time = { mainThread: 0, otherThreads: 0, database: 0 }
  for (const { pid, own, reaped } of program) {
    const main = readStat(`/proc/${pid}/task/${pid}/stat`)?.own ?? own
    time.mainThread += main
    time.otherThreads += own - main + reaped
  }
  for (const { own, reaped } of database) time.database += own + reaped
  return time
}

/** @param {TreeTime} after @param {TreeTime} before @returns {TreeTime} */
export const subtractTreeTime = (after, before) => ({
  mainThread: after.mainThread - before.mainThread,
  otherThreads: after.otherThreads - before.otherThreads,
  database: after.database - before.database,
})

/** @param {TreeTime} time @param {number} count @returns {TreeTime} */
export const divideTreeTime = ({ mainThread, otherThreads, database }, count) => ({
  mainThread: mainThread / count,
  otherThreads: otherThreads / count,
  database: database / count,
})

/** @param {TreeTime} time */
export const totalOf = ({ mainThread, otherThreads, database }) => mainThread + otherThreads + database

/**
 * The memory of the same processes in KiB. A page that several of them share, as those of a database share its buffers, counts once.
 * @param {number} pid @param {string} [dataDir]
 */
export function readTreeMemory(pid, dataDir) {
  const { program, database } = listTree(pid, dataDir)
  return [...program, ...database].reduce((sum, { pid }) => sum + readMemory(pid), 0)
}

/** @param {number} pid */
function readMemory(pid) {
  try {
    const [, kib] = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? []
    return Number(kib ?? 0)
  } catch {
    // The process ended since it was listed.
    return 0
  }
}

/** @param {number} pid @param {string} [dataDir] */
function listTree(pid, dataDir) {
  const postmaster = dataDir === undefined ? null : readPostmasterPid(dataDir)
  const database = postmaster === null ? [] : listDescendants(postmaster)
  const ofDatabase = new Set(database.map((each) => each.pid))
  return { database, program: listDescendants(pid).filter((each) => !ofDatabase.has(each.pid)) }
}

/** @param {string} dataDir */
const readPostmasterPid = (dataDir) =>
  Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])

/** @param {number} root @returns the process and everything below it */
function listDescendants(root) {
  const processes = readdirSync('/proc').flatMap((name) => {
    const pid = Number(name)
    const stat = pid > 0 ? readStat(`/proc/${pid}/stat`) : null
    return stat === null ? [] : [{ pid, ...stat }]
  })
  const found = new Set([root])
  for (let size = 0; size < found.size; ) {
    size = found.size
    for (const { pid, parent } of processes) if (found.has(parent)) found.add(pid)
  }
  return processes.filter(({ pid }) => found.has(pid))
}

/** Null when the process has ended. @param {string} file */
function readStat(file) {
  try {
    const text = readFileSync(file, 'utf8')
    // The name before these fields is in parentheses and can contain anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticks = (/** @type {number} */ i) => Number(fields[i]) * usPerTick
    return { parent: Number(fields[1]), own: ticks(11) + ticks(12), reaped: ticks(13) + ticks(14) }
  } catch {
    return null
  }
}
