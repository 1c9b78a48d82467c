/**
 * Deadlines that allow for pauses of this process. A busy host stops a process for seconds. After that, timers fire before sockets are
 * read: whoever is waited for seems to be too late, although the answer may be there already.
 */

// One step of the clock. A pause counts as no more than this.
const maxStepMs = 1_000
// A timer of a process that is only busy is not as late as this.
const maxLatenessMs = 250

/** Of the time that has passed, what counts: more than a step of the clock is a pause. For work that measures itself in short steps. */
export const countedMs = (passedMs: number): number => Math.min(passedMs, maxStepMs)

/** Whether a timer was so late that this process must have been paused. For timers that are not our own. */
export const wasPaused = (startedMs: number, timerMs: number): boolean =>
  performance.now() - startedMs > timerMs + maxLatenessMs

export interface Timer {
  stop(): void
}

export interface TimerOptions {
  /** Does not keep the process alive. */
  unref?: boolean
}

/**
 * Calls `onOver` when the time is over. The clock is looked at every second, and a pause counts as one look. After a pause in the last
 * step that step is waited for once more, and only once: a process that is always busy must give up, too. What has arrived by then is
 * read before `onOver` is called.
 */
export function startTimer(ms: number, onOver: () => void, { unref = false }: TimerOptions = {}): Timer {
  let leftMs = ms
  let hasWaitedAgain = false
  let timer: NodeJS.Timeout | undefined
  let lastLook: NodeJS.Immediate | undefined

  function wait(): void {
    const stepMs = Math.min(leftMs, maxStepMs)
    const startedMs = performance.now()
    timer = setTimeout(() => {
      leftMs -= stepMs
      if (leftMs <= 0 && !hasWaitedAgain && wasPaused(startedMs, stepMs)) {
        hasWaitedAgain = true
        leftMs = stepMs
      }
      if (leftMs > 0) wait()
      // Sockets are read between a timer and this.
      else lastLook = setImmediate(onOver)
    }, stepMs)
    if (unref) timer.unref()
  }

  wait()
  return {
    stop() {
      clearTimeout(timer)
      clearImmediate(lastLook)
    },
  }
}

/** What the work gives, or a rejection when the time is over. */
export async function within<T>(ms: number, work: Promise<T>, tooLate: () => Error): Promise<T> {
  let timer: Timer | undefined
  const over = new Promise<never>((_, reject) => {
    timer = startTimer(ms, () => reject(tooLate()))
  })
  return await Promise.race([work, over]).finally(() => timer?.stop())
}

/**
 * Aborted when the signal is, or when the time is over. The timer is our own: Node 20 collects an `AbortSignal.timeout` that nothing but
 * `AbortSignal.any` refers to, and it never fires.
 */
export function withDeadline(signal: AbortSignal, ms: number): AbortSignal {
  const over = new AbortController()
  startTimer(ms, () => over.abort(new DOMException('The time is over', 'TimeoutError')), { unref: true })
  return AbortSignal.any([signal, over.signal])
}
