import { readdirSync, readFileSync } from 'node:fs'
import { startPeriodic } from '../../db/index.js'
import { hasCode } from '../../shared/error-code.js'
import { describeFileLimit, readOpenFileLimit } from '../../shared/file-limit.js'

export interface ConnectionWatchOptions {
  log: { warn(context: object, message: string): void }
  /** False when another process already reports for the whole machine. */
  seesMachine?: boolean
  everyMs?: number
  /** The proc file system of Linux. Other systems have none, and nothing is watched there. */
  proc?: string
}

export interface ConnectionWatch {
  /** Returns the connections that the system turned away on the whole machine since this process started, because its queue was full. */
  turnedAway(): number
  close(): Promise<void>
}

// A warning is logged above this share of file descriptors: at the limit, connections are closed before this process sees them.
const scarceShare = 0.9

/**
 * Warns about connections that are lost before this process sees them, which nothing else reports: the system turns away those that do
 * not fit into the accept queue, and Node closes those for which there is no file descriptor.
 */
export function startConnectionWatch({
  log,
  seesMachine = true,
  everyMs = 5_000,
  proc = '/proc',
}: ConnectionWatchOptions): ConnectionWatch {
  const read = () => (seesMachine ? readListenOverflows(proc) : null)
  const first = read()
  let last = first
  let wasScarce = false
  let wasExhausted = false

  async function check(): Promise<void> {
    const overflows = read()
    if (overflows !== null && last !== null && overflows > last)
      log.warn(
        {},
        `the system turned away ${overflows - last} connections on this machine because the accept queue was full. Raise TALLYSTICK_LISTEN_BACKLOG and the sysctl net.core.somaxconn, or start more replicas`,
      )
    last = overflows ?? last
    const open = countOpenFiles(proc)
    const limit = readOpenFileLimit()
    const isScarce = open === 'all' || (open !== null && limit !== null && open > limit * scarceShare)
    if (open === 'all' && !wasExhausted) log.warn({}, describeFileLimit('EMFILE'))
    else if (isScarce && !wasScarce)
      log.warn(
        {},
        `${open} of ${limit} file descriptors are in use. When there are none left: ${describeFileLimit('EMFILE')}`,
      )
    wasScarce = isScarce
    // Stays true until descriptors are no longer scarce: at the limit, one becomes free every now and then.
    wasExhausted = open === 'all' || (wasExhausted && isScarce)
  }

  const loop = startPeriodic({ run: check, everyMs, onError: () => undefined })
  return {
    turnedAway: () => (last ?? 0) - (first ?? 0),
    close: () => loop.close(),
  }
}

/** Returns null when the system does not report it. Names and values are in two lines, in the same order. */
function readListenOverflows(proc: string): number | null {
  try {
    const [names = '', figures = ''] = readFileSync(`${proc}/net/netstat`, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('TcpExt:'))
    const index = names.split(' ').indexOf('ListenOverflows')
    const value = Number(figures.split(' ')[index])
    return index > 0 && Number.isFinite(value) ? value : null
  } catch {
    return null
  }
}

/** Counting takes a descriptor itself: when none is left, all are in use. */
function countOpenFiles(proc: string): number | 'all' | null {
  try {
    return readdirSync(`${proc}/self/fd`).length
  } catch (error) {
    return hasCode(error, 'EMFILE') ? 'all' : null
  }
}
