import { setTimeout as pause } from 'node:timers/promises'

/** Background work that is repeated until `close` is called. */
export interface Periodic {
  /** Runs again without waiting any longer, after the current run if there is one. */
  wake(): void
  /** Resolves after the current run, and after a last run if `endsWithRun` is set. */
  close(): Promise<void>
}

/** Background work that is repeated while there is something to do. */
export interface PeriodicUnlessIdle extends Periodic {
  /** Must be called when `isIdle` becomes false: a loop that was idle runs after one wait. */
  resume(): void
}

export interface PeriodicOptions {
  run(): Promise<unknown>
  /** How long to wait between the end of one run and the beginning of the next. A function is called after each run. */
  everyMs: number | (() => number)
  /** While it returns true, no run starts and no timer wakes the process. */
  isIdle?(): boolean
  /** Whether the first run starts at once instead of after the first wait. */
  startsAtOnce?: boolean
  /** Whether to run once more on `close`, for work that has accumulated. */
  endsWithRun?: boolean
  /** Called with the error of a failed run. The next run starts at its usual time. */
  onError(error: unknown): void
  wait?: (ms: number, signal: AbortSignal) => Promise<unknown>
}

/** Starts a background loop. Runs never overlap, and waiting for the next run does not keep the process alive. */
export function startPeriodic(options: PeriodicOptions): PeriodicUnlessIdle {
  const {
    run,
    everyMs,
    isIdle = () => false,
    startsAtOnce = false,
    endsWithRun = false,
    onError,
    wait = waitInBackground,
  } = options
  let closed = false
  let woken = new AbortController()
  let endSleep = () => {}

  async function runUnlessIdle(): Promise<void> {
    if (isIdle()) return
    try {
      await run()
    } catch (error) {
      onError(error)
    }
  }

  async function pauseUnlessWoken(): Promise<void> {
    while (isIdle() && !woken.signal.aborted)
      await new Promise<void>((resolve) => {
        endSleep = resolve
      })
    const ms = typeof everyMs === 'number' ? everyMs : everyMs()
    if (ms > 0 && !woken.signal.aborted) await wait(ms, woken.signal)
    if (!closed) woken = new AbortController()
  }

  async function repeat(): Promise<void> {
    if (!startsAtOnce) await pauseUnlessWoken()
    while (!closed) {
      await runUnlessIdle()
      await pauseUnlessWoken()
    }
    if (endsWithRun) await runUnlessIdle()
  }

  function wake(): void {
    woken.abort()
    endSleep()
  }

  const repeating = repeat()
  return {
    wake,
    resume: () => endSleep(),
    async close() {
      closed = true
      wake()
      await repeating
    },
  }
}

const waitInBackground = (ms: number, signal: AbortSignal) =>
  pause(ms, undefined, { signal, ref: false }).catch(() => undefined)
