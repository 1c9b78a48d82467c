import { setTimeout as pause } from 'node:timers/promises'

/** Background work that is repeated until it is closed. */
export interface Periodic {
  /** Runs again without waiting any longer; after the run under way, if there is one. */
  wake(): void
  /** Resolves after the run under way, and after a last one if `endsWithRun` is set. */
  close(): Promise<void>
}

export interface PeriodicOptions {
  run(): Promise<unknown>
  /** How long to wait between the end of one run and the beginning of the next; asked after each run. */
  everyMs: number | (() => number)
  /** Also runs at once; otherwise the first run comes after the first wait. */
  startsAtOnce?: boolean
  /** Runs once more when it is closed, for work that gathers in between. */
  endsWithRun?: boolean
  /** A run that failed is over: the next one comes when it would have come anyway. */
  onError(error: unknown): void
  wait?: (ms: number, signal: AbortSignal) => Promise<unknown>
}

/** The one background loop. Runs never overlap, and waiting for the next one does not keep the process alive. */
export function startPeriodic(options: PeriodicOptions): Periodic {
  const {
    run,
    everyMs,
    startsAtOnce = false,
    endsWithRun = false,
    onError,
    wait = waitInBackground,
  } = options
  let closed = false
  let woken = new AbortController()

  async function runOnce(): Promise<void> {
    try {
      await run()
    } catch (error) {
      onError(error)
    }
  }

  async function pauseUnlessWoken(): Promise<void> {
    const ms = typeof everyMs === 'number' ? everyMs : everyMs()
    if (ms > 0 && !woken.signal.aborted) await wait(ms, woken.signal)
    if (!closed) woken = new AbortController()
  }

  async function repeat(): Promise<void> {
    if (!startsAtOnce) await pauseUnlessWoken()
    while (!closed) {
      await runOnce()
      await pauseUnlessWoken()
    }
    if (endsWithRun) await runOnce()
  }

  const repeating = repeat()
  return {
    wake: () => woken.abort(),
    async close() {
      closed = true
      woken.abort()
      await repeating
    },
  }
}

const waitInBackground = (ms: number, signal: AbortSignal) =>
  pause(ms, undefined, { signal, ref: false }).catch(() => undefined)
