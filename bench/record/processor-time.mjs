import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Processor time of this process and of the embedded Postgres, in microseconds. Steadier than appends per second on a machine
 * that does other things.
 * @param {string} dataDir
 */
export function beginProcessorTimes(dataDir) {
  const postmaster = Number(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0])
  const before = { node: process.cpuUsage(), database: databaseTicks(postmaster) }
  return () => {
    const { user, system } = process.cpuUsage(before.node)
    return { node: user + system, database: (databaseTicks(postmaster) - before.database) * usPerTick }
  }
}

const usPerTick = 10_000

/** Of the postmaster, of the backends that it waited for, and of those that live. @param {number} postmaster */
function databaseTicks(postmaster) {
  let ticks = 0
  for (const pid of readdirSync('/proc').map(Number)) {
    const stat = Number.isNaN(pid) ? null : readStat(pid)
    if (stat === null) continue
    if (pid === postmaster) ticks += stat.own + stat.children
    else if (stat.parent === postmaster) ticks += stat.own
  }
  return ticks
}

/** @param {number} pid */
function readStat(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // After the name, which is in parentheses and may hold anything.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    return { parent: fields[1], own: fields[11] + fields[12], children: fields[13] + fields[14] }
  } catch {
    return null
  }
}
