import { readFileSync } from 'node:fs'
import type { FastifyBaseLogger } from 'fastify'

/** The system cuts the queue of connections that wait to be accepted in silence, and what does not fit is lost in silence too. */
export function warnOfBacklog(
  log: Pick<FastifyBaseLogger, 'warn'>,
  backlog: number,
  path = '/proc/sys/net/core/somaxconn',
): void {
  let max: number
  try {
    max = Number(readFileSync(path, 'utf8'))
  } catch {
    // Elsewhere than on Linux nobody says.
    return
  }
  if (max < backlog)
    log.warn(
      `${max} connections may wait to be accepted, not ${backlog}: raise the sysctl net.core.somaxconn, or set TALLYSTICK_LISTEN_BACKLOG`,
    )
}
