import type { YieldToEventLoop } from '@tallystick/record/json'

export type { YieldToEventLoop }

/** Long computations wait here between two slices. */
export interface SliceQueue extends YieldToEventLoop {
  /** Returns the number of computations that wait for their next slice. */
  waiting(): number
}

/**
 * Runs one slice in each turn of the event loop, for the whole process. If every computation yielded on its own, a hundred long inputs
 * would make every other call wait for a hundred slices.
 */
export function createSliceQueue(): SliceQueue {
  // Bounded: one for each call whose body is being read or checked.
  const waiting: (() => void)[] = []
  function runNext(): void {
    waiting.shift()?.()
    if (waiting.length > 0) setImmediate(runNext)
  }
  const yieldToEventLoop = () =>
    new Promise<void>((resolve) => {
      waiting.push(resolve)
      if (waiting.length === 1) setImmediate(runNext)
    })
  return Object.assign(yieldToEventLoop, { waiting: () => waiting.length })
}
