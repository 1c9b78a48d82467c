import { readFileSync } from 'node:fs'
import type { FastifyBaseLogger } from 'fastify'

/**
 * Warns when the system limits the accept queue. The kernel shortens the queue silently, and silently drops
 * connections that do not fit.
 */
export function warnOfBacklog(
  log: Pick<FastifyBaseLogger, 'warn'>,
  backlog: number,
  path = '/proc/sys/net/core/somaxconn',
): void {
  let max: number
  try {
    max = Number(readFileSync(path, 'utf8'))
  } catch {
    // Systems other than Linux do not report the limit.
    return
  }
  if (max < backlog)
    log.warn(
      `${max} connections may wait to be accepted, not ${backlog}: raise the sysctl net.core.somaxconn, or set TALLYSTICK_LISTEN_BACKLOG`,
    )
}
