/**
 * Deadlines that allow for pauses of this process. A busy host may pause a process for seconds. Afterwards timers fire before sockets are
 * read, so an answer seems to be late although it may have arrived already.
 */

// Time is measured in steps of this length, and a pause counts as one step.
const maxStepMs = 1_000
// A timer that is later than this was delayed by a pause. The timers of a busy process are less late.
const maxLatenessMs = 250

/** Returns the elapsed time without pauses, for work that is measured in short steps: more than one step was a pause. */
export const countedMs = (passedMs: number): number => Math.min(passedMs, maxStepMs)

/** Returns whether a timer was so late that this process must have been paused. For timers of other libraries. */
export const wasPaused = (startedMs: number, timerMs: number): boolean =>
  performance.now() - startedMs > timerMs + maxLatenessMs

export interface Timer {
  stop(): void
}

export interface TimerOptions {
  /** Whether the timer does not keep the process alive. */
  unref?: boolean
}

/**
 * Calls `onOver` when the time is over. Time is counted in steps of a second, and a pause counts as one step. After a pause in the last
 * step, that step is repeated once. It is not repeated again, so that the timer also ends in a process that is always busy. Sockets are
 * read before `onOver` is called.
 */
export function startTimer(ms: number, onOver: () => void, { unref = false }: TimerOptions = {}): Timer {
  let leftMs = ms
  let hasWaitedAgain = false
  let timer: NodeJS.Timeout | undefined
  let immediate: NodeJS.Immediate | undefined

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
      // Node reads sockets between timers and immediates.
      else immediate = setImmediate(onOver)
    }, stepMs)
    if (unref) timer.unref()
  }

  wait()
  return {
    stop() {
      clearTimeout(timer)
      clearImmediate(immediate)
    },
  }
}

/** A time limit for work that is done again and again. */
export interface WorkTimer {
  /** Returns the result of the work. Calls `onOver` when the work has not ended in time. */
  limit<T>(work: Promise<T>): Promise<T>
}

/**
 * Does the same as `startTimer` for work that is done many times a second. One timer runs while there is work, and once more afterwards,
 * instead of one for each piece of work. While pieces overlap, each end gives the others the whole time again.
 */
export function createWorkTimer(ms: number, onOver: () => void): WorkTimer {
  let pending = 0
  let leftMs = ms
  let countedAtMs = 0
  let hasWaitedAgain = false
  let isRunning = false

  function restart(): void {
    leftMs = ms
    countedAtMs = performance.now()
    hasWaitedAgain = false
  }

  function wait(): void {
    isRunning = true
    const stepMs = Math.min(leftMs, maxStepMs)
    const startedMs = performance.now()
    setTimeout(() => {
      isRunning = false
      if (pending === 0) return
      const now = performance.now()
      leftMs -= Math.min(stepMs, now - countedAtMs)
      countedAtMs = now
      if (leftMs <= 0 && !hasWaitedAgain && wasPaused(startedMs, stepMs)) {
        hasWaitedAgain = true
        leftMs = stepMs
      }
      if (leftMs > 0) return wait()
      // Node reads sockets between timers and immediates.
      setImmediate(() => {
        if (pending === 0) return
        if (leftMs <= 0) onOver()
        else if (!isRunning) wait()
      })
    }, stepMs).unref()
  }

  return {
    async limit(work) {
      if (pending === 0) restart()
      pending++
      if (!isRunning) wait()
      try {
        return await work
      } finally {
        pending--
        restart()
      }
    },
  }
}

/** Returns the result of the work, or rejects when the time is over. */
export async function within<T>(ms: number, work: Promise<T>, tooLate: () => Error): Promise<T> {
  let timer: Timer | undefined
  const over = new Promise<never>((_, reject) => {
    timer = startTimer(ms, () => reject(tooLate()))
  })
  return await Promise.race([work, over]).finally(() => timer?.stop())
}

/**
 * Returns a signal that is aborted with the given one or when the time is over. It does not use `AbortSignal.timeout`, which Node 20
 * garbage-collects, so that it never fires, when only `AbortSignal.any` refers to it.
 */
export function withDeadline(signal: AbortSignal, ms: number): AbortSignal {
  const over = new AbortController()
  startTimer(ms, () => over.abort(new DOMException('The time is over', 'TimeoutError')), { unref: true })
  return AbortSignal.any([signal, over.signal])
}
