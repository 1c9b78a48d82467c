import type { Config } from '../../config/index.js'
import { isPretty } from '../../observability/index.js'
import { announce } from './announcements/announce.js'
import { printFailure } from './failure.js'

// The time to close the record, the counters and the database, in addition to the grace period.
export const closeMs = 30_000

// npm forwards a signal that the terminal has also sent to the service, so one Ctrl-C arrives twice.
const sameSignalMs = 1_000

type Stopping = Pick<Config, 'drainMs' | 'shutdownGraceMs' | 'logFormat'>

export interface StopSignals {
  /** Resolves with the first signal. */
  requested: Promise<void>
  /** Waits for the drain period. A second signal ends it. */
  drained(): Promise<void>
}

/**
 * Listens for signals. One that arrives during the start stops the service as soon as it has started. A second signal ends the drain, or
 * the process if it is not draining.
 */
export function listenForStop(readConfig: () => Stopping): StopSignals {
  let first: { signal: string; atMs: number } | null = null
  let endDrain: (() => void) | null = null
  const requested = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        const nowMs = performance.now()
        if (first === null) {
          first = { signal, atMs: nowMs }
          announce(readConfig().logFormat, `${signal}: ${describeStop(readConfig())}`)
          resolve()
        } else if (signal === first.signal && nowMs - first.atMs <= sameSignalMs) return
        else if (endDrain) {
          first = { signal, atMs: nowMs }
          endDrain()
        } else process.exit(1)
      })
    }
  })
  return {
    requested,
    async drained() {
      const { drainMs } = readConfig()
      if (drainMs === 0) return
      let timer: NodeJS.Timeout | undefined
      await new Promise<void>((resolve) => {
        endDrain = resolve
        timer = setTimeout(resolve, drainMs)
      })
      // The timer would keep the process alive.
      clearTimeout(timer)
      endDrain = null
    },
  }
}

// A database that is gone would delay closing. Receipts that could not be written are in the spool by then.
const maxBrokenMs = 10_000

/** Makes the process exit with 1, because it cannot serve without its database. */
export function exitBroken({ shutdownGraceMs, logFormat }: Stopping, fault: Error): void {
  printFailure({ text: `Failed: ${fault.message}` }, !isPretty(logFormat))
  process.exitCode = 1
  setTimeout(() => process.exit(1), Math.min(shutdownGraceMs, maxBrokenMs)).unref()
}

function describeStop({ drainMs, shutdownGraceMs }: Stopping): string {
  const graceSeconds = Math.ceil(shutdownGraceMs / 1000)
  if (drainMs === 0) return `no new calls; waiting up to ${graceSeconds} s for calls in progress`
  const drainSeconds = Math.ceil(drainMs / 1000)
  return `not ready; serving for another ${drainSeconds} s, then waiting up to ${graceSeconds} s for calls in progress`
}

/** A database that hangs must not keep the process alive. Receipts are in the record or in the spool. */
export function exitIfShutdownHangs({ shutdownGraceMs }: Config): void {
  setTimeout(() => process.exit(1), shutdownGraceMs + closeMs).unref()
}
