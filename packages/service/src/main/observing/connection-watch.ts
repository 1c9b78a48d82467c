import { readdirSync, readFileSync } from 'node:fs'
import { startPeriodic } from '../../db/index.js'
import { hasCode } from '../../shared/error-code.js'
import { describeFileLimit, readOpenFileLimit } from '../../shared/file-limit.js'

export interface ConnectionWatchOptions {
  log: { warn(context: object, message: string): void }
  /** One process on a machine says it for all of them. */
  seesMachine?: boolean
  everyMs?: number
  /** Where the system says what it does. Elsewhere than on Linux there is none, and nothing is watched. */
  proc?: string
}

export interface ConnectionWatch {
  /** Connections that the system turned away since this process started, because they waited too long to be accepted. Of the whole machine. */
  turnedAway(): number
  close(): Promise<void>
}

// From here on somebody should know: at the limit the system closes connections before this process sees them.
const fewLeft = 0.9

/**
 * What happens to connections before this process sees them is seen by nobody else: the system drops those that do not fit into the
 * queue, and Node closes those for which there is no file descriptor.
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
  let fewAreLeft = false
  let noneIsLeft = false

  async function look(): Promise<void> {
    const overflows = read()
    if (overflows !== null && last !== null && overflows > last)
      log.warn(
        {},
        `the system turned away ${overflows - last} connections on this machine: more waited to be accepted than may. Raise TALLYSTICK_LISTEN_BACKLOG and the sysctl net.core.somaxconn, or start more replicas`,
      )
    last = overflows ?? last
    const open = countOpenFiles(proc)
    const limit = readOpenFileLimit()
    const nowFew = open === 'all' || (open !== null && limit !== null && open > limit * fewLeft)
    if (open === 'all' && !noneIsLeft) log.warn({}, describeFileLimit('EMFILE'))
    else if (nowFew && !fewAreLeft)
      log.warn(
        {},
        `${open} of ${limit} file descriptors are in use. When there are none left: ${describeFileLimit('EMFILE')}`,
      )
    fewAreLeft = nowFew
    // Until there is some room: at the edge one comes free every now and then.
    noneIsLeft = open === 'all' || (noneIsLeft && nowFew)
  }

  const loop = startPeriodic({ run: look, everyMs, onError: () => undefined })
  return {
    turnedAway: () => (last ?? 0) - (first ?? 0),
    close: () => loop.close(),
  }
}

/** Null where the system does not say. Its names and its figures are in two lines, in the same order. */
function readListenOverflows(proc: string): number | null {
  try {
    const [names = '', figures = ''] = readFileSync(`${proc}/net/netstat`, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('TcpExt:'))
    const place = names.split(' ').indexOf('ListenOverflows')
    const value = Number(figures.split(' ')[place])
    return place > 0 && Number.isFinite(value) ? value : null
  } catch {
    return null
  }
}

/** To count them takes one: where there is none left, all are in use. */
function countOpenFiles(proc: string): number | 'all' | null {
  try {
    return readdirSync(`${proc}/self/fd`).length
  } catch (error) {
    return hasCode(error, 'EMFILE') ? 'all' : null
  }
}
