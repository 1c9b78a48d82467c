import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import type { Config } from '../../../config/index.js'

// Five workers with 15 connections each and their supervisor would take most of the 100 connections that Postgres accepts by default.
const maxAutomatic = 4
// The database and the threads of a worker need processors too.
const minProcessors = 3

/** Returns the number of worker processes. A local trial has one, because it starts faster and takes less memory. */
export function countWorkers(
  { workers, strictness }: Pick<Config, 'workers' | 'strictness'>,
  processors = countProcessors(),
): number {
  if (workers !== 'auto') return workers
  if (!strictness.strict || processors < minProcessors) return 1
  return Math.min(Math.floor(processors), maxAutomatic)
}

/** Returns the processors that this process may use. A container often has a share of a machine with many. */
function countProcessors(): number {
  return Math.min(availableParallelism(), readQuota())
}

/** Reads the limit of the container in processors, such as 1.5. Infinity without one, and on systems that do not have this file. */
function readQuota(): number {
  try {
    const [quota, period] = readFileSync('/sys/fs/cgroup/cpu.max', 'utf8').split(' ').map(Number)
    return quota && period ? quota / period : Number.POSITIVE_INFINITY
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
