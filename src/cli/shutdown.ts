import type { Config } from '../config/index.js'

// On top of the grace period: the time to close the record, the counters and the database.
const closeMs = 30_000

// npm passes on the signal that a terminal or a supervisor has sent to the service as well: one Ctrl-C arrives twice.
const sameSignalMs = 1_000

/**
 * Resolves with the first signal. Listens from the start: a signal that arrives while the service starts stops it as soon as
 * it has started. A second signal exits at once.
 */
export function waitForStopSignal({ shutdownGraceMs }: Config): Promise<void> {
  return new Promise((resolve) => {
    let first: { signal: string; atMs: number } | null = null
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        const nowMs = performance.now()
        if (first === null) {
          first = { signal, atMs: nowMs }
          const graceSeconds = Math.ceil(shutdownGraceMs / 1000)
          console.log(`${signal}: no new calls; waiting up to ${graceSeconds} s for those under way`)
          resolve()
        } else if (signal !== first.signal || nowMs - first.atMs > sameSignalMs) process.exit(1)
      })
    }
  })
}

/** A database that hangs must not keep the process alive. Receipts are in the record or in the spool. */
export function exitIfShutdownHangs({ shutdownGraceMs }: Config): void {
  setTimeout(() => process.exit(1), shutdownGraceMs + closeMs).unref()
}
